import { canonicalJson } from '#platform/canonical-json.ts'
import type { Transaction } from '#platform/db/database.ts'
import { hashOf } from '#platform/secret.ts'
import type { Signer } from '#platform/signing.ts'
import type { Piece } from '../schema.ts'
import { contentHash } from './content.ts'
import type { Receipt } from './schema.ts'

/**
 * Signs the receipt of what has just been made public, in that transaction. The database has written all of it but the
 * hash of what readers get, and lets no publication through without a signature.
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
