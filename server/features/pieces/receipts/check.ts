import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { sourceLanguage, type Translator, translatorOf } from '#messages/translator.ts'
import { canonicalJson, hashOf, isSignedBy, keyIdOf } from '#platform/crypto.ts'
import { Piece } from '../schema.ts'
import { coAuthorsText, firstHere, importedText, proofText, revisionsText, scheduledText } from './facts.ts'
import { Receipt, Signature } from './schema.ts'

/** Verifies a receipt offline, from files alone. */

const Signed = Type.Object({ receipt: Receipt, signature: Signature })
const Keys = Type.Object({ keys: Type.Array(Type.Object({ kid: Type.String(), x: Type.String() })) })

export interface ReceiptInput {
  /** The response of `/p/{id}/receipt`. */
  readonly signed: unknown
  /** A key set, the response of `/.well-known/standfirst-receipts.json`. */
  readonly keys: unknown
  /** The Piece, or the API response that contains it; undefined to check only the receipt. */
  readonly piece: unknown
  /** The requested UUID, if known: a site could respond with the receipt of another piece. */
  readonly id?: string | undefined
}

/** Findings as sentences, in the language of the reader. The receipt is valid if `broken` is empty. */
export interface Verdict {
  readonly broken: readonly string[]
  readonly proven: readonly string[]
  readonly unproven: readonly string[]
}

export function checkReceipt(
  { signed, keys, piece, id }: ReceiptInput,
  t: Translator = translatorOf(sourceLanguage),
): Verdict {
  if (!Check(Signed, signed) || !hasCanonicalForm(signed.receipt)) return broken(t('cli.receipt.broken.no_receipt'))
  if (!Check(Keys, keys)) return broken(t('cli.receipt.broken.no_keys'))
  const problem = signatureProblem(signed, keys, t)
  if (problem) return broken(problem)
  if (id !== undefined && id.toLowerCase() !== signed.receipt.piece)
    return broken(t('cli.receipt.broken.not_requested', { id: signed.receipt.piece }))
  if (piece === undefined) return verdictOn(signed.receipt, undefined, t)
  const given = pieceIn(piece)
  if (!given) return broken(t('cli.receipt.broken.no_piece'))
  const difference = pieceProblem(signed.receipt, given, t)
  return difference ? broken(difference) : verdictOn(signed.receipt, given, t)
}

/** Unpaired surrogates and trees too deep to walk have no canonical form, so they cannot have been signed. */
function hasCanonicalForm(value: unknown): boolean {
  try {
    return canonicalJson(value) !== ''
  } catch {
    return false
  }
}

const broken = (sentence: string): Verdict => ({ broken: [sentence], proven: [], unproven: [] })

function signatureProblem(
  { receipt, signature }: Static<typeof Signed>,
  { keys }: Static<typeof Keys>,
  t: Translator,
): string | undefined {
  const key = keys.find(({ kid }) => kid === signature.key)
  if (!key) return t('cli.receipt.broken.unknown_key', { key: signature.key })
  const publicKey = bytesOf(key.x)
  if (!publicKey || keyIdOf(publicKey) !== key.kid) return t('cli.receipt.broken.wrong_key_id')
  const value = bytesOf(signature.value)
  if (!value || !isSignedBy(publicKey, canonicalJson(receipt), value)) return t('cli.receipt.broken.wrong_signature')
  return undefined
}

/** Undefined unless it is the canonical encoding. */
function bytesOf(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

function pieceIn(given: unknown): Piece | undefined {
  const piece = typeof given === 'object' && given !== null && 'piece' in given ? given.piece : given
  return Check(Piece, piece) && hasCanonicalForm(piece) ? piece : undefined
}

function pieceProblem(receipt: Receipt, piece: Piece, t: Translator): string | undefined {
  if (!piece.id.endsWith(`/p/${receipt.piece}`)) return t('cli.receipt.broken.other_piece')
  if (piece.date_modified !== receipt.published)
    return t('cli.receipt.broken.other_version', { receipt: receipt.published, piece: piece.date_modified })
  if (contentHash(piece) !== receipt.content) return t('cli.receipt.broken.changed')
  if (piece.date_published !== receipt.first_published) return t('cli.receipt.broken.other_date')
  return undefined
}

function verdictOn(receipt: Receipt, piece: Piece | undefined, t: Translator): Verdict {
  const { piece: id, role, published, author, number } = receipt
  return {
    broken: [],
    proven: [
      t('cli.receipt.proven.signed'),
      piece
        ? t('cli.receipt.proven.piece_titled', { id, title: piece.title, slug: author.slug })
        : t('cli.receipt.proven.piece', { id, slug: author.slug }),
      ...(receipt.co_authors ? [coAuthorsText(t, receipt.co_authors)] : []),
      ...(piece ? [t('cli.receipt.proven.content')] : []),
      t('cli.receipt.proven.published', { role, published, first: firstHere(receipt) }),
      ...(receipt.imported ? [importedText(t, receipt.imported)] : []),
      ...(receipt.scheduled ? [scheduledText(t, receipt.scheduled)] : []),
      ...(receipt.proof ? [proofText(t, receipt.proof)] : []),
      revisionsText(t, receipt),
      t('site.receipt.number', { number }),
      ...(receipt.translation_of ? [translationText(t, receipt.translation_of)] : []),
    ],
    unproven: [
      piece ? t('cli.receipt.unproven.name') : t('cli.receipt.unproven.text'),
      t('cli.receipt.unproven.person'),
      t('cli.receipt.unproven.key'),
      t('cli.receipt.unproven.newest'),
    ],
  }
}

const translationText = (t: Translator, { piece, content }: NonNullable<Receipt['translation_of']>): string =>
  content === null
    ? t('site.receipt.translation_no_hash', { piece })
    : t('site.receipt.translation', { piece, hash: content })

/**
 * Hash of what a receipt vouches for: the fields of the API's Piece that its writer wrote. Name, portrait and URLs of the
 * author are not included, since they change without a new edition.
 */
export const contentHash = (piece: Piece): string => hashOf(canonicalJson(contentOf(piece))).toString('hex')

const contentOf = (piece: Piece) => ({
  title: piece.title,
  summary: piece.summary,
  content_html: piece.content_html && withoutSite(piece.content_html, piece.id),
  content_text: piece.content_text,
  tags: piece.tags,
  category: piece.category,
  kind: piece.kind,
  external_url: piece.external_url ?? null,
})

/** The site's own images become paths, so that the hash does not change with the site's address. */
const withoutSite = (html: string, pieceId: string): string =>
  html.replaceAll(`="${pieceId.replace(/\/p\/[^/]*$/, '')}/media/`, '="/media/')
