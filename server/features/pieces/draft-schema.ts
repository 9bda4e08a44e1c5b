import Type, { type Static } from 'typebox'
import { cursor, dateTime, limited, nextCursor, nullable, uri } from '#platform/common-schemas.ts'
import { longest, mostTags } from './limits.ts'
import { type Category, categories, exampleDraft, exampleMine } from './schema.ts'

/** Wire shapes of the write API: what an API key may send and read. */

const frames = ['lesson', 'origin', 'contrarian', 'before_after'] as const
type Frame = (typeof frames)[number]

export const statuses = ['draft', 'pending', 'approved', 'rejected', 'changes_requested'] as const
export type Status = (typeof statuses)[number]

/** The specification names none for style and locale: any value is accepted, and this many characters are stored. */
export const longestWord = 200

const line = { 'x-printable': true } as const
const uuid = Type.String({ format: 'uuid' })

const headline = Type.String({
  maxLength: longest.headline,
  'x-visible': true,
  ...line,
  description: 'The title. One line.',
})
const sub = nullable(
  Type.String({ maxLength: longest.sub, ...line, description: 'The standfirst: a sentence or two under the title.' }),
)
const body_md = Type.String({
  maxLength: longest.body,
  'x-visible': true,
  'x-printable': true,
  description: 'The text, in Markdown. Stored as sent.',
})
const category = Type.Unsafe<Category>({ type: 'string', enum: [...categories], default: 'building' })
const tags = Type.Array(Type.String({ maxLength: longest.tag, ...line }), { maxItems: mostTags })
const frame = Type.Unsafe<Frame>({ type: 'string', enum: [...frames], default: 'lesson' })
const style = Type.String({
  ...line,
  default: 'essay',
  description: `What kind of piece it is; its \`kind\` once public. ${longestWord} characters are kept.`,
})
const locale = Type.String({
  ...line,
  default: 'en',
  description: `The language it is written in, as in \`en\` or \`pt-BR\`. ${longestWord} characters are kept.`,
})
const external_url = nullable(
  Type.String({
    format: 'uri',
    'x-web-address': true,
    description: 'Where it was first published, if elsewhere; readers and search engines are pointed there.',
  }),
)

const translation_of = nullable(
  Type.String({
    maxLength: 2048,
    pattern: '^\\s*(\\S+/p/)?[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\\s*$',
    description:
      'If it is a translation: the `id` of the original, a public piece of this site that is no translation itself. If someone else wrote the original, they must agree at the desk before it can be published.',
  }),
)

const percent = Type.Number({ minimum: 0, maximum: 100 })
const Focus = Type.Object({ x: percent, y: percent })

/** Lines of it are cleaned like others, but not refused: tools would have to name the rules of each. */
const Cover = Type.Object(
  {
    image: Type.String({ maxLength: 2048, pattern: '^\\s*(\\S*/media/)?[0-9a-f]{64}\\s*$' }),
    alt: Type.String({ maxLength: longest.alt }),
    caption: Type.Optional(nullable(Type.String({ maxLength: longest.caption }))),
    credit: Type.Optional(nullable(Type.String({ maxLength: longest.credit }))),
    focus: Type.Optional(Focus),
  },
  {
    description:
      "The picture for lists and link previews: `image` is the address of one of the writer's own, `/media/…`; `focus` what a crop keeps, in per cent. Without one a cover is drawn.",
  },
)

const metaTitle = Type.Optional(nullable(Type.String({ maxLength: longest.metaTitle, ...line })))
const metaDescription = Type.Optional(nullable(Type.String({ maxLength: longest.metaDescription, ...line })))

const Meta = Type.Object(
  {
    title: metaTitle,
    description: metaDescription,
    social_title: metaTitle,
    social_description: metaDescription,
  },
  {
    description:
      'What search results and shared links say instead of the headline and the standfirst. Shared links use `title` and `description` where they have no text of their own.',
  },
)

/** What a draft may have besides headline and body. */
const optionalMembers = {
  category: Type.Optional(category),
  tags: Type.Optional(tags),
  frame: Type.Optional(frame),
  style: Type.Optional(style),
  locale: Type.Optional(locale),
  external_url: Type.Optional(external_url),
  translation_of: Type.Optional(translation_of),
  cover: Type.Optional(nullable(Cover)),
  meta: Type.Optional(nullable(Meta)),
}

/** The cover of a draft as its writer reads it. */
export const DraftCover = Type.Object({
  image: Type.String({ description: '`/media/…`' }),
  alt: Type.String(),
  caption: nullable(Type.String()),
  credit: nullable(Type.String()),
  focus: Focus,
})
export type DraftCover = Static<typeof DraftCover>

/** The texts of a draft for search engines and shared links; null where its writer has written none. */
export const DraftMeta = Type.Object({
  title: nullable(Type.String()),
  description: nullable(Type.String()),
  social_title: nullable(Type.String()),
  social_description: nullable(Type.String()),
})
export type DraftMeta = Static<typeof DraftMeta>

export const CreatePieceBody = Type.Object(
  { headline, sub: Type.Optional(sub), body_md, ...optionalMembers },
  {
    $id: 'CreatePieceBody',
    description: 'A new draft. Members that are not named here are ignored, and named in `warnings`.',
    examples: [exampleDraft],
  },
)
export type CreatePieceBody = Static<typeof CreatePieceBody>

const Warning = Type.Object({
  pointer: Type.String({ description: 'Which member, as an RFC 6901 pointer.' }),
  detail: Type.String(),
})
export type Warning = Static<typeof Warning>

const ok = Type.Literal(true)

export const CreatePieceResponse = Type.Object(
  {
    ok,
    id: uuid,
    status: Type.Literal('draft'),
    created_at: dateTime,
    edit_url: Type.String({ format: 'uri', description: 'Where the writer reviews and publishes it.' }),
    profile_url: nullable(Type.String({ format: 'uri', description: "The writer's page; null until it is public." })),
    warnings: Type.Optional(Type.Array(Warning, { description: 'What was ignored, if anything was.' })),
  },
  { $id: 'CreatePieceResponse' },
)
export type CreatePieceResponse = Static<typeof CreatePieceResponse>

const mine = {
  id: uuid,
  headline: Type.String(),
  sub: nullable(Type.String()),
  category: Type.String(),
  status: Type.Unsafe<Status>({ type: 'string', enum: [...statuses] }),
  locale: Type.String(),
  tags: Type.Array(Type.String()),
  created_at: dateTime,
  edit_url: uri,
}

export const MyPieceListItem = Type.Object(mine, {
  $id: 'MyPieceListItem',
  description: "One of the key owner's pieces, in whatever state.",
  examples: [exampleMine],
})
export type MyPieceListItem = Static<typeof MyPieceListItem>

export const myListLimits = { minimum: 1, maximum: 50, default: 20 } as const

export const MyPieces = Type.Object({
  status: Type.Optional(
    Type.Unsafe<Status>({ type: 'string', enum: [...statuses], description: 'Only pieces in this state.' }),
  ),
  limit: limited(myListLimits),
  cursor,
})
export type MyPieces = Static<typeof MyPieces>

export const MyPieceList = Type.Object({
  ok,
  count: Type.Integer(),
  pieces: Type.Array(Type.Ref('MyPieceListItem')),
  next_cursor: nextCursor,
})
export type MyPieceList = { ok: true; count: number; pieces: MyPieceListItem[]; next_cursor: string | null }

export const MyPiece = Type.Object(
  {
    ...mine,
    body_md: nullable(
      Type.String({ description: 'As it was sent; null unless the piece is a draft, since keys read drafts only.' }),
    ),
    frame: Type.String(),
    style: Type.String(),
    external_url: nullable(uri),
    translation_of: Type.Optional(
      Type.String({ format: 'uri', description: 'The `id` of the original; left out unless it is a translation.' }),
    ),
    cover: Type.Optional(DraftCover),
    meta: Type.Optional(DraftMeta),
    updated_at: dateTime,
  },
  { $id: 'MyPiece', description: "One of the key owner's pieces, whole." },
)
export type MyPiece = Static<typeof MyPiece>

export const MyPieceFound = Type.Object({ ok, piece: Type.Ref('MyPiece') })
export type MyPieceFound = { ok: true; piece: MyPiece }

export const EditPieceBody = Type.Object(
  {
    headline: Type.Optional(headline),
    sub: Type.Optional(sub),
    body_md: Type.Optional(body_md),
    ...optionalMembers,
  },
  { $id: 'EditPieceBody', description: 'Members that are left out stay as they are.' },
)
export type EditPieceBody = Static<typeof EditPieceBody>

/** At the desk: a frame that was chosen can be none again. In the API it has always one. */
export const DeskEditBody = Type.Object({
  ...EditPieceBody.properties,
  frame: Type.Optional(Type.Unsafe<Frame | null>({ type: ['string', 'null'], enum: [...frames, null] })),
})
export type DeskEditBody = Static<typeof DeskEditBody>
