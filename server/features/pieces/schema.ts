import Type, { type Static, type TSchema } from 'typebox'
import { policy } from '#config/policy.ts'
import { cursor, dateTime, limited, nextCursor, nullable, ok, searchTerm, uri } from '#platform/common-schemas.ts'

/** Examples for the API reference. A test checks each against its schema. */

export const exampleId = '5f0c8f6e-3f5b-4b59-9d0a-0b7f3c1e2a44'

const base = 'https://standfirst.example'
const byline = { name: 'Ada Okafor', slug: 'ada-okafor', url: `${base}/author/ada-okafor`, identity_verified: true }

export const exampleListItem = {
  id: `${base}/p/${exampleId}`,
  url: `${base}/author/ada-okafor/the-case-for-slow-tea`,
  title: 'The case for slow tea',
  summary: 'Four minutes is not long. It is long enough to notice what the day is made of.',
  language: 'en',
  date_published: '2026-11-02T08:30:00.000Z',
  category: 'life',
  tags: ['tea', 'attention'],
  authors: [byline],
}

export const examplePiece = {
  ...exampleListItem,
  content_html: '<p>The kettle is the only clock in my kitchen that tells the truth.</p>\n',
  content_text: 'The kettle is the only clock in my kitchen that tells the truth.',
  date_modified: '2026-11-02T08:30:00.000Z',
  kind: 'essay',
  authors: [{ ...byline, avatar: null }],
}

const exampleHit = {
  ...exampleListItem,
  snippet: '…the only clock in my kitchen that tells the truth…',
  match_site: 'body',
}

export const exampleDraft = {
  headline: 'The case for slow tea',
  sub: 'Four minutes is not long.',
  body_md: 'The kettle is the only clock in my kitchen that tells the truth.\n',
  category: 'life',
  tags: ['tea', 'attention'],
}

export const exampleMine = {
  id: exampleId,
  headline: exampleDraft.headline,
  sub: exampleDraft.sub,
  category: 'life',
  status: 'draft',
  locale: 'en',
  tags: exampleDraft.tags,
  created_at: '2026-11-02T08:00:00.000Z',
  edit_url: `${base}/desk/edit/pieces/${exampleId}`,
}

export const categories = ['building', 'leading', 'culture', 'money', 'life', 'civic', 'ideas', 'society'] as const
export type Category = (typeof categories)[number]

const text = Type.String()

const language = Type.String({
  description: 'The language of the piece, as a language tag (BCP 47); `und` if unknown.',
})

const Byline = Type.Object({ name: text, slug: text, url: uri, identity_verified: Type.Boolean() })
const BylineWithAvatar = Type.Object({
  name: text,
  slug: text,
  url: uri,
  avatar: nullable(uri),
  identity_verified: Type.Boolean(),
})

const bylines = <One extends TSchema>(one: One) =>
  Type.Array(one, {
    maxItems: 1 + policy.co_authors_per_piece,
    description: 'Its writer first, then the co-authors who agreed to be named.',
  })

const Cover = Type.Object({
  url: uri,
  width: Type.Integer(),
  height: Type.Integer(),
  alt: Type.String({ description: 'What it shows; empty if it is only decoration.' }),
  caption: nullable(text),
  credit: nullable(text),
  focus: Type.Object(
    { x: Type.Number(), y: Type.Number() },
    { description: 'What must stay visible where it is cropped: per cent from the left and from the top.' },
  ),
})
export type Cover = Static<typeof Cover>

const image = Type.Optional(Type.String({ format: 'uri', description: 'The picture of its cover, if it has one.' }))

const Translation = Type.Object({
  id: uri,
  url: uri,
  title: text,
  language,
  is_original: Type.Boolean({ description: 'Whether the others are translations of this one.' }),
  authors: Type.Array(Type.Object({ name: text, slug: text, url: uri })),
})
export type Translation = Static<typeof Translation>

const PlaceInSeries = Type.Object(
  {
    title: text,
    url: uri,
    position: Type.Integer({ description: 'From 1, among the public pieces of the series.' }),
    count: Type.Integer({ description: 'How many of its pieces are public.' }),
  },
  { description: 'The series that this piece is part of. Left out if there is none, and in feeds.' },
)

export const Piece = Type.Object(
  {
    id: Type.String({ format: 'uri', description: 'Permanent: it outlives every change of address.' }),
    url: uri,
    external_url: Type.Optional(
      Type.String({ format: 'uri', description: 'Where it was first published, if elsewhere.' }),
    ),
    title: text,
    summary: text,
    language,
    content_html: nullable(text),
    content_text: text,
    date_published: dateTime,
    date_modified: dateTime,
    tags: Type.Array(text),
    category: nullable(text),
    kind: text,
    image,
    cover: Type.Optional(Cover),
    authors: bylines(BylineWithAvatar),
    translations: Type.Optional(
      Type.Array(Translation, {
        description:
          'The same piece in other languages: the original first, if this is a translation, and every translation. Left out if there are none, and in feeds.',
      }),
    ),
    series: Type.Optional(PlaceInSeries),
  },
  { $id: 'Piece', description: 'A public piece, in the shape of a JSON Feed 1.1 item.', examples: [examplePiece] },
)
export type Piece = Static<typeof Piece>

const listed = {
  id: uri,
  url: uri,
  title: text,
  summary: text,
  language,
  date_published: dateTime,
  category: nullable(text),
  tags: Type.Array(text),
  image,
  authors: bylines(Byline),
}

export const PieceListItem = Type.Object(listed, {
  $id: 'PieceListItem',
  description: 'A public piece in a list.',
  examples: [exampleListItem],
})
export type PieceListItem = Omit<Static<typeof PieceListItem>, 'authors'> & ForPages

/** What our own pages show in lists besides; the schema drops it from responses. */
interface ForPages {
  readonly cover?: Cover
  readonly authors: Static<typeof BylineWithAvatar>[]
}

export const matchSites = ['headline', 'standfirst', 'body'] as const
export type MatchSite = (typeof matchSites)[number]

export const PieceHit = Type.Object(
  {
    ...listed,
    snippet: nullable(Type.String({ description: 'The words around the match; null unless it is in the body.' })),
    match_site: Type.Unsafe<MatchSite>({ type: 'string', enum: [...matchSites] }),
    is_part: Type.Optional(
      Type.Literal(true, { description: 'With mode=words: the last word is only part of another one here.' }),
    ),
  },
  { $id: 'PieceHit', description: 'A public piece found by a search.', examples: [exampleHit] },
)
export type PieceHit = Omit<Static<typeof PieceHit>, 'authors'> & ForPages

export const OnePiece = Type.Object({
  id: Type.String({ description: "The piece's UUID.", examples: [exampleId] }),
})
export type OnePiece = Static<typeof OnePiece>

export const PieceFound = Type.Object({ ok, piece: Type.Ref('Piece') })
export type PieceFound = { ok: true; piece: Piece }

/** The specification names five for reading; civic, ideas and society are added so that every category can be listed. */
export const category = Type.Optional(
  Type.Unsafe<Category>({
    type: 'string',
    enum: [...categories],
    description: 'Only pieces of this category. (civic, ideas and society were added to the first five.)',
  }),
)

/** Of REST only, like `author`: the arguments of the MCP tools are fixed by the specification. */
export const languageFilter = Type.Optional(
  Type.String({
    maxLength: 100,
    'x-language-tag': true,
    description:
      'Only pieces in this language, as a language tag (BCP 47). Only the language itself counts: `pt` and `pt-BR` find the same.',
    examples: ['de'],
  }),
)

/** A day, or a time in UTC. */
const dayOrTime = '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z)?$'

export const pieceListLimits = { minimum: 1, maximum: 100, default: 20 } as const

export const RecentPieces = Type.Object({ category, limit: limited(pieceListLimits), cursor })
export type RecentPieces = Static<typeof RecentPieces>

export const RecentPiecesOf = Type.Object({
  category,
  author: Type.Optional(
    Type.String({ description: 'Only pieces of this author, by slug. A former one finds them too.' }),
  ),
  language: languageFilter,
  limit: limited(pieceListLimits),
  cursor,
})

export const PieceList = Type.Object({
  ok,
  category: nullable(text),
  count: Type.Integer(),
  items: Type.Array(Type.Ref('PieceListItem')),
  next_cursor: nextCursor,
})
export type PieceList = {
  ok: true
  category: string | null
  count: number
  items: PieceListItem[]
  next_cursor: string | null
}

export const SearchPieces = Type.Object({
  q: searchTerm('A word, a part of one, or a phrase.', 'slow tea'),
  category,
  limit: limited(pieceListLimits),
  cursor,
})
export type SearchPieces = Static<typeof SearchPieces>

export const searchModes = ['exact', 'words'] as const

const day = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, pattern: dayOrTime, description, examples: ['2026-11-02'] }))

/** Filters that only a search by words has. */
export const wordsFilters = {
  author: Type.Optional(Type.String({ description: 'With mode=words: only pieces of this author, by slug.' })),
  tag: Type.Optional(Type.String({ maxLength: 100, description: 'With mode=words: only pieces with this tag.' })),
  since: day('With mode=words: only pieces published on this day (UTC) or later, or at this time or later.'),
  until: day('With mode=words: only pieces published on this day (UTC) or earlier, or before this time.'),
}

export const SearchPiecesIn = Type.Object({
  ...SearchPieces.properties,
  language: languageFilter,
  mode: Type.Optional(
    Type.Unsafe<(typeof searchModes)[number]>({
      type: 'string',
      enum: [...searchModes],
      description:
        'exact, if left out: pieces that contain the term as it stands. words: pieces that have all its words, in any order and inflection, with or without accents, in the headline first, then in standfirst, byline and tags, then in the body; quotation marks keep a phrase together.',
    }),
  ),
  ...wordsFilters,
})
export type SearchPiecesIn = Static<typeof SearchPiecesIn>

export const PieceHits = Type.Object({
  ok,
  query: text,
  category: nullable(text),
  count: Type.Integer(),
  results: Type.Array(Type.Ref('PieceHit')),
  next_cursor: nextCursor,
  partial: Type.Optional(
    Type.Literal(true, {
      description:
        'The search took too long and ended early: these are matches, in order, but there may be more. A longer term is faster.',
    }),
  ),
  advice: Type.Optional(Type.String({ description: 'With partial: what to do about it.' })),
  did_you_mean: Type.Optional(
    Type.String({ description: 'With mode=words: the query without a slip, if that finds more.' }),
  ),
  corrected: Type.Optional(
    Type.Literal(true, { description: 'The query itself finds nothing; the results are those of did_you_mean.' }),
  ),
})
export type PieceHits = {
  ok: true
  query: string
  category: string | null
  count: number
  results: PieceHit[]
  next_cursor: string | null
  partial?: true
  advice?: string
  did_you_mean?: string
  corrected?: true
}
