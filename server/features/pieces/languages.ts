import type { ReadContext } from '#features/context.ts'
import { statement } from '#platform/db/statement.ts'
import { primaryLanguage } from '#platform/text/language.ts'
import type { Filter } from './queries.ts'

/** Anybody can send any locale, so the number of steps is limited; each reads a few pages of the index. */
const maxLanguages = 200
/** An author's languages are those of so many of their newest pieces. */
const maxPieces = 500

type Scope = { max: number } & Pick<Filter, 'category' | 'authorId'>

/** From one language to the next along the index, however many pieces have it. */
const loose = (next: string): string => `with recursive found as (
    select ''::text as language, 0 as place
    union all
    select next.language, found.place + 1 from found cross join lateral (${next}) next where found.place < $1)
  select language from found where place > 0`

const languages = statement.raw<Scope, { language: string }>(
  'languages',
  loose(`select pub.language_of(p.locale) as language from pub.pieces p
          where pub.language_of(p.locale) > found.language order by pub.language_of(p.locale) limit 1`),
  ['max'],
)

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

const localesOfAuthor = statement.raw<Scope, { locale: string }>(
  'locales_of_author',
  `select distinct locale from (select locale from pub.pieces where author_id = $2
                                 order by published_at desc, id desc limit $1) newest`,
  ['max', 'authorId'],
)

/** For query plan tests. */
export const statements = { languages, languagesOfCategory, localesOfAuthor } as const

/** The languages of all public pieces, of a category or of an author, as lists are filtered by. */
export async function languagesOf(
  { db }: ReadContext,
  { category, authorId }: Pick<Filter, 'category' | 'authorId'> = {},
): Promise<string[]> {
  if (authorId !== undefined) {
    const rows = await db.query(localesOfAuthor, { authorId, max: maxPieces })
    return [...new Set(rows.map(({ locale }) => primaryLanguage(locale)))].sort()
  }
  const rows = await (category === undefined
    ? db.query(languages, { max: maxLanguages })
    : db.query(languagesOfCategory, { category, max: maxLanguages }))
  return rows.map(({ language }) => language)
}
