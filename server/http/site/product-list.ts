import type { ProductHit } from '#features/products/schema.ts'
import { type Html, html } from '#platform/html.ts'
import { authorName } from './byline.ts'
import { price } from './prices.ts'

interface Shown {
  readonly heading: 'h2' | 'h3'
  /** On their own page a seller need not be named. */
  readonly seller: boolean
}

/** Listings of the shop, one under the other. */
export const shelf = (products: readonly ProductHit[], shown: Shown): Html =>
  html`<ul class="quiet shelf">
${products.map((product) => item(product, shown))}</ul>`

function item(product: ProductHit, { heading, seller }: Shown): Html {
  const name = html`<a href="${product.url}">${product.name}</a>`
  const facts = [
    ...(seller ? [html`${authorName(product.seller)}`] : []),
    ...(product.price ? [price(product.price)] : []),
    ...(product.category ? [html`<bdi>${product.category}</bdi>`] : []),
  ]
  return html`<li>
<div>
${heading === 'h2' ? html`<h2 class="title" dir="auto">${name}</h2>` : html`<h3 class="title" dir="auto">${name}</h3>`}
${product.summary && html`<p class="standfirst" dir="auto">${product.summary}</p>`}
${facts.length > 0 && html`<p class="meta" lang="en">${facts.map((fact, at) => (at === 0 ? fact : html`<span class="dot">${fact}</span>`))}</p>`}
</div>
${product.image_url && html`<img src="${product.image_url}" alt="" width="96" height="96" loading="lazy" decoding="async">`}
</li>
`
}
