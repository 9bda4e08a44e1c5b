import type pg from 'pg'
import { countMembers, readMember } from '../server/features/pieces/search/docs.ts'
import type { FilingRules } from '../server/features/pieces/search/indexer.ts'
import { randomFrom } from '../server/seed/random.ts'
import type { DrawnPiece } from './search-corpus.ts'

/** A volume holds a handful, and a string that some pieces have is common. */
export const smallVolumes: FilingRules = {
  mostPieces: () => 20,
  sampled: 500,
  mostFiled: 256,
  fewestFiled: 1,
  mostVolumes: 100,
  longestWait: 0,
}

const syllables = ['ka', 'to', 'mi', 'sun', 'er', 'ly', 'dra', 'pel', 'ion', 'quo', 'vex', 'zi', '东京', 'é']

/** Made of few syllables, so that parts of words are in many pieces and whole words in few. */
export function drawPieces(count: number, rng: number): DrawnPiece[] {
  const random = randomFrom(count, rng)
  const number = (below: number) => Number.parseInt(random.uuid().slice(0, 8), 16) % below
  const word = () => Array.from({ length: 1 + number(4) }, () => syllables[number(syllables.length)]).join('')
  const phrase = (words: number) => Array.from({ length: words }, word).join(' ')
  return Array.from({ length: count }, () => ({
    headline: phrase(3),
    sub: number(3) === 0 ? '' : phrase(4),
    body: phrase(20),
    category: ['building', 'life', 'civic'][number(3)]!,
    hour: number(5_000),
  }))
}

/** Parts of one letter to several words, of these pieces. */
export function drawTerms(pieces: readonly DrawnPiece[], count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const { body } = pieces[(at * 37) % pieces.length]!
    const from = (at * 11) % (body.length - 12)
    return body.slice(from, from + 1 + (at % 12)).trim() || 'ka'
  })
}

export interface Index {
  /** As often as they are in a volume that is searched. */
  readonly filed: readonly string[]
  readonly waiting: readonly string[]
  /** Rows of lists and members that belong to no volume. */
  readonly strays: number
}

export async function readIndex(db: pg.ClientBase | pg.Pool): Promise<Index> {
  const { rows: members } = await db.query<{ places: Buffer }>(
    "select places from search.members m join search.volumes v on v.id = m.volume where v.state = 'ready'",
  )
  const { rows: waiting } = await db.query<{ id: string }>('select piece_id as id from search.waiting order by 1')
  const { rows: strays } = await db.query<{ count: number }>(`
    select ((select count(*) from search.pages p where not exists (select from search.volumes where id = p.volume))
          + (select count(*) from search.members m where not exists (select from search.volumes where id = m.volume)))::integer as count`)
  return {
    filed: members
      .flatMap(({ places }) => Array.from({ length: countMembers(places) }, (_, at) => readMember(places, at).id))
      .sort(),
    waiting: waiting.map(({ id }) => id),
    strays: strays[0]!.count,
  }
}
