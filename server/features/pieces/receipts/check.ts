import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { canonicalJson, hashOf, isSignedBy, keyIdOf } from '#platform/crypto.ts'
import { Piece } from '../schema.ts'
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

/** Findings as sentences. The receipt is valid if `broken` is empty. */
export interface Verdict {
  readonly broken: readonly string[]
  readonly proven: readonly string[]
  readonly unproven: readonly string[]
}

export function checkReceipt({ signed, keys, piece, id }: ReceiptInput): Verdict {
  if (!Check(Signed, signed) || !hasCanonicalForm(signed.receipt))
    return broken('This is no receipt: members are missing, or are not what they should be.')
  if (!Check(Keys, keys)) return broken('These are no keys: a set of keys has `keys`, each with `kid` and `x`.')
  const problem = signatureProblem(signed, keys)
  if (problem) return broken(problem)
  if (id !== undefined && id.toLowerCase() !== signed.receipt.piece)
    return broken(`The receipt is of another piece, ${signed.receipt.piece}, and not of the one that was asked for.`)
  if (piece === undefined) return verdictOn(signed.receipt, undefined)
  const given = pieceIn(piece)
  if (!given) return broken('This is no piece: give the answer of the API for it, or the piece that is in it.')
  const difference = pieceProblem(signed.receipt, given)
  return difference ? broken(difference) : verdictOn(signed.receipt, given)
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

function signatureProblem({ receipt, signature }: Static<typeof Signed>, { keys }: Static<typeof Keys>) {
  const key = keys.find(({ kid }) => kid === signature.key)
  if (!key)
    return `The receipt names the key ${signature.key}, which is not among those given: another site's, or not yet known.`
  const publicKey = bytesOf(key.x)
  if (!publicKey || keyIdOf(publicKey) !== key.kid) return 'The key does not have the name it is given under.'
  const value = bytesOf(signature.value)
  if (!value || !isSignedBy(publicKey, canonicalJson(receipt), value))
    return 'The signature is not of this receipt: it was changed, or signed by somebody else.'
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

function pieceProblem(receipt: Receipt, piece: Piece): string | undefined {
  if (!piece.id.endsWith(`/p/${receipt.piece}`)) return 'The receipt is of another piece.'
  if (piece.date_modified !== receipt.published)
    return `The receipt is of the edition of ${receipt.published}, and the piece is of ${piece.date_modified}. Fetch both again.`
  if (contentHash(piece) !== receipt.content) return 'The piece is not what the receipt was given for: it was changed.'
  if (piece.date_published !== receipt.first_published) return 'The piece says another date of first publication.'
  return undefined
}

function verdictOn(receipt: Receipt, piece: Piece | undefined): Verdict {
  const person = receipt.role === 'moderator' ? 'a moderator who did not write it' : 'its own writer'
  return {
    broken: [],
    proven: [
      'The site that holds this key signed this receipt, and nothing in it was changed since.',
      `It is of the piece ${receipt.piece}${piece ? `, “${piece.title}”,` : ''} by the writer whose address was ${receipt.author.slug}.`,
      ...(piece
        ? ['Headline, standfirst, text, tags, category and kind are those it was given for, to the letter.']
        : []),
      `It says: made public on ${receipt.published} by a person at the desk, ${person}; first public on ${receipt.first_published}.`,
      ...(receipt.proof ? [`It says: that person ${provenBy(receipt.proof)}.`] : []),
      `It says: revision ${receipt.revision}, ${byKey(receipt)}; receipt ${receipt.number} of this piece.`,
    ],
    unproven: [
      ...(piece ? [] : ['Whether a text is the one it was given for: no piece was given.']),
      ...(piece ? ['The name of the author as the piece has it: names change without a new edition.'] : []),
      'Who that person is, and who thought of the words: a person can paste what a program wrote.',
      'That the key is the site’s: compare it with one you got from there at another time, or another way.',
      'That this is the newest edition, and that the piece is still public.',
    ],
  }
}

/** How the person who published had authenticated. */
function provenBy({ method, seconds, of_this_revision }: NonNullable<Receipt['proof']>): string {
  const minutes = Math.floor(seconds / 60)
  const ago =
    minutes < 1
      ? 'less than a minute'
      : minutes < 120
        ? counted(minutes, 'minute')
        : counted(Math.floor(minutes / 60), 'hour')
  return of_this_revision
    ? `confirmed this very revision with a ${method}, ${ago} before`
    : `signed in or confirmed with a ${method.replace('_', ' ')}, ${ago} before`
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

function byKey({ revision, revisions_by_key: numbers }: Receipt): string {
  if (numbers.length === 0) return 'every revision saved by a person at the desk'
  if (numbers.length === revision) return 'every revision saved by a program with a key'
  return numbers.length === 1
    ? `revision ${numbers[0]} saved by a program with a key, the others by a person`
    : `revisions ${inRuns(numbers)} saved by a program with a key, the others by a person`
}

/** `1–3, 7`. */
export function inRuns(numbers: readonly number[]): string {
  const runs: [from: number, to: number][] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else runs.push([number, number])
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
}

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
