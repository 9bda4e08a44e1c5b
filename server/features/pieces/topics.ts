import type { ReadContext } from '#features/context.ts'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'

/** A topic: all public pieces with a tag, however it is spelled (pub.topic_of). */
export interface Topic {
  /** Its address. */
  readonly topic: string
  /** The spelling that most of its pieces use. */
  readonly name: string
}

export interface CountedTopic extends Topic {
  /** As counted last, every ten minutes. */
  readonly piecesCount: number
}

/** So many of the newest pieces tell how a topic is spelled: what was counted may have been hidden since. */
const maxSpellings = 5

/**
 * The name that was counted, if one of the newest pieces uses it; else the one that most of them do; null if there is no
 * piece. Asks for the newest of this and earlier topics (pieces/queries.ts says why).
 */
const nameOf = (topic: string, counted: string): string => `(
  select newest.name from (
    select p.topic, p.name from pub.piece_topics p where (p.topic, p.published_at) <= (${topic}, 'infinity')
     order by p.topic desc, p.published_at desc, p.piece_id desc limit ${maxSpellings}) newest
   where newest.topic = ${topic}
   group by newest.name
   order by coalesce(newest.name = ${counted}, false) desc, count(*) desc, newest.name limit 1)`

const topicByTag = statement.raw<{ tag: string }, { topic: string; name: string | null }>(
  'topic_by_tag',
  `select asked.topic, ${nameOf('asked.topic', 'counted.name')} as name
     from (select pub.topic_of($1) as topic offset 0) asked left join pub.topics counted on counted.topic = asked.topic`,
  ['tag'],
)

const countedTopics = statement.raw<{ limit: number }, { topic: string; name: string | null; pieces_count: number }>(
  'counted_topics',
  `select counted.topic, ${nameOf('counted.topic', 'counted.name')} as name, counted.pieces_count
     from pub.topics counted order by counted.pieces_count desc, counted.topic limit $1`,
  ['limit'],
)

/** For query plan tests. */
export const statements = { topicByTag, countedTopics } as const

/** Longer than any tag, in any form. */
const longestTag = 200

/** By a tag or an address, in any spelling; undefined if no public piece has it. */
export async function topicAt({ db }: ReadContext, tag: string): Promise<Topic | undefined> {
  if (tag.length > longestTag || tag.includes('\0')) return undefined
  const [found] = await db.query(topicByTag, { tag: tag.toWellFormed() })
  return found && found.name !== null ? { topic: found.topic, name: found.name } : undefined
}

/** As many as are counted (app.count_topics). */
const maxTopics = 500

/** Those with most pieces, most first; without any whose last piece has just been hidden. */
export async function allTopics({ db }: ReadContext, limit = maxTopics): Promise<CountedTopic[]> {
  const rows = await db.query(countedTopics, { limit })
  return rows.flatMap(({ topic, name, pieces_count }) =>
    name === null ? [] : [{ topic, name, piecesCount: pieces_count }],
  )
}

/** In the worker. */
export async function countTopics(db: Database): Promise<void> {
  await db.run({ text: 'select app.count_topics()' })
}
