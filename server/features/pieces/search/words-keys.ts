import { fold } from '#platform/text/fold.ts'
import { primaryLanguage } from '#platform/text/language.ts'
import { formsOf, wordsIn } from '#platform/text/word-forms.ts'
import type { Category } from '../schema.ts'
import { fnv1a, type SearchFilter } from './segment.ts'

/**
 * Words as keys of posting lists, beside those of strings and filters: hashes, stored in segments, so they must never
 * change. A hash has 32 bits; the texts decide what is found, so two words with the same one cost time only.
 */

/**
 * Where a word stands, each with what the better ones have: the headline; also the standfirst, the author's name and the
 * tags; anywhere. All words of a question are in one place if each has the piece in its list of that place.
 */
export const places = ['headline', 'standfirst', 'body'] as const
const keysOfPlace = 2 ** 48

/** The key of a word, or of a stem, at a place: an index into `places`. */
export const wordKey = (place: number, form: string): number => (place + 1) * keysOfPlace + fnv1a(form)

export interface WordFilter extends SearchFilter {
  readonly authorId?: string | undefined
  readonly tag?: string | undefined
}

/** The keys of what only a search by words can be limited to. */
export const wordFilterHashes = ({ authorId, tag }: WordFilter): number[] => [
  ...(authorId === undefined ? [] : [fnv1a(`author:${authorId}`)]),
  ...(tag === undefined ? [] : [fnv1a(`tag:${fold(tag)}`)]),
]

/** A piece as its words are taken from it. */
export interface WordedPiece {
  readonly author_id: string
  readonly author: string
  readonly category: Category
  readonly locale: string
  readonly tags: readonly string[]
  /** Folded, as are `sub` and `body`. */
  readonly headline: string
  readonly sub: string
  readonly body: string
}

export interface PieceWords {
  /** Without accents. */
  readonly words: ReadonlySet<string>
  /** Words and stems, by the best place each stands at. */
  readonly byPlace: readonly ReadonlySet<string>[]
}

export function wordsOf(piece: WordedPiece): PieceWords {
  const language = primaryLanguage(piece.locale)
  const words = new Set<string>()
  const [seen, known] = [new Set<string>(), new Set<string>()]
  const byPlace = [piece.headline, headerOf(piece), piece.body].map((text) => {
    const added = new Set<string>()
    const add = (form: string) => {
      if (known.has(form)) return
      known.add(form)
      added.add(form)
    }
    for (const word of wordsIn(text)) {
      if (seen.has(word)) continue
      seen.add(word)
      const { plain, stem } = formsOf(word, language)
      words.add(plain)
      add(plain)
      if (stem !== plain) add(stem)
    }
    return added
  })
  return { words, byPlace }
}

/** What stands beside the headline, folded. */
export const headerOf = ({ sub, author, tags }: Pick<WordedPiece, 'sub' | 'author' | 'tags'>): string =>
  [sub, fold(author), ...tags.map(fold)].join('\n')

/** The keys of the words of a piece: of the place each stands at, and of all worse ones. */
export function wordKeys({ byPlace }: PieceWords): number[] {
  const keys: number[] = []
  for (const [best, forms] of byPlace.entries())
    for (const form of forms) for (let place = best; place < places.length; place += 1) keys.push(wordKey(place, form))
  return keys
}
