import type { ReadContext } from '#features/context.ts'
import type { Urls } from '#features/urls.ts'
import { message } from '#messages/message.ts'
import { canonicalJson, hashOf, type Signer } from '#platform/crypto.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Transaction } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { notFound } from '#platform/errors.ts'
import { publishedPiece } from '../public-lists.ts'
import type { OnePiece, Piece } from '../schema.ts'
import { contentHash } from './check.ts'
import type { Receipt, ReceiptFound, ReceiptKeys } from './schema.ts'

/**
 * Signs the receipt of a publication in its transaction. A trigger has already written all of it except the content hash, and
 * a deferred constraint refuses to commit without a signature.
 */
export async function signReceipt(tx: Transaction, signer: Signer, id: string, piece: Piece): Promise<void> {
  const { rows } = await tx.query<{ receipt: Omit<Receipt, 'content'> }>('select app.receipt_to_sign($1) as receipt', [
    id,
  ])
  const content = contentHash(piece)
  const text = canonicalJson({ ...rows[0]!.receipt, content })
  await tx.query('select app.sign_receipt($1, $2, $3, $4, $5, $6)', [
    id,
    content,
    hashOf(text),
    signer.keyId,
    signer.publicKey,
    signer.sign(text),
  ])
}

const receiptOfPiece = statement('receipt_of_piece', (db, { id }: { id: string }) =>
  db
    .selectFrom('pub.receipts as receipt')
    .innerJoin('pub.authors as author', 'author.id', 'receipt.author_id')
    .where('receipt.piece_id', '=', id)
    .select(['receipt.receipt', 'receipt.key_id', 'receipt.signature', 'author.slug as author_slug'])
    .compile(),
)

const receiptKeyRows = statement('receipt_keys', (db) =>
  db.selectFrom('pub.receipt_keys').select(['id', 'public_key', 'since']).orderBy('since').orderBy('id').compile(),
)

const receiptThere = statement('receipt_there', (db, { id }: { id: string }) =>
  db.selectFrom('pub.receipts').where('piece_id', '=', id).select('piece_id').compile(),
)

type ReceiptRow = NonNullable<(typeof receiptOfPiece)['row']>

/** Pieces published before receipts existed, and seeded ones, have none. */
export const hasReceipt = async ({ db }: ReadContext, id: string): Promise<boolean> =>
  (await db.query(receiptThere, { id })).length > 0

/** With the author's current slug, for cache tags. */
export async function getReceipt(
  reads: ReadContext,
  { id }: OnePiece,
): Promise<{ found: ReceiptFound; authorSlug: string }> {
  const uuid = id.toLowerCase()
  const [row] = isUuid(uuid) ? await reads.db.query(receiptOfPiece, { id: uuid }) : []
  if (row) return { found: presentReceipt(row, uuid, reads.urls), authorSlug: row.author_slug }
  // Throws the usual 404 if the piece is not public.
  await publishedPiece(reads, { id })
  throw notFound(message('error.no_receipt'))
}

const presentReceipt = ({ receipt, key_id, signature }: ReceiptRow, id: string, urls: Urls): ReceiptFound => ({
  ok: true,
  receipt: receipt as unknown as Receipt,
  signature: { algorithm: 'Ed25519', key: key_id!, value: signature!.toString('base64url') },
  piece_url: urls.pieceJson(id),
  keys_url: urls.receiptKeys(),
})

/** Every key this site has ever signed with, oldest first. */
export async function receiptKeys({ db }: ReadContext): Promise<ReceiptKeys> {
  const rows = await db.query(receiptKeyRows, {})
  return {
    keys: rows.map(({ id, public_key, since }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      alg: 'EdDSA',
      use: 'sig',
      kid: id,
      x: public_key.toString('base64url'),
      since: since.toISOString(),
    })),
  }
}
