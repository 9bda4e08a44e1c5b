import type { ReadContext } from '#features/context.ts'
import { statement } from '#platform/db/statement.ts'
import { hasLoneLink } from '#platform/markdown/lone-links.ts'

/** What the card of a link shows. Title and site are others' text. */
export interface LinkCard {
  readonly url: string
  readonly title: string
  readonly site: string | null
  readonly picture: { readonly hash: string; readonly width: number; readonly height: number } | null
}

interface Row {
  readonly url: string
  readonly title: string
  readonly site: string | null
  readonly picture: string | null
  readonly picture_width: number
  readonly picture_height: number
}

const cardsOfPiece = statement.raw<{ piece: string }, Row>(
  'cards_of_piece',
  `select url, title, site, picture, picture_width, picture_height from pub.link_cards
    where piece_id = $1 and title is not null order by url`,
  ['piece'],
)

/** The cards of a public piece; most have none, and cost no query. */
export async function linkCardsOf({ db }: ReadContext, piece: string, html: string | null): Promise<LinkCard[]> {
  if (!hasLoneLink(html ?? '')) return []
  const rows = await db.query(cardsOfPiece, { piece })
  return rows.map(({ url, title, site, picture: hash, picture_width: width, picture_height: height }) => ({
    url,
    title,
    site,
    picture: hash === null ? null : { hash, width, height },
  }))
}
