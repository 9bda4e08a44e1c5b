import Type, { type Static } from 'typebox'
import { exampleAuthor } from '#features/authors/schema.ts'
import { nullable, ok, uri } from '#platform/common-schemas.ts'
import { exampleId, examplePiece } from '../schema.ts'

const exampleReceipt = {
  version: 1,
  number: 1,
  previous: null,
  piece: exampleId,
  author: { id: 'e3f9a1d2-6c1b-4a57-9d5e-0b7a4c2f8e16', slug: exampleAuthor.slug },
  act: 'publish',
  by: 'person',
  role: 'writer',
  proof: { method: 'passkey', seconds: 7, of_this_revision: true },
  revision: 3,
  revisions_by_key: [1],
  first_published: examplePiece.date_published,
  published: examplePiece.date_modified,
  content: '9f2c5b8e0d6a47315c8e9f2c5b8e0d6a47315c8e9f2c5b8e0d6a47315c8e9f2c',
} as const

const hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })

const oneOf = <Word extends string>(words: readonly Word[], description: string) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words], description })

export const Receipt = Type.Object(
  {
    version: Type.Literal(1),
    number: Type.Integer({ description: 'How many receipts this piece has had, with this one.' }),
    previous: nullable(hash('SHA-256 of the canonical form of the receipt before; null for the first.')),
    piece: Type.String({ format: 'uuid', description: "The piece's UUID." }),
    author: Type.Object({
      id: Type.String({ format: 'uuid' }),
      slug: Type.String({ description: "The writer's address on that day." }),
    }),
    co_authors: Type.Optional(
      Type.Array(Type.Object({ id: Type.String({ format: 'uuid' }), slug: Type.String() }), {
        description: 'Only for a piece with co-authors: those who had agreed, in the order of the byline.',
      }),
    ),
    act: oneOf(['publish', 'update', 'approve'], 'What made this edition public.'),
    by: Type.Literal('person', { description: 'Nothing but a person signed in at the desk can publish.' }),
    role: oneOf(['writer', 'moderator'], 'The piece’s own writer, or a moderator who approved it.'),
    proof: nullable(
      Type.Object(
        {
          method: oneOf(['password', 'passkey', 'recovery_code'], 'How that person last showed who they are.'),
          seconds: Type.Integer({ description: 'How long before.' }),
          of_this_revision: nullable(
            Type.Boolean({
              description:
                'Whether the passkey was shown for exactly this revision, and for nothing else; null in receipts from before it was kept.',
            }),
          ),
        },
        { description: 'Null in receipts from before it was kept.' },
      ),
    ),
    revision: Type.Integer({ description: 'Which saved revision became public; they are counted from 1.' }),
    revisions_by_key: Type.Array(Type.Integer(), {
      description: 'Which revisions up to this one a program saved with a key. A person saved the others.',
    }),
    first_published: Type.String({
      format: 'date-time',
      description: 'The `date_published` of the piece. Of an imported one it is the date that its writer states.',
    }),
    published: Type.String({ format: 'date-time', description: 'When this edition became public.' }),
    content: hash('SHA-256 of the canonical form of what readers get.'),
    scheduled: Type.Optional(
      Type.Object(
        {
          consented: Type.String({ format: 'date-time', description: 'When that person consented to this revision.' }),
          for: Type.String({ format: 'date-time', description: 'The time they chose.' }),
        },
        {
          description: 'Only for a publication that its writer scheduled; `proof` is then of the time of the consent.',
        },
      ),
    ),
    imported: Type.Optional(
      Type.Object(
        {
          service: Type.String({ description: 'Where the export came from.' }),
          original: Type.String({
            format: 'date-time',
            description: 'The date of the export, which its writer states; `first_published` is the same.',
          }),
          here: Type.String({ format: 'date-time', description: 'When it first became public on this site.' }),
        },
        { description: 'Only for a piece that was imported and published with the date it had elsewhere.' },
      ),
    ),
    translation_of: Type.Optional(
      Type.Object(
        {
          piece: Type.String({ format: 'uuid', description: 'The UUID of the original.' }),
          content: nullable(hash('The `content` of the receipt that the original had then; null if it had none.')),
        },
        { description: 'Only for a translation whose author, and that of the original, agreed to it.' },
      ),
    ),
  },
  {
    $id: 'Receipt',
    description: 'What the site vouches for when a piece becomes public.',
    examples: [exampleReceipt],
  },
)
export type Receipt = Static<typeof Receipt>

export const Signature = Type.Object({
  algorithm: Type.Literal('Ed25519'),
  key: Type.String({ description: 'The `kid` of the key in `keys_url`.' }),
  value: Type.String({ description: 'Of the canonical form (RFC 8785) of `receipt`, in base64url.' }),
})

export const ReceiptFound = Type.Object({
  ok,
  receipt: Type.Ref('Receipt'),
  signature: Signature,
  piece_url: Type.String({ format: 'uri', description: 'The piece that `receipt.content` is the hash of.' }),
  keys_url: uri,
})
export interface ReceiptFound {
  ok: true
  receipt: Receipt
  signature: Static<typeof Signature>
  piece_url: string
  keys_url: string
}

/** A JSON Web Key Set (RFC 7517). */
export const ReceiptKeys = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.Literal('OKP'),
      crv: Type.Literal('Ed25519'),
      alg: Type.Literal('EdDSA'),
      use: Type.Literal('sig'),
      kid: Type.String({ description: 'The thumbprint of the key, by RFC 7638.' }),
      x: Type.String({ description: 'The public key, in base64url.' }),
      since: Type.String({ format: 'date-time', description: 'When the site first signed with it.' }),
    }),
  ),
})
export type ReceiptKeys = Static<typeof ReceiptKeys>
