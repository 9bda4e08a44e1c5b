import type { Product, ProductHit } from '#features/products/schema.ts'
import { wordsAsMarkdown } from '#platform/markdown/to-markdown-inline.ts'
import { outside } from './external-link.ts'
import { list, twin } from './markdown-response.ts'

/** A listing of the shop, for programs that read. */
export function productMarkdown(product: Product): string {
  const { seller } = product
  const payment = outside(product.payment_url)
  const facts = [
    ...(product.price ? [`Price: ${product.price.amount} ${product.price.currency}`] : []),
    ...(product.category ? [`Category: ${wordsAsMarkdown(product.category)}`] : []),
    ...(payment ? [`Buy at: <${payment}>`] : []),
    `Updated: ${product.updated_at}`,
    `Address: <${product.url}>`,
  ]
  return twin([
    `# ${wordsAsMarkdown(product.name)}`,
    product.summary && `> ${wordsAsMarkdown(product.summary)}`,
    `Sold by [${wordsAsMarkdown(seller.name)}](${seller.url})${seller.identity_verified ? ' (identity verified)' : ''}`,
    list(facts),
    ...(product.description ?? '').split(/\n\n+/).map(paragraph),
    product.related_pieces.length > 0 && '## Related writing',
    list(product.related_pieces.map(({ title, url }) => `[${wordsAsMarkdown(title)}](${url}.md)`)),
  ])
}

/** Lines stay lines, as on the page. */
const paragraph = (text: string): string => text.split('\n').map(wordsAsMarkdown).filter(Boolean).join('\\\n')

/** On the page of whoever sells them. */
export const shelfMarkdown = (products: readonly ProductHit[]): string =>
  list(
    products.map(
      ({ name, url, price }) =>
        `[${wordsAsMarkdown(name)}](${url}.md)${price ? `, ${price.amount} ${price.currency}` : ''}`,
    ),
  )
