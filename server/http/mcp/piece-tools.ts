import { pieceAtAddress } from '#features/pieces/public-lists.ts'
import { getPiece, recentPieces, searchPieces } from '#features/pieces/reads.ts'
import { OnePiece, PieceFound, PieceHits, PieceList, RecentPieces, SearchPieces } from '#features/pieces/schema.ts'
import { trendingPieces } from '#features/trending/reads.ts'
import { TrendingList, TrendingPieces, trendingFormula } from '#features/trending/schema.ts'
import type { ReadContext } from '#platform/context.ts'
import { quoted, uuidIn } from '#platform/mcp/tool.ts'
import type { Mirror } from './read-tool.ts'

const onlyCategory = 'Only pieces in this category. Omit for all categories.'

export const recent: Mirror<RecentPieces, PieceList> = {
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

export const piece: Mirror<AskedPiece, PieceFound> = {
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
    const found = await pieceCalled(reads, id.trim())
    return format === 'text' ? { ...found, piece: { ...found.piece, content_html: null } } : found
  },
  missing: ({ id }) =>
    `No published piece has the id ${quoted(id)}. It may be a draft or withdrawn. Call search_pieces or recent_pieces to get a valid id.`,
}

/** A model passes on what a list gave it, which is an address: the permanent one, or that of the page. */
async function pieceCalled(reads: ReadContext, given: string): Promise<PieceFound> {
  const page = `${reads.urls.base}/author/`
  if (given.startsWith(page)) {
    const [author = '', slug = '', ...rest] = given.slice(page.length).split('/')
    const found = rest.length === 0 ? await pieceAtAddress(reads, author, slug) : undefined
    if (found) return { ok: true, piece: found.piece }
  }
  return getPiece(reads, { id: uuidIn(given) })
}

export const pieces: Mirror<SearchPieces, PieceHits> = {
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

export const trending: Mirror<TrendingPieces, TrendingList> = {
  name: 'trending_pieces',
  title: 'Trending pieces',
  description: `Published pieces with the most reader activity in a recent window, ranked. Use for "what is popular"; for newest first use recent_pieces. ${trendingFormula}`,
  takes: TrendingPieces,
  words: { window: 'Time window for activity.', category: onlyCategory },
  answers: TrendingList,
  ask: trendingPieces,
}
