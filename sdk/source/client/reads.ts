import type { Author, Piece, Product } from '../types.generated.ts'
import type { CallOptions, Site } from './config.ts'
import { uuidIn } from './id.ts'
import { type ListOptions, listOf } from './list.ts'
import { ofCalls, only } from './options.ts'
import { ask } from './request.ts'

/** What everybody may read. */

export const authorsOf = (site: Site) => ({
  /** One author, by slug; a former slug finds them too. */
  async get(slug: string, options: CallOptions = {}): Promise<Author> {
    const { signal } = only(options, ofCalls)
    return (await ask(site, 'GET /api/public/authors/{slug}', { at: slug, signal })).body.author
  },
  /** Authors whose name, niche, role or bio contains the term: verified first, then those with more pieces. */
  search: (q: string, options: ListOptions<'GET /api/public/authors/search'> = {}) =>
    listOf(site, 'GET /api/public/authors/search', options, ({ results }) => results, { q }),
})

export const piecesOf = (site: Site) => ({
  /** One piece, whole, by its UUID or by its `id` in a list, which ends in it. */
  async get(id: string, options: CallOptions = {}): Promise<Piece> {
    const { signal } = only(options, ofCalls)
    return (await ask(site, 'GET /api/public/pieces/{id}', { at: uuidIn(id), signal })).body.piece
  },
  /** The newest pieces, of one category, of one author (`author` is their slug), or of all. */
  recent: (options: ListOptions<'GET /api/public/pieces/recent'> = {}) =>
    listOf(site, 'GET /api/public/pieces/recent', options, ({ items }) => items),
  /** Pieces that contain the term: headline before standfirst before body, newest first within each. */
  search: (q: string, options: ListOptions<'GET /api/public/pieces/search'> = {}) =>
    listOf(site, 'GET /api/public/pieces/search', options, ({ results }) => results, { q }),
  /** Pieces by how much they are read in a day, a week or a month, of one category or of all. */
  trending: (options: ListOptions<'GET /api/public/pieces/trending'> = {}) =>
    listOf(site, 'GET /api/public/pieces/trending', options, ({ items }) => items),
})

export const productsOf = (site: Site) => ({
  /** One listing, whole. */
  async get(id: string, options: CallOptions = {}): Promise<Product> {
    const { signal } = only(options, ofCalls)
    return (await ask(site, 'GET /api/public/products/{id}', { at: uuidIn(id), signal })).body.product
  },
  /** The newest listings, of one seller or of all. */
  recent: (options: ListOptions<'GET /api/public/products/search'> = {}) =>
    listOf(site, 'GET /api/public/products/search', options, ({ results }) => results),
  /** Listings that contain the term in name, summary, description or category: name matches first, then the newest. */
  search: (q: string, options: ListOptions<'GET /api/public/products/search'> = {}) =>
    listOf(site, 'GET /api/public/products/search', options, ({ results }) => results, { q }),
})
