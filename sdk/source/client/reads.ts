import { type Author, type Calls, type Piece, type Product, parameters } from '../types.generated.ts'
import {
  type Call,
  type CallOptions,
  callOptionNames,
  checkOptions,
  type Site,
  sendRequest,
  uuidIn,
} from './request.ts'

/** Public reads. */

export const authorsOf = (site: Site) => ({
  /** One author by slug, current or former. */
  async get(slug: string, options: CallOptions = {}): Promise<Author> {
    const { signal } = checkOptions(options, callOptionNames)
    return (await sendRequest(site, 'GET /api/public/authors/{slug}', { at: slug, signal })).body.author
  },
  /** Authors whose name, niche, role or bio contains the term: verified first, then those with more pieces. */
  search: (q: string, options: ListOptions<'GET /api/public/authors/search'> = {}) =>
    listOf(site, 'GET /api/public/authors/search', options, ({ results }) => results, { q }),
})

export const piecesOf = (site: Site) => ({
  /** One whole piece, by its UUID or by the `id` of a list item, which ends in it. */
  async get(id: string, options: CallOptions = {}): Promise<Piece> {
    const { signal } = checkOptions(options, callOptionNames)
    return (await sendRequest(site, 'GET /api/public/pieces/{id}', { at: uuidIn(id), signal })).body.piece
  },
  /** The newest pieces, of one category, one author (`author` is a slug), in one language, or all. */
  recent: (options: ListOptions<'GET /api/public/pieces/recent'> = {}) =>
    listOf(site, 'GET /api/public/pieces/recent', options, ({ items }) => items),
  /** Pieces that contain the term: headline before standfirst before body, newest first within each. */
  search: (q: string, options: ListOptions<'GET /api/public/pieces/search'> = {}) =>
    listOf(site, 'GET /api/public/pieces/search', options, ({ results }) => results, { q }),
  /** Most read pieces of a day, a week or a month, of one category, in one language, or of all. */
  trending: (options: ListOptions<'GET /api/public/pieces/trending'> = {}) =>
    listOf(site, 'GET /api/public/pieces/trending', options, ({ items }) => items),
})

export const productsOf = (site: Site) => ({
  /** One whole listing. */
  async get(id: string, options: CallOptions = {}): Promise<Product> {
    const { signal } = checkOptions(options, callOptionNames)
    return (await sendRequest(site, 'GET /api/public/products/{id}', { at: uuidIn(id), signal })).body.product
  },
  /** The newest listings, of one seller or of all. */
  recent: (options: ListOptions<'GET /api/public/products/search'> = {}) =>
    listOf(site, 'GET /api/public/products/search', options, ({ results }) => results),
  /** Listings that contain the term in name, summary, description or category: name matches first, then the newest. */
  search: (q: string, options: ListOptions<'GET /api/public/products/search'> = {}) =>
    listOf(site, 'GET /api/public/products/search', options, ({ results }) => results, { q }),
})

/** The calls that return a page of items. */
type ListCall = { [Name in Call]: Calls[Name]['answer'] extends { next_cursor: unknown } ? Name : never }[Call]

/** The options of a list, besides the search term. `limit` is the page size: iterating continues to the last page. */
export type ListOptions<Name extends ListCall> = Omit<Calls[Name]['query'], 'q'> & CallOptions

/** A lazy list: nothing is requested until it is used, and each use requests again. */
export interface List<Item, Page> extends AsyncIterable<Item> {
  /** One page as the API returns it: the first, or the one `next_cursor` points to. */
  page(cursor?: string | null): Promise<Page>
  /** All pages, for callers that need to know whether a search ended early (`partial`). */
  pages(): AsyncIterable<Page>
  /** The first `count` items, or fewer if there are no more. */
  take(count: number): Promise<Item[]>
}

export function listOf<Name extends ListCall, Item>(
  site: Site,
  call: Name,
  options: ListOptions<Name>,
  itemsOf: (page: Calls[Name]['answer']) => readonly Item[],
  term: { readonly q?: string } = {},
): List<Item, Calls[Name]['answer']> {
  const names = [...parameters[call].filter((name) => name !== 'q'), ...callOptionNames]
  const { signal, cursor: start, ...rest }: CallOptions & { readonly cursor?: string } = checkOptions(options, names)
  const page = async (cursor: string | null = null) => {
    const asked = { ...rest, ...term, cursor: cursor ?? start } as Calls[Name]['query']
    return (await sendRequest(site, call, { query: asked, signal })).body
  }
  async function* pages() {
    for (let cursor: string | null | undefined = start; ; ) {
      const one = await page(cursor)
      yield one
      cursor = one.next_cursor
      if (cursor === null) return
    }
  }
  async function* items() {
    for await (const one of pages()) yield* itemsOf(one)
  }
  const take = async (count: number) => {
    const collected: Item[] = []
    if (count > 0) {
      for await (const item of items()) if (collected.push(item) >= count) break
    }
    return collected
  }
  return { page, pages, take, [Symbol.asyncIterator]: items }
}
