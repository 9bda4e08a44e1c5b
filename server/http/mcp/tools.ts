import type { TSchema } from 'typebox'
import { getAuthor, searchAuthors } from '#features/authors/reads.ts'
import { AuthorFound, AuthorHits, OneAuthor, SearchAuthors } from '#features/authors/schema.ts'
import type { ReadContext } from '#features/context.ts'
import { pieceAtAddress } from '#features/pieces/public-lists.ts'
import { getPiece, recentPieces, searchPieces } from '#features/pieces/reads.ts'
import { OnePiece, PieceFound, PieceHits, PieceList, RecentPieces, SearchPieces } from '#features/pieces/schema.ts'
import { getProduct, getProductAt, searchProducts } from '#features/products/reads.ts'
import { OneProduct, ProductFound, ProductHits, SearchProducts } from '#features/products/schema.ts'
import { trendingPieces } from '#features/trending/reads.ts'
import { TrendingList, TrendingPieces, trendingFormula } from '#features/trending/schema.ts'
import { ServiceError } from '#platform/errors.ts'
import {
  type Call,
  type Described,
  failed,
  formOf,
  quoted,
  succeeded,
  type Tool,
  unanswerable,
  uuidIn,
  type WrongArguments,
} from '#platform/mcp/tool.ts'

/** What a public tool call may use. */
export interface ReadCall extends Call {
  readonly reads: ReadContext
  /** Counts a search; returns the seconds to wait if over the limit. */
  searchWait(): Promise<number>
  onPartial(): void
}

/** A tool that does what a REST route does and returns the same body. catalogue.ts lists those there are. */
export interface ReadTool<Asked, Body> extends Described {
  readonly isSearch?: boolean
  ask(reads: ReadContext, asked: Asked): Promise<Body>
  /** The message if nothing is found, with what to call next. */
  missing?(asked: Asked): string
}

const readOnlyHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const

export function createReadTool<Asked, Body>(tool: ReadTool<Asked, Body>, shapes: readonly TSchema[]): Tool<ReadCall> {
  const { name, answers, isSearch, ask, missing } = tool
  const { definition, names, read } = formOf<Asked>(tool, readOnlyHints, shapes)
  const refuse = (by: Call, words: string): string => {
    by.onOutcome(name, 'refused')
    return failed(words)
  }
  return {
    definition,
    async call(given, by) {
      const { asked, wrong } = read(given)
      if (wrong) return refuse(by, invalidArguments(name, wrong, names))
      const wait = isSearch ? await by.searchWait() : 0
      if (wait > 0) return refuse(by, `Too many calls; wait ${wait} s.`)
      try {
        const body = await ask(by.reads, asked)
        if ((body as { partial?: boolean }).partial) by.onPartial()
        by.onOutcome(name, 'answered')
        return succeeded(by.write(answers, body))
      } catch (failure) {
        if (failure instanceof ServiceError && failure.status === 404 && missing) return refuse(by, missing(asked))
        if (failure instanceof ServiceError && failure.status === 400)
          return refuse(by, invalidArguments(name, { error: failure, unknown: [] }, names))
        by.onOutcome(name, 'failed')
        return failed(unanswerable(by, failure))
      }
    },
  }
}

const maxNamed = 5

function invalidArguments(tool: string, { error, unknown }: WrongArguments, allowed: readonly string[]): string {
  const wrong = (error?.errors ?? []).map(({ pointer, detail }) => `${pointer.slice(1) || 'arguments'} ${detail}`)
  const known = ` (allowed: ${allowed.join(', ')})`
  const unknownArguments = unknown
    .slice(0, maxNamed)
    .map((name, at, all) => `unknown argument ${quoted(name)}${at === all.length - 1 ? known : ''}`)
  return `Invalid arguments for ${tool}: ${[...wrong, ...unknownArguments].join('; ')}.`
}

export const authors: ReadTool<SearchAuthors, AuthorHits> = {
  name: 'search_authors',
  title: 'Search authors',
  description:
    'Find writers by topic, name fragment or niche keyword (substring match on name, niche, role and bio). Verified writers come first, then those with more pieces. Use get_author with a returned slug for the full profile. For what they wrote, use search_pieces.',
  takes: SearchAuthors,
  called: { q: 'query' },
  words: { query: 'Topic, part of a name, or niche keyword, e.g. "bakery" or "ana".' },
  answers: AuthorHits,
  isSearch: true,
  ask: searchAuthors,
}

export const author: ReadTool<OneAuthor, AuthorFound> = {
  name: 'get_author',
  title: 'Get author profile',
  description:
    'Full public profile of one writer: bio, links, verification, piece count, feed and badge URLs. Needs the slug; if you only have a name, call search_authors first.',
  takes: OneAuthor,
  words: { slug: 'Author slug exactly as returned by search_authors or a piece byline, e.g. "ana-silva".' },
  more: { slug: { minLength: 1, maxLength: 100 } },
  answers: AuthorFound,
  ask: getAuthor,
  missing: ({ slug }) =>
    `No author has the slug ${quoted(slug)}. Call search_authors with part of the name to find the right slug.`,
}

const onlyCategory = 'Only pieces in this category. Omit for all categories.'

export const recent: ReadTool<RecentPieces, PieceList> = {
  name: 'recent_pieces',
  title: 'Recent pieces',
  description:
    'Newest published pieces across all writers, newest first, without bodies. Use when the user asks what is new; to look for a subject use search_pieces. Read a body with get_piece.',
  takes: RecentPieces,
  words: { category: onlyCategory },
  answers: PieceList,
  ask: recentPieces,
}

type AskedPiece = OnePiece & { readonly format?: 'full' | 'text' }

export const piece: ReadTool<AskedPiece, PieceFound> = {
  name: 'get_piece',
  title: 'Get piece',
  description:
    'One published piece with its full body. Pass the id (or url) of any result from search_pieces, recent_pieces or trending_pieces. Use format "text" to drop the HTML copy and halve the tokens. Drafts and withdrawn pieces are not available.',
  takes: OnePiece,
  words: { id: 'Piece UUID, or the id/url value copied from a list result.' },
  more: {
    id: { minLength: 1, maxLength: 500 },
    format: {
      type: 'string',
      enum: ['full', 'text'],
      default: 'full',
      description: 'full: the same record as the REST API. text: content_html is null, plain text only.',
    },
  },
  answers: PieceFound,
  async ask(reads, { id, format }) {
    const found = await resolvePiece(reads, id.trim())
    return format === 'text' ? { ...found, piece: { ...found.piece, content_html: null } } : found
  },
  missing: ({ id }) =>
    `No published piece has the id ${quoted(id)}. It may be a draft or withdrawn. Call search_pieces or recent_pieces to get a valid id.`,
}

/** Accepts what lists return: the permanent address or the page's address. */
async function resolvePiece(reads: ReadContext, given: string): Promise<PieceFound> {
  const page = reads.urls.pageAt(given)
  if (page && 'author' in page) {
    const found = page.piece === undefined ? undefined : await pieceAtAddress(reads, page.author, page.piece)
    if (found) return { ok: true, piece: found.piece }
  }
  return getPiece(reads, { id: uuidIn(given) })
}

export const pieces: ReadTool<SearchPieces, PieceHits> = {
  name: 'search_pieces',
  title: 'Search pieces',
  description:
    'Search the headline, standfirst and body of published pieces by substring. Headline matches come first, then standfirst, then body; newer first within each. Body matches carry a snippet. Use short distinctive words, not a sentence. Read one with get_piece.',
  takes: SearchPieces,
  called: { q: 'query' },
  words: {
    query: 'A word or short phrase that would literally occur in the piece, e.g. "pricing".',
    category: onlyCategory,
  },
  answers: PieceHits,
  isSearch: true,
  ask: searchPieces,
}

export const trending: ReadTool<TrendingPieces, TrendingList> = {
  name: 'trending_pieces',
  title: 'Trending pieces',
  description: `Published pieces with the most reader activity in a recent window, ranked. Use for "what is popular"; for newest first use recent_pieces. ${trendingFormula}`,
  takes: TrendingPieces,
  words: { window: 'Time window for activity.', category: onlyCategory },
  answers: TrendingList,
  ask: trendingPieces,
}

export const products: ReadTool<SearchProducts, ProductHits> = {
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

/** As stored in the database. */
const slugShape = /^[a-z0-9][a-z0-9-]{0,99}$/

export const product: ReadTool<OneProduct, ProductFound> = {
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
