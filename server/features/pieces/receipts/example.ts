import { exampleAuthor } from '#features/authors/examples.ts'
import { exampleId, examplePiece } from '../examples.ts'

export const exampleReceipt = {
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
