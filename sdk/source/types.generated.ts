// Written by `npm run sdk:types` from docs/openapi.json. Change the schemas of the server instead.

/** What every failed request answers. */
export interface Failure {
  readonly ok: false
  /** A stable code for programs. */
  readonly reason: string
  /** One sentence for people. */
  readonly detail: string
  /** Names this request in our log, as `X-Request-Id` does. Tell it when you ask us about it. */
  readonly request_id: string
  readonly errors?: readonly {
    /** Which field, as an RFC 6901 pointer. */
    readonly pointer: string
    readonly code: string
    readonly detail: string
    readonly limit?: number
    readonly actual?: number
  }[]
}

/** A writer, as everyone may know them. */
export interface Author {
  readonly slug: string
  readonly name: string
  readonly bio: string | null
  readonly role: string | null
  readonly niche: string | null
  readonly location: string | null
  readonly avatar_url: string | null
  readonly website: string | null
  readonly identity_verified: boolean
  readonly website_verified: boolean
  readonly socials: {
    readonly x: string | null
    readonly linkedin: string | null
    readonly facebook: string | null
    readonly youtube: string | null
    readonly instagram: string | null
    readonly newsletter: string | null
  }
  readonly stats: {
    readonly pieces_count: number
    readonly last_published_at: string | null
  }
  readonly urls: {
    readonly profile: string
    readonly badge_svg: string
    readonly feed_json: string
    readonly feed_rss: string
  }
  readonly joined_at: string | null
}

/** A writer found by a search. */
export interface AuthorHit {
  readonly slug: string
  readonly name: string
  readonly role: string | null
  readonly niche: string | null
  readonly bio_snippet: string | null
  readonly avatar_url: string | null
  readonly identity_verified: boolean
  readonly pieces_count: number
  readonly urls: {
    readonly profile: string
    readonly badge_svg: string
    readonly feed_json: string
  }
}

/** A public piece, in the shape of a JSON Feed 1.1 item. */
export interface Piece {
  /** Permanent: it outlives every change of address. */
  readonly id: string
  readonly url: string
  /** Where it was first published, if elsewhere. */
  readonly external_url?: string
  readonly title: string
  readonly summary: string
  /** The language of the piece, as a language tag (BCP 47); `und` if unknown. */
  readonly language: string
  readonly content_html: string | null
  readonly content_text: string
  readonly date_published: string
  readonly date_modified: string
  readonly tags: readonly string[]
  readonly category: string | null
  readonly kind: string
  /** The picture of its cover, if it has one. */
  readonly image?: string
  readonly cover?: {
    readonly url: string
    readonly width: number
    readonly height: number
    /** What it shows; empty if it is only decoration. */
    readonly alt: string
    readonly caption: string | null
    readonly credit: string | null
    /** What must stay visible where it is cropped: per cent from the left and from the top. */
    readonly focus: {
      readonly x: number
      readonly y: number
    }
  }
  /** Its writer first, then the co-authors who agreed to be named. */
  readonly authors: readonly {
    readonly name: string
    readonly slug: string
    readonly url: string
    readonly avatar: string | null
    readonly identity_verified: boolean
  }[]
  /** The same piece in other languages: the original first, if this is a translation, and every translation. Left out if there are none, and in feeds. */
  readonly translations?: readonly {
    readonly id: string
    readonly url: string
    readonly title: string
    /** The language of the piece, as a language tag (BCP 47); `und` if unknown. */
    readonly language: string
    /** Whether the others are translations of this one. */
    readonly is_original: boolean
    readonly authors: readonly {
      readonly name: string
      readonly slug: string
      readonly url: string
    }[]
  }[]
  /** The series that this piece is part of. Left out if there is none, and in feeds. */
  readonly series?: {
    readonly title: string
    readonly url: string
    /** From 1, among the public pieces of the series. */
    readonly position: number
    /** How many of its pieces are public. */
    readonly count: number
  }
}

/** A public piece in a list. */
export interface PieceListItem {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly summary: string
  /** The language of the piece, as a language tag (BCP 47); `und` if unknown. */
  readonly language: string
  readonly date_published: string
  readonly category: string | null
  readonly tags: readonly string[]
  /** The picture of its cover, if it has one. */
  readonly image?: string
  /** Its writer first, then the co-authors who agreed to be named. */
  readonly authors: readonly {
    readonly name: string
    readonly slug: string
    readonly url: string
    readonly identity_verified: boolean
  }[]
}

/** A public piece found by a search. */
export interface PieceHit {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly summary: string
  /** The language of the piece, as a language tag (BCP 47); `und` if unknown. */
  readonly language: string
  readonly date_published: string
  readonly category: string | null
  readonly tags: readonly string[]
  /** The picture of its cover, if it has one. */
  readonly image?: string
  /** Its writer first, then the co-authors who agreed to be named. */
  readonly authors: readonly {
    readonly name: string
    readonly slug: string
    readonly url: string
    readonly identity_verified: boolean
  }[]
  /** The words around the match; null unless it is in the body. */
  readonly snippet: string | null
  readonly match_site: 'headline' | 'standfirst' | 'body'
  /** With mode=words: the last word is only part of another one here. */
  readonly is_part?: true
}

/** A public piece in the list of those read most. */
export interface TrendingItem {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly summary: string
  /** The language of the piece, as a language tag (BCP 47); `und` if unknown. */
  readonly language: string
  readonly date_published: string
  readonly category: string | null
  readonly tags: readonly string[]
  /** The picture of its cover, if it has one. */
  readonly image?: string
  /** Its writer first, then the co-authors who agreed to be named. */
  readonly authors: readonly {
    readonly name: string
    readonly slug: string
    readonly url: string
    readonly identity_verified: boolean
  }[]
  /** Its place in this list; 1 is read most. */
  readonly rank: number
}

/** A listing of the shop, whole. */
export interface Product {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly summary: string | null
  readonly price: {
    /** A decimal number with two places. */
    readonly amount: string
    /** ISO 4217. */
    readonly currency: string
  } | null
  readonly category: string | null
  readonly seller: {
    readonly name: string
    readonly slug: string
    readonly url: string
    readonly identity_verified: boolean
  }
  readonly image_url: string | null
  readonly url: string
  /** Where it is bought: a page of the seller, not of this site. */
  readonly payment_url: string
  /** Plain text; an empty line begins a paragraph. */
  readonly description: string | null
  /** The seller's writing about it, as far as it is public now. */
  readonly related_pieces: readonly {
    readonly id: string
    readonly url: string
    readonly title: string
  }[]
  readonly updated_at: string
}

/** A listing of the shop in a list. */
export interface ProductHit {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly summary: string | null
  readonly price: {
    /** A decimal number with two places. */
    readonly amount: string
    /** ISO 4217. */
    readonly currency: string
  } | null
  readonly category: string | null
  readonly seller: {
    readonly name: string
    readonly slug: string
    readonly url: string
    readonly identity_verified: boolean
  }
  readonly image_url: string | null
  readonly url: string
  /** Where it is bought: a page of the seller, not of this site. */
  readonly payment_url: string
}

/** A new draft. Members that are not named here are ignored, and named in `warnings`. */
export interface CreatePieceBody {
  /** The title. One line. */
  readonly headline: string
  /** The standfirst: a sentence or two under the title. */
  readonly sub?: string | null
  /** The text, in Markdown. Stored as sent. */
  readonly body_md: string
  readonly category?: 'building' | 'leading' | 'culture' | 'money' | 'life' | 'civic' | 'ideas' | 'society'
  readonly tags?: readonly string[]
  readonly frame?: 'lesson' | 'origin' | 'contrarian' | 'before_after'
  /** What kind of piece it is; its `kind` once public. 200 characters are kept. */
  readonly style?: string
  /** The language it is written in, as in `en` or `pt-BR`. 200 characters are kept. */
  readonly locale?: string
  /** Where it was first published, if elsewhere; readers and search engines are pointed there. */
  readonly external_url?: string | null
  /** If it is a translation: the `id` of the original, a public piece of this site that is no translation itself. If someone else wrote the original, they must agree at the desk before it can be published. */
  readonly translation_of?: string | null
  /** The picture for lists and link previews: `image` is the address of one of the writer's own, `/media/…`; `focus` what a crop keeps, in per cent. Without one a cover is drawn. */
  readonly cover?: {
    readonly image: string
    readonly alt: string
    readonly caption?: string | null
    readonly credit?: string | null
    readonly focus?: {
      readonly x: number
      readonly y: number
    }
  } | null
  /** What search results and shared links say instead of the headline and the standfirst. Shared links use `title` and `description` where they have no text of their own. */
  readonly meta?: {
    readonly title?: string | null
    readonly description?: string | null
    readonly social_title?: string | null
    readonly social_description?: string | null
  } | null
}

export interface CreatePieceResponse {
  readonly ok: true
  readonly id: string
  readonly status: 'draft'
  readonly created_at: string
  /** Where the writer reviews and publishes it. */
  readonly edit_url: string
  /** The writer's page; null until it is public. */
  readonly profile_url: string | null
  /** What was ignored, if anything was. */
  readonly warnings?: readonly {
    /** Which member, as an RFC 6901 pointer. */
    readonly pointer: string
    readonly detail: string
  }[]
}

/** One of the key owner's pieces, in whatever state. */
export interface MyPieceListItem {
  readonly id: string
  readonly headline: string
  readonly sub: string | null
  readonly category: string
  readonly status: 'draft' | 'pending' | 'approved' | 'rejected' | 'changes_requested'
  readonly locale: string
  readonly tags: readonly string[]
  readonly created_at: string
  readonly edit_url: string
}

/** One of the key owner's pieces, whole. */
export interface MyPiece {
  readonly id: string
  readonly headline: string
  readonly sub: string | null
  readonly category: string
  readonly status: 'draft' | 'pending' | 'approved' | 'rejected' | 'changes_requested'
  readonly locale: string
  readonly tags: readonly string[]
  readonly created_at: string
  readonly edit_url: string
  /** As it was sent; null unless the piece is a draft, since keys read drafts only. */
  readonly body_md: string | null
  readonly frame: string
  readonly style: string
  readonly external_url: string | null
  /** The `id` of the original; left out unless it is a translation. */
  readonly translation_of?: string
  readonly cover?: {
    /** `/media/…` */
    readonly image: string
    readonly alt: string
    readonly caption: string | null
    readonly credit: string | null
    readonly focus: {
      readonly x: number
      readonly y: number
    }
  }
  readonly meta?: {
    readonly title: string | null
    readonly description: string | null
    readonly social_title: string | null
    readonly social_description: string | null
  }
  readonly updated_at: string
}

/** Members that are left out stay as they are. */
export interface EditPieceBody {
  /** The title. One line. */
  readonly headline?: string
  /** The standfirst: a sentence or two under the title. */
  readonly sub?: string | null
  /** The text, in Markdown. Stored as sent. */
  readonly body_md?: string
  readonly category?: 'building' | 'leading' | 'culture' | 'money' | 'life' | 'civic' | 'ideas' | 'society'
  readonly tags?: readonly string[]
  readonly frame?: 'lesson' | 'origin' | 'contrarian' | 'before_after'
  /** What kind of piece it is; its `kind` once public. 200 characters are kept. */
  readonly style?: string
  /** The language it is written in, as in `en` or `pt-BR`. 200 characters are kept. */
  readonly locale?: string
  /** Where it was first published, if elsewhere; readers and search engines are pointed there. */
  readonly external_url?: string | null
  /** If it is a translation: the `id` of the original, a public piece of this site that is no translation itself. If someone else wrote the original, they must agree at the desk before it can be published. */
  readonly translation_of?: string | null
  /** The picture for lists and link previews: `image` is the address of one of the writer's own, `/media/…`; `focus` what a crop keeps, in per cent. Without one a cover is drawn. */
  readonly cover?: {
    readonly image: string
    readonly alt: string
    readonly caption?: string | null
    readonly credit?: string | null
    readonly focus?: {
      readonly x: number
      readonly y: number
    }
  } | null
  /** What search results and shared links say instead of the headline and the standfirst. Shared links use `title` and `description` where they have no text of their own. */
  readonly meta?: {
    readonly title?: string | null
    readonly description?: string | null
    readonly social_title?: string | null
    readonly social_description?: string | null
  } | null
}

export interface SearchAuthorsQuery {
  /** A topic, a part of a name, a word of the niche. Found as it stands, in any letter case; %, _ and \ are themselves. */
  readonly q: string
  /** How many at most: 1 to 50, 10 if left out. */
  readonly limit?: number
  /** The next_cursor of the page before. */
  readonly cursor?: string
}

/** Authors, verified first. */
export interface SearchAuthorsAnswer {
  readonly ok: true
  readonly query: string
  readonly count: number
  readonly results: readonly AuthorHit[]
  /** Give it as cursor for the next page; null on the last one. */
  readonly next_cursor: string | null
}

/** The author. */
export interface GetAuthorAnswer {
  readonly ok: true
  readonly author: Author
}

export interface RecentPiecesQuery {
  /** Only pieces of this category. (civic, ideas and society were added to the first five.) */
  readonly category?: 'building' | 'leading' | 'culture' | 'money' | 'life' | 'civic' | 'ideas' | 'society'
  /** Only pieces of this author, by slug. A former one finds them too. */
  readonly author?: string
  /** Only pieces in this language, as a language tag (BCP 47). Only the language itself counts: `pt` and `pt-BR` find the same. */
  readonly language?: string
  /** How many at most: 1 to 100, 20 if left out. */
  readonly limit?: number
  /** The next_cursor of the page before. */
  readonly cursor?: string
}

/** A page of pieces, newest first. */
export interface RecentPiecesAnswer {
  readonly ok: true
  readonly category: string | null
  readonly count: number
  readonly items: readonly PieceListItem[]
  /** Give it as cursor for the next page; null on the last one. */
  readonly next_cursor: string | null
}

export interface TrendingPiecesQuery {
  /** How far back reads count: 24 hours, 7 days or 30 days; 7d if left out. */
  readonly window?: '24h' | '7d' | '30d'
  /** Only pieces of this category. (civic, ideas and society were added to the first five.) */
  readonly category?: 'building' | 'leading' | 'culture' | 'money' | 'life' | 'civic' | 'ideas' | 'society'
  /** How many at most: 1 to 50, 10 if left out. */
  readonly limit?: number
  /** The next_cursor of the page before. */
  readonly cursor?: string
  /** Only pieces in this language, as a language tag (BCP 47). Only the language itself counts: `pt` and `pt-BR` find the same. */
  readonly language?: string
}

/** A page of pieces, most read first. */
export interface TrendingPiecesAnswer {
  readonly ok: true
  readonly window: '24h' | '7d' | '30d'
  readonly category: string | null
  readonly count: number
  readonly items: readonly TrendingItem[]
  /** Give it as cursor for the next page; null on the last one. */
  readonly next_cursor: string | null
}

export interface SearchPiecesQuery {
  /** A word, a part of one, or a phrase. Found as it stands, in any letter case; %, _ and \ are themselves. */
  readonly q: string
  /** Only pieces of this category. (civic, ideas and society were added to the first five.) */
  readonly category?: 'building' | 'leading' | 'culture' | 'money' | 'life' | 'civic' | 'ideas' | 'society'
  /** How many at most: 1 to 100, 20 if left out. */
  readonly limit?: number
  /** The next_cursor of the page before. */
  readonly cursor?: string
  /** Only pieces in this language, as a language tag (BCP 47). Only the language itself counts: `pt` and `pt-BR` find the same. */
  readonly language?: string
  /** exact, if left out: pieces that contain the term as it stands. words: pieces that have all its words, in any order and inflection, with or without accents, in the headline first, then in standfirst, byline and tags, then in the body; quotation marks keep a phrase together. */
  readonly mode?: 'exact' | 'words'
  /** With mode=words: only pieces of this author, by slug. */
  readonly author?: string
  /** With mode=words: only pieces with this tag. */
  readonly tag?: string
  /** With mode=words: only pieces published on this day (UTC) or later, or at this time or later. */
  readonly since?: string
  /** With mode=words: only pieces published on this day (UTC) or earlier, or before this time. */
  readonly until?: string
}

/** Matches, best site first. */
export interface SearchPiecesAnswer {
  readonly ok: true
  readonly query: string
  readonly category: string | null
  readonly count: number
  readonly results: readonly PieceHit[]
  /** Give it as cursor for the next page; null on the last one. */
  readonly next_cursor: string | null
  /** The search took too long and ended early: these are matches, in order, but there may be more. A longer term is faster. */
  readonly partial?: true
  /** With partial: what to do about it. */
  readonly advice?: string
  /** With mode=words: the query without a slip, if that finds more. */
  readonly did_you_mean?: string
  /** The query itself finds nothing; the results are those of did_you_mean. */
  readonly corrected?: true
}

/** The piece. */
export interface GetPieceAnswer {
  readonly ok: true
  readonly piece: Piece
}

export interface SearchProductsQuery {
  /** A word in the name, summary, description or category; the newest if left out. Found as it stands, in any letter case; %, _ and \ are themselves. */
  readonly q?: string
  /** Only listings of this author, by slug. */
  readonly seller?: string
  /** How many at most: 1 to 50, 10 if left out. */
  readonly limit?: number
  /** The next_cursor of the page before. */
  readonly cursor?: string
}

/** Listings, best match first. */
export interface SearchProductsAnswer {
  readonly ok: true
  readonly query: string | null
  readonly count: number
  readonly results: readonly ProductHit[]
  /** Give it as cursor for the next page; null on the last one. */
  readonly next_cursor: string | null
}

/** The listing. */
export interface GetProductAnswer {
  readonly ok: true
  readonly product: Product
}

export interface MyPiecesQuery {
  /** Only pieces in this state. */
  readonly status?: 'draft' | 'pending' | 'approved' | 'rejected' | 'changes_requested'
  /** How many at most: 1 to 50, 20 if left out. */
  readonly limit?: number
  /** The next_cursor of the page before. */
  readonly cursor?: string
}

/** A page of pieces, newest first. */
export interface MyPiecesAnswer {
  readonly ok: true
  readonly count: number
  readonly pieces: readonly MyPieceListItem[]
  /** Give it as cursor for the next page; null on the last one. */
  readonly next_cursor: string | null
}

/** The piece; its `ETag` names the revision. */
export interface MyPieceAnswer {
  readonly ok: true
  readonly piece: MyPiece
}

/** The draft as it now is. */
export interface EditPieceAnswer {
  readonly ok: true
  readonly piece: MyPiece
}

export interface ReportLeakedKeysBody {
}

/** The list was read. */
export interface ReportLeakedKeysAnswer {
  readonly ok: true
}

/** Every call there is: what it takes, and what it answers. */
export interface Calls {
  'GET /api/public/authors/search': { query: SearchAuthorsQuery; body: undefined; answer: SearchAuthorsAnswer }
  'GET /api/public/authors/{slug}': { query: undefined; body: undefined; answer: GetAuthorAnswer }
  'GET /api/public/pieces/recent': { query: RecentPiecesQuery; body: undefined; answer: RecentPiecesAnswer }
  'GET /api/public/pieces/trending': { query: TrendingPiecesQuery; body: undefined; answer: TrendingPiecesAnswer }
  'GET /api/public/pieces/search': { query: SearchPiecesQuery; body: undefined; answer: SearchPiecesAnswer }
  'GET /api/public/pieces/{id}': { query: undefined; body: undefined; answer: GetPieceAnswer }
  'GET /api/public/products/search': { query: SearchProductsQuery; body: undefined; answer: SearchProductsAnswer }
  'GET /api/public/products/{id}': { query: undefined; body: undefined; answer: GetProductAnswer }
  'POST /api/v1/pieces': { query: undefined; body: CreatePieceBody; answer: CreatePieceResponse }
  'GET /api/v1/pieces/me': { query: MyPiecesQuery; body: undefined; answer: MyPiecesAnswer }
  'GET /api/v1/pieces/{id}': { query: undefined; body: undefined; answer: MyPieceAnswer }
  'PATCH /api/v1/pieces/{id}': { query: undefined; body: EditPieceBody; answer: EditPieceAnswer }
  'DELETE /api/v1/pieces/{id}': { query: undefined; body: undefined; answer: undefined }
  'POST /api/v1/leaked-keys': { query: undefined; body: ReportLeakedKeysBody; answer: ReportLeakedKeysAnswer }
}

/** The parameters that each call takes, by name: types are not there to ask at run time. */
export const parameters: Readonly<Record<keyof Calls, readonly string[]>> = {
  'GET /api/public/authors/search': ['q', 'limit', 'cursor'],
  'GET /api/public/authors/{slug}': [],
  'GET /api/public/pieces/recent': ['category', 'author', 'language', 'limit', 'cursor'],
  'GET /api/public/pieces/trending': ['window', 'category', 'limit', 'cursor', 'language'],
  'GET /api/public/pieces/search': ['q', 'category', 'limit', 'cursor', 'language', 'mode', 'author', 'tag', 'since', 'until'],
  'GET /api/public/pieces/{id}': [],
  'GET /api/public/products/search': ['q', 'seller', 'limit', 'cursor'],
  'GET /api/public/products/{id}': [],
  'POST /api/v1/pieces': [],
  'GET /api/v1/pieces/me': ['status', 'limit', 'cursor'],
  'GET /api/v1/pieces/{id}': [],
  'PATCH /api/v1/pieces/{id}': [],
  'DELETE /api/v1/pieces/{id}': [],
  'POST /api/v1/leaked-keys': [],
}
