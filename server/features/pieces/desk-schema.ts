import Type, { type Static } from 'typebox'
import { type ScheduleProblem, scheduleProblems } from '#features/schedule-problems.ts'
import { cursor, dateTime, limited, nextCursor, nullable, ok, searchTerm, uri } from '#platform/common-schemas.ts'
import { DraftCover, DraftMeta, type Status, statuses } from './draft-schema.ts'
import { type Act, acts } from './states.ts'

/** Wire shapes of the desk API for a writer's own pieces, trash and preview links. */

const text = Type.String()
const status = Type.Unsafe<Status>({ type: 'string', enum: [...statuses] })
const act = Type.Unsafe<Act>({ type: 'string', enum: [...acts] })

const Schedule = Type.Object({
  /** When it is to be published. */
  at: dateTime,
  consented_at: dateTime,
  /** Why it will not be; null while it will. */
  problem: nullable(Type.Unsafe<ScheduleProblem>({ type: 'string', enum: [...scheduleProblems] })),
})
export type Schedule = Static<typeof Schedule>

const common = {
  id: text,
  headline: text,
  sub: nullable(text),
  category: text,
  /** False while it has only the default of the API. */
  is_category_chosen: Type.Boolean(),
  tags: Type.Array(text),
  status,
  revision: Type.Integer(),
  created_at: dateTime,
  updated_at: dateTime,
  /** For the first time; null if it was never public. */
  published_at: nullable(dateTime),
  /** The public URL; null unless it is public. */
  url: nullable(uri),
  /** A public piece with saved changes that are not public yet. */
  has_unpublished_changes: Type.Boolean(),
  /** Waits for changes or is rejected because a moderator took it down, not because it was reviewed. */
  is_taken_down: Type.Boolean(),
  schedule: nullable(Schedule),
  /** The name of the API key that created it; null if a person did. */
  key: nullable(text),
  /** Words of the Markdown source, including Markdown marks between spaces. */
  words: Type.Integer(),
}

export const DeskListItem = Type.Object({
  ...common,
  /** The first characters of the Markdown source. */
  opening: text,
  /** All that were counted; null if it was never public. */
  reads: nullable(Type.Integer()),
})
export type DeskListItem = Static<typeof DeskListItem>

export const deskListLimits = { minimum: 1, maximum: 100, default: 50 } as const

/** The last changed, published or most read first; headlines from A to Z. */
const deskOrders = ['changed', 'published', 'reads', 'headline'] as const
export type DeskOrder = (typeof deskOrders)[number]

/** A cursor that may contain a headline. */
const longestDeskCursor = 2000

export const DeskList = Type.Object({
  q: Type.Optional(searchTerm('A part of the headline, the standfirst or the text.', 'tea')),
  status: Type.Optional(status),
  /** Only scheduled pieces, in the order of their times. */
  scheduled: Type.Optional(Type.Literal('true')),
  /** Created by a key, or by the writer. */
  by: Type.Optional(Type.Unsafe<'key' | 'me'>({ type: 'string', enum: ['key', 'me'] })),
  sort: Type.Optional(Type.Unsafe<DeskOrder>({ type: 'string', enum: [...deskOrders] })),
  limit: limited(deskListLimits),
  cursor: Type.Optional(Type.String({ maxLength: longestDeskCursor, pattern: '^[A-Za-z0-9_-]+$' })),
})
export type DeskList = Static<typeof DeskList>

export const TagSuggestionsQuery = Type.Object({ q: searchTerm('A part of a tag.', 'tea') })
export const TagSuggestions = Type.Object({ ok, tags: Type.Array(text) })
export type TagSuggestions = Static<typeof TagSuggestions>

/** The id that the client chose for a new piece. */
export const ChosenId = Type.Object({
  id: Type.Optional(Type.String({ pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' })),
})

export const DeskPage = Type.Object({
  ok,
  count: Type.Integer(),
  pieces: Type.Array(DeskListItem),
  next_cursor: nextCursor,
})
export type DeskPage = Static<typeof DeskPage>

const countOf = Object.fromEntries(statuses.map((one) => [one, Type.Integer()])) as Record<Status, Type.TInteger>

export const DeskCounts = Type.Object({
  ok,
  counts: Type.Object(countOf),
  /** Of these, drafts that are scheduled, or were until they were changed. */
  scheduled: Type.Integer(),
  /** Of these, drafts that were imported and have never been public. */
  imported: Type.Integer(),
})
export type DeskCounts = Static<typeof DeskCounts>

/** The original of a translation. Only `id` and `consent` are known once it is no longer public. */
const Original = Type.Object({
  id: text,
  title: nullable(text),
  url: nullable(uri),
  language: nullable(text),
  author: nullable(text),
  /** Whether its author has agreed; `own` if the writer wrote both. */
  consent: Type.Unsafe<'own' | 'not_asked' | 'asked' | 'agreed' | 'declined'>({
    type: 'string',
    enum: ['own', 'not_asked', 'asked', 'agreed', 'declined'],
  }),
})
export type Original = Static<typeof Original>

export const OriginalFound = Type.Object({ ok, original: Original })
export type OriginalFound = Static<typeof OriginalFound>
export const FindOriginal = Type.Object({ url: Type.String({ minLength: 1, maxLength: 2048 }) })

/** What a writer is asked about: another writer's draft. */
export const requestedDraft = {
  id: text,
  headline: text,
  sub: nullable(text),
  language: text,
  revision: Type.Integer(),
  is_public: Type.Boolean(),
}
const RequestedDraft = Type.Object(requestedDraft)
export type RequestedDraft = Static<typeof RequestedDraft>

/** Translations of a writer's pieces that others ask to publish, or have published. */
export const TranslationList = Type.Object({
  ok,
  count: Type.Integer(),
  /** How many wait for an answer; they come first. */
  waiting: Type.Integer(),
  translations: Type.Array(
    Type.Object({
      ...requestedDraft,
      translator: Type.Object({ slug: text, name: text }),
      original: Type.Object({ id: text, headline: text }),
      asked_at: dateTime,
      answer: nullable(Type.Unsafe<'agreed' | 'declined'>({ type: 'string', enum: ['agreed', 'declined'] })),
    }),
  ),
})
export type TranslationList = Static<typeof TranslationList>

export const TranslationAnswer = Type.Object({ original: Type.String({ format: 'uuid' }), agreed: Type.Boolean() })
export type TranslationAnswer = Static<typeof TranslationAnswer>
/** Of a draft that a writer is asked about. */
export const DraftRevision = Type.Object({ revision: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) })
export const DraftPage = Type.Object({ ok, page: text })
export type DraftPage = Static<typeof DraftPage>

export const DeskPiece = Type.Object({
  ...common,
  body_md: text,
  frame: text,
  /** False while it has only the default of the API. */
  is_frame_chosen: Type.Boolean(),
  style: text,
  locale: text,
  external_url: nullable(uri),
  cover: nullable(DraftCover),
  /** What search results and shared links say instead of headline and standfirst. */
  meta: nullable(DraftMeta),
  /** The address of the cover that readers see if it has none. */
  drawn_cover: uri,
  translation_of: nullable(Original),
  /** Because of its history, or because the site reviews everything. */
  review_required: Type.Boolean(),
  /** What the requesting user may do with it now. */
  acts: Type.Array(act),
  /** The moderator's last note, while the piece waits for changes or is rejected. */
  note: nullable(text),
  /** The last revision saved by an API key; `key` is null if the key is deleted. */
  by_key: nullable(Type.Object({ revision: Type.Integer(), key: nullable(text) })),
})
export type DeskPiece = Static<typeof DeskPiece>

export const DeskPieceFound = Type.Object({ ok, piece: DeskPiece })
export type DeskPieceFound = Static<typeof DeskPieceFound>

export const Preview = Type.Object({
  ok,
  revision: Type.Integer(),
  html: text,
  summary: text,
  /** The last part of the address it has, or would have if it were published now; null without a headline. */
  slug: nullable(text),
  /** Valid once, for ten minutes, to publish, update or submit exactly this revision. */
  nonce: text,
  /** URL of its whole page, for an iframe in the desk; valid for ten minutes. */
  page: text,
  /** What search results and shared links say of it where its writer has not written anything for them. */
  meta: Type.Object({ title: text, description: text }),
  /** URL of the picture that shared links would show; valid as long. */
  link_picture: text,
})
export type Preview = Static<typeof Preview>

/** Null leaves it to the headline. */
export const ChosenSlug = Type.Object({ slug: nullable(Type.String({ maxLength: 200 })) })

export const PieceSlug = Type.Object({
  ok,
  slug: nullable(text),
  /** What was asked for, as an address has it. Another piece of the writer is there if `slug` differs. */
  asked: nullable(text),
})
export type PieceSlug = Static<typeof PieceSlug>

/** The format of `secretToken`. */
const nonce = Type.String({ maxLength: 43, pattern: '^[\\w-]{43}$' })
export const WithNonce = Type.Object({ nonce })

export const ScheduleBody = Type.Object({ nonce, at: Type.String({ format: 'date-time', maxLength: 35 }) })
export type ScheduleBody = Static<typeof ScheduleBody>

/** Who did it; `key` is null if the key is deleted. */
const Actor = Type.Object({
  kind: Type.Unsafe<'person' | 'key'>({ enum: ['person', 'key'] }),
  key: nullable(text),
})

const HistoryEntry = Type.Object({
  at: dateTime,
  act: text,
  by: Actor,
  revision: Type.Integer(),
  from: status,
  to: status,
  note: nullable(text),
})

const Revision = Type.Object({
  revision: Type.Integer(),
  saved_at: dateTime,
  headline: text,
  by: Actor,
  /** Given by its writer. */
  name: nullable(text),
})

/** As in app.revision_names. */
const longestRevisionName = 80
export const RevisionName = Type.Object({
  name: nullable(Type.String({ minLength: 1, maxLength: longestRevisionName, pattern: '\\S' })),
})

export const History = Type.Object({ ok, deeds: Type.Array(HistoryEntry), revisions: Type.Array(Revision) })
export type History = Static<typeof History>

export const OneRevision = Type.Object({ id: text, revision: Type.String({ pattern: '^[1-9][0-9]{0,8}$' }) })

export const RevisionFound = Type.Object({
  ok,
  revision: Type.Intersect([
    Revision,
    Type.Object({ sub: nullable(text), body_md: text, category: text, tags: Type.Array(text) }),
  ]),
})
export type RevisionFound = Static<typeof RevisionFound>

export const TrashList = Type.Object({ limit: limited(deskListLimits), cursor })
export type TrashList = Static<typeof TrashList>

const TrashItem = Type.Object({
  id: text,
  headline: text,
  sub: nullable(text),
  /** The first characters of the Markdown source. */
  opening: text,
  deleted_at: dateTime,
  deleted_by: Actor,
  /** When it will be deleted permanently. */
  gone_at: dateTime,
})
export type TrashItem = Static<typeof TrashItem>

export const TrashPage = Type.Object({
  ok,
  count: Type.Integer(),
  pieces: Type.Array(TrashItem),
  next_cursor: nextCursor,
})
export type TrashPage = Static<typeof TrashPage>

/** Preview links: private links to a piece that is not public. */

const id = Type.String({ format: 'uuid' })

export const NewLink = Type.Object({ days: Type.Unsafe<1 | 7 | 30>({ type: 'integer', enum: [1, 7, 30] }) })
export type NewLink = Static<typeof NewLink>

export const LinkMade = Type.Object({
  ok,
  /** The URL is returned only here. */
  link: Type.Object({ id, url: uri, expires_at: dateTime }),
})
export type LinkMade = Static<typeof LinkMade>

export const Links = Type.Object({
  ok,
  count: Type.Integer(),
  links: Type.Array(Type.Object({ id, created_at: dateTime, expires_at: dateTime, last_seen_at: nullable(dateTime) })),
})
export type Links = Static<typeof Links>

export const OneLink = Type.Object({ id: Type.String(), link: Type.String() })
export const OnePreview = Type.Object({ token: Type.String() })
/** `own`: no images from other servers, for moderators. `sent`: after a comment was sent from its form. */
export const PreviewPictures = Type.Object({
  pictures: Type.Optional(Type.Literal('own')),
  sent: Type.Optional(Type.Literal('yes')),
})
export const OnePreviewMedium = Type.Object({ token: Type.String(), hash: Type.String() })
