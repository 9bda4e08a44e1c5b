import { requireSession, type Writer, withSession } from '#features/accounts/sessions.ts'
import type { DeskContext, ReadContext } from '#features/context.ts'
import type { Database } from '#platform/db/database.ts'
import { containing, statement } from '#platform/db/statement.ts'
import { readRow } from './desk.ts'

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

const maxSuggestions = 8
/** Of a writer's newest pieces, so many are looked at. */
const maxOwnPieces = 1000

/** Tags with these words in them: those that begin so first, then the writer's own, then those that most pieces have. */
export async function suggestTags({ db }: DeskContext, writer: Writer, q: string): Promise<string[]> {
  const rows = await withSession(db, writer, async (tx) => {
    const { rows } = await tx.query<{ tag: string }>(
      `with own as (
         select t.tag, count(*) as pieces
           from (select tags from app.pieces where writer_id = $1 order by created_at desc, id desc limit $4) p,
                unnest(p.tags) as t(tag)
          where t.tag ilike $2 group by t.tag),
       public as (
         select ${nameOf('counted.topic', 'counted.name')} as tag, counted.pieces_count as pieces
           from pub.topics counted where counted.name ilike $2),
       found as (
         select tag, pieces, true as is_own from own
          union all select tag, pieces, false from public where tag is not null)
       select (array_agg(tag order by is_own desc, pieces desc, tag))[1] as tag
         from found group by lower(tag)
        order by bool_or(tag ilike $3) desc, bool_or(is_own) desc, max(pieces) desc, lower(tag) limit $5`,
      [writer.writer.id, containing(q), containing(q).slice(1), maxOwnPieces, maxSuggestions],
    )
    if (rows.length === 0) await requireSession(tx)
    return rows
  })
  return rows.map(({ tag }) => tag)
}

/** Of the tags that most pieces have, so many are looked for in a text. */
const maxLookedFor = 500

/**
 * Tags for a piece: those of its writer and of public pieces that its text has as words of their own, and that it does not
 * have yet. The writer's own come first.
 */
export async function tagsInText({ db }: DeskContext, writer: Writer, id: string): Promise<string[]> {
  const { found, text } = await withSession(db, writer, async (tx) => {
    const piece = await readRow(tx, writer, id)
    const text = [piece.headline, piece.sub ?? '', piece.body_md].join('\n').toLowerCase()
    const { rows } = await tx.query<{ tag: string }>(
      `with own as (
         select t.tag, count(*) as pieces
           from (select tags from app.pieces where writer_id = $1 and id <> $2 order by created_at desc, id desc limit $5) p,
                unnest(p.tags) as t(tag)
          group by t.tag order by 2 desc, 1 limit $4),
       public as (
         select ${nameOf('counted.topic', 'counted.name')} as tag, counted.pieces_count as pieces
           from (select * from pub.topics order by pieces_count desc, topic limit $4) counted
          where position(lower(counted.name) in $3) > 0),
       found as (
         select tag, pieces, true as is_own from own
          union all select tag, pieces, false from public where tag is not null)
       select (array_agg(tag order by is_own desc, pieces desc, tag))[1] as tag
         from found where position(lower(tag) in $3) > 0 group by lower(tag)
        order by bool_or(is_own) desc, max(pieces) desc, lower(tag)`,
      [writer.writer.id, id, text, maxLookedFor, maxOwnPieces],
    )
    const given = new Set(piece.tags.map((tag) => tag.toLowerCase()))
    return { found: rows.filter(({ tag }) => !given.has(tag.toLowerCase())), text }
  })
  return found
    .map(({ tag }) => tag)
    .filter((tag) => isWordIn(text, tag.toLowerCase()))
    .slice(0, maxSuggestions)
}

/** In scripts that put spaces between words, only whole words: not "tea" in "steam". */
function isWordIn(text: string, tag: string): boolean {
  const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`
  const inWord = String.raw`[[\p{L}\p{N}]--[${unspaced}]]`
  return new RegExp(`(?<!${inWord})${RegExp.escape(tag)}(?!${inWord})`, 'v').test(text)
}

/** In the worker. */
export async function countTopics(db: Database): Promise<void> {
  await db.run({ text: 'select app.count_topics()' })
}
