import type { LinkCard } from '#features/link-cards/reads.ts'
import { html } from '#platform/html.ts'
import { replaceLoneLinks } from '#platform/markdown/lone-links.ts'
import { hostOf } from './byline.ts'

/** Draws links that stand alone as cards. Those without one, and the stored text, keep the plain link. */
export function withLinkCards(rendered: string, cards: readonly LinkCard[]): string {
  if (cards.length === 0) return rendered
  const known = new Map(cards.map((card) => [card.url, card]))
  return replaceLoneLinks(rendered, (address) => {
    const card = known.get(address)
    return card && String(linkCard(card))
  })
}

/** The host is that of the link, whatever the page calls its site. */
const linkCard = ({ url, title, site, picture }: LinkCard) => {
  const image =
    picture &&
    html`<img src="/media/${picture.hash}" alt="" width="${picture.width}" height="${picture.height}" loading="lazy" decoding="async">`
  const host = hostOf(url)
  return html`<p class="link-card"><a href="${url}" rel="ugc nofollow noopener noreferrer">${image}<span><strong dir="auto">${title}</strong> <small>${site && site !== host && html`<bdi>${site}</bdi> · `}<bdi>${host}</bdi></small></span></a></p>`
}
