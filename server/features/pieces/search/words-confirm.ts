import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { fold } from '#platform/text/fold.ts'
import { primaryLanguage } from '#platform/text/language.ts'
import type { Category } from '../schema.ts'
import type { Doc } from './segment.ts'
import type { WordFilter } from './words-keys.ts'
import type { PieceText } from './words-match.ts'

/** A public piece as it is now, to be compared with a question. */
export interface PublicText extends PieceText, Doc {
  readonly authorId: string
  readonly coAuthors: readonly string[] | null
  readonly category: Category
}

interface TextRow extends PieceText {
  readonly id: string
  readonly published_at: Date
  readonly author_id: string
  readonly co_authors: readonly string[] | null
  readonly category: Category
}

const columns = (body: string): string =>
  `select p.id, p.published_at, p.author_id, p.co_authors, p.category, p.headline_folded as headline, p.sub_folded as sub,
          p.tags, p.locale, a.name as author,
          ${body} as body
     from unnest($1::uuid[]) as given (id)
     join pub.pieces p on p.id = given.id
     join pub.authors a on a.id = p.author_id`

const headers = statement.raw<{ ids: readonly string[] }, TextRow>('words_headers', columns('null::text'), ['ids'])
const wholes = statement.raw<{ ids: readonly string[] }, TextRow>(
  'words_texts',
  columns('(select t.body from pub.piece_texts t where t.piece_id = p.id)'),
  ['ids'],
)

/** Those of the docs that are public, at the date they were indexed at, and what the search is limited to. */
export async function readTexts(
  db: Database,
  docs: readonly Doc[],
  filter: WordFilter,
  withBody: boolean,
): Promise<PublicText[]> {
  if (docs.length === 0) return []
  const rows = await db.query(withBody ? wholes : headers, { ids: docs.map(({ id }) => id) })
  const indexedAt = new Map(docs.map(({ id, publishedAt }) => [id, publishedAt.getTime()]))
  return rows
    .filter(({ id, published_at }) => indexedAt.get(id) === published_at.getTime())
    .map(({ published_at, author_id, co_authors, ...row }) => ({
      ...row,
      publishedAt: published_at,
      authorId: author_id,
      coAuthors: co_authors,
    }))
    .filter((piece) => isWithin(filter, piece))
}

function isWithin({ category, language, authorId, tag }: WordFilter, piece: PublicText): boolean {
  return (
    (category === undefined || piece.category === category) &&
    (language === undefined || primaryLanguage(piece.locale) === language) &&
    (authorId === undefined || piece.authorId === authorId || piece.coAuthors?.includes(authorId) === true) &&
    (tag === undefined || piece.tags.some((one) => fold(one) === fold(tag)))
  )
}
