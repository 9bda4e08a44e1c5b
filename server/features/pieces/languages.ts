import type { ReadContext } from '#features/context.ts'
import { statement } from '#platform/db/statement.ts'
import { primaryLanguage } from '#platform/text/language.ts'
import type { Filter } from './list-queries.ts'

/** Anybody can send any locale, so the number of steps is limited; each reads a few pages of the index. */
const maxLanguages = 200
/** An author's languages are those of so many of the newest pieces that they wrote, and that they signed. */
const maxPieces = 500

type Scope = { max: number } & Pick<Filter, 'category' | 'authorId' | 'topic'>

/** From one language to the next along the index, however many pieces have it. `max` is SQL. */
const loose = (next: string, max = '$1'): string => `with recursive found as (
    select ''::text as language, 0 as place
    union all
    select next.language, found.place + 1 from found cross join lateral (${next}) next where found.place < ${max})
  select language from found where place > 0`

/** The languages of all public pieces, as part of a statement. */
export const looseLanguages = (max?: string): string =>
  loose(
    `select pub.language_of(p.locale) as language from pub.pieces p
      where pub.language_of(p.locale) > found.language order by pub.language_of(p.locale) limit 1`,
    max,
  )

const languages = statement.raw<Scope, { language: string }>('languages', looseLanguages(), ['max'])

/** Asks for the next of any category, so that only the index by category will do. */
const languagesOfCategory = statement.raw<Scope, { language: string }>(
  'languages_of_category',
  loose(`select language from (
           select p.category, pub.language_of(p.locale) as language from pub.pieces p
            where (p.category, pub.language_of(p.locale)) > ($2, found.language)
            order by p.category, pub.language_of(p.locale) limit 1) any_category
          where category = $2`),
  ['max', 'category'],
)

/** Likewise the next of any topic. */
const languagesOfTopic = statement.raw<Scope, { language: string }>(
  'languages_of_topic',
  loose(`select language from (
           select t.topic, t.language from pub.piece_topics t
            where (t.topic, t.language) > ($2, found.language)
            order by t.topic, t.language limit 1) any_topic
          where topic = $2`),
  ['max', 'topic'],
)

const localesOfAuthor = statement.raw<Scope, { locale: string }>(
  'locales_of_author',
  `select locale from (select locale from pub.pieces where author_id = $2
                        order by published_at desc, id desc limit $1) newest
   union
   select language from (select language from pub.piece_co_authors where author_id = $2
                          order by published_at desc, piece_id desc limit $1) signed`,
  ['max', 'authorId'],
)

/** For query plan tests. */
export const statements = { languages, languagesOfCategory, languagesOfTopic, localesOfAuthor } as const

/** The languages of all public pieces, of a topic, a category or an author, as lists are filtered by. */
export async function languagesOf(
  { db }: ReadContext,
  { topic, category, authorId }: Pick<Filter, 'topic' | 'category' | 'authorId'> = {},
): Promise<string[]> {
  if (authorId !== undefined) {
    const rows = await db.query(localesOfAuthor, { authorId, max: maxPieces })
    return [...new Set(rows.map(({ locale }) => primaryLanguage(locale)))].sort()
  }
  if (topic !== undefined) {
    const rows = await db.query(languagesOfTopic, { topic, max: maxLanguages })
    return rows.map(({ language }) => language)
  }
  const rows = await (category === undefined
    ? db.query(languages, { max: maxLanguages })
    : db.query(languagesOfCategory, { category, max: maxLanguages }))
  return rows.map(({ language }) => language)
}
