/** A paragraph of rendered Markdown that is one link, as the sanitiser writes it. */
const paragraph = /<p><a href="(https?:\/\/[^"]+)" rel="ugc nofollow noopener noreferrer">([^<]*)<\/a><\/p>/g

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }
const plain = (text: string): string => text.replace(/&(?:amp|lt|gt|quot);/g, (one) => entities[one]!)

/** Its text is the address itself. Readers may see that decoded: umlauts, other scripts. */
const isBare = (address: string, text: string): boolean =>
  address === text || (URL.canParse(address) && URL.canParse(text) && new URL(address).href === new URL(text).href)

export const hasLoneLink = (html: string): boolean => {
  let found = false
  replaceLoneLinks(html, () => {
    found = true
    return undefined
  })
  return found
}

/** Replaces each paragraph that is nothing but an address. It stays where `draw` returns nothing. */
export function replaceLoneLinks(html: string, draw: (address: string) => string | undefined): string {
  if (!html.includes('<p><a href="http')) return html
  return html.replace(paragraph, (whole, href: string, text: string) => {
    const address = plain(href)
    return (isBare(address, plain(text)) && draw(address)) || whole
  })
}
