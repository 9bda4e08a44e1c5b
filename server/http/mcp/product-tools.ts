import { getProduct, getProductAt, searchProducts } from '#features/products/reads.ts'
import { OneProduct, ProductFound, ProductHits, SearchProducts } from '#features/products/schema.ts'
import { quoted, uuidIn } from '#platform/mcp/tool.ts'
import type { Mirror } from './read-tool.ts'

export const products: Mirror<SearchProducts, ProductHits> = {
  name: 'search_products',
  title: 'Search products',
  description:
    'Search the shop listings writers sell (books, courses, services) by name, description or category. Omit query to browse the newest. Returns price and payment link; buying happens on payment_url, never through this tool.',
  takes: SearchProducts,
  called: { q: 'query' },
  words: {
    query: 'Word or phrase in the listing name, description or category. Omit to browse.',
    seller: 'Only listings by this author slug.',
  },
  answers: ProductHits,
  isSearch: true,
  ask: searchProducts,
}

/** As the database keeps them. */
const slugShape = /^[a-z0-9][a-z0-9-]{0,99}$/

export const product: Mirror<OneProduct, ProductFound> = {
  name: 'get_product',
  title: 'Get product',
  description:
    'One shop listing with description, seller, price, payment link and related pieces. Pass the id or url from search_products.',
  takes: OneProduct,
  words: { id: 'Product id, or the url value copied from search_products.' },
  more: { id: { minLength: 1, maxLength: 500 } },
  answers: ProductFound,
  ask(reads, { id }) {
    const given = id.trim()
    const page = reads.urls.product('')
    const slug = given.startsWith(page) ? given.slice(page.length) : ''
    return slugShape.test(slug) ? getProductAt(reads, slug) : getProduct(reads, { id: uuidIn(given) })
  },
  missing: ({ id }) => `No shop listing has the id ${quoted(id)}. Call search_products to get a valid id.`,
}
