import { t } from '../messages.ts'
import { forgetAnswers, keepAnswer, keptAnswer, noteConnection } from './kept-answers.ts'

/** The only client of the desk's API. Paths are relative to /desk/api. */

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

interface CallOptions {
  /** Sends If-Match: only if the resource still has this `tag`. */
  readonly ifMatch?: string
  readonly signal?: AbortSignal
  /** Lets the request outlive the page; limited to 64 KiB by browsers. */
  readonly keepalive?: boolean
  /** Rejects with the 401 instead of asking the user to sign in again. */
  readonly skipReauth?: boolean
  /** Rejects where the site cannot be reached, even if the device has an earlier answer. */
  readonly isFresh?: boolean
  /** The writer this request belongs to, if not the one of the page. */
  readonly writer?: string
}

let pageWriter: string | undefined

/**
 * Sets the writer this page belongs to. The server refuses requests once another account has signed in in this browser.
 */
export function setPageWriter(writer: string | undefined): void {
  pageWriter = writer
}

interface AnswerWithTag<Answer> {
  readonly answer: Answer
  readonly tag: string | null
}

/** Sends an object as JSON and a Blob as it is. Resolves with the answer or throws an ApiError. */
export const callApi = async <Answer = { readonly ok: true }>(
  method: Method,
  path: string,
  body?: object,
  options?: CallOptions,
): Promise<Answer> => (await callApiWithTag<Answer>(method, path, body, options)).answer

/**
 * Like callApi, with the etag of the answer. A user who is signed out, or must authenticate again, is asked in a dialog
 * above the page; then the request is repeated, so nothing on the page is lost.
 */
export async function callApiWithTag<Answer = { readonly ok: true }>(
  method: Method,
  path: string,
  body?: object,
  options: CallOptions = {},
): Promise<AnswerWithTag<Answer>> {
  for (;;) {
    let response: Response
    try {
      response = await callWithRetry(method, path, body, options)
    } catch (error) {
      const mayBeKept = method === 'GET' && !options.isFresh && error instanceof ApiError
      const kept = mayBeKept ? await keptAnswer(path) : undefined
      if (!kept) throw error
      noteConnection(false)
      return kept as AnswerWithTag<Answer>
    }
    noteConnection(true)
    const tag = response.headers.get('etag')
    if (response.ok) {
      const answer = (await readJson(response)) as Answer
      // The account may be another one now; the next readAccount sets it again.
      if (/^\/sign-(in|in\/passkey|out)$/.test(path)) {
        setPageWriter(undefined)
        await forgetAnswers()
      }
      void keepAnswer(method, path, { answer, tag })
      return { answer, tag }
    }
    const error = await toApiError(response, tag)
    if (error.reason === 'signed_out') await forgetAnswers()
    if (error.reason === 'fresh_sign_in_required') await reauthenticate('again', error)
    else if (error.reason === 'passkey_required') await reauthenticate('passkey', error, nonceOf(body))
    else if (error.reason === 'signed_out' && !options.skipReauth) await reauthenticate('signed out', error)
    else throw error
  }
}

const nonceOf = (body: object | undefined): string | undefined =>
  body && 'nonce' in body && typeof body.nonce === 'string' ? body.nonce : undefined

/** The raw response, for streams and anything but JSON. */
export async function callApiForStream(path: string, signal?: AbortSignal): Promise<Response> {
  for (;;) {
    const response = await callWithRetry('GET', path, undefined, signal ? { signal } : {})
    if (response.ok) return response
    const error = await toApiError(response, null)
    if (error.reason === 'fresh_sign_in_required') await reauthenticate('again', error)
    else if (error.reason === 'signed_out') await reauthenticate('signed out', error)
    else throw error
  }
}

/** A download as a whole. */
export async function callApiForFile(path: string): Promise<File> {
  const response = await callApiForStream(path)
  try {
    return new File([await response.blob()], fileNameOf(response))
  } catch (error) {
    throw unreachable(error)
  }
}

/** As the server names what is downloaded. */
export const fileNameOf = ({ headers }: Response): string =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'download'

/** Retries on 503: the site sheds load before it does any work, so a repeat is safe. */
async function callWithRetry(method: Method, path: string, body: object | undefined, options: CallOptions) {
  for (let tries = 1; ; tries += 1) {
    const response = await send(method, path, body, options)
    if (response.status !== 503 || tries === maxTries) return response
    const seconds = Number(response.headers.get('retry-after') ?? 1)
    await new Promise((resolve) => setTimeout(resolve, Math.min(seconds, 5) * 1000))
  }
}

const maxTries = 6

async function send(method: Method, path: string, body: object | undefined, options: CallOptions): Promise<Response> {
  const headers = new Headers({ accept: 'application/json', 'accept-language': document.documentElement.lang })
  const writer = options.writer ?? pageWriter
  if (writer) headers.set('x-writer', writer)
  if (options.ifMatch) headers.set('if-match', options.ifMatch)
  if (body && !(body instanceof Blob)) headers.set('content-type', 'application/json')
  try {
    return await fetch(`/desk/api${path}`, {
      method,
      headers,
      body: body instanceof Blob ? body : body ? JSON.stringify(body) : null,
      signal: options.signal ?? null,
      keepalive: options.keepalive ?? false,
    })
  } catch (error) {
    throw unreachable(error)
  }
}

/** A truncated or non-JSON answer is not the site's: the connection broke, or a proxy answered. */
async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return { ok: true }
  try {
    return await response.json()
  } catch (error) {
    throw unreachable(error)
  }
}

/** An aborted request stays aborted; everything else is a network error. */
const unreachable = (error: unknown): unknown =>
  error instanceof DOMException && error.name === 'AbortError'
    ? error
    : new ApiError(0, 'unreachable', t('desk.common.error.unreachable'))

async function toApiError(response: Response, tag: string | null): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as {
    readonly reason?: string
    readonly detail?: string
    readonly errors?: readonly Problem[]
    readonly current?: object
  }
  const { reason = 'internal', errors } = body
  const [first] = errors ?? []
  // The detail of invalid fields is for programs.
  const detail =
    reason === 'validation_failed' && first
      ? problemText(first)
      : (body.detail ?? t('desk.common.error.status', { status: String(response.status) }))
  return new ApiError(response.status, reason, detail, errors, tag, body.current)
}

/**
 * Why the user must authenticate: the sign-in is too old (`again`), the same with a passkey only (`passkey`), or signed
 * out.
 */
export type ReauthReason = 'again' | 'passkey' | 'signed out'

/** Resolves when the user has authenticated; rejects when they decline. */
type ReauthPrompt = (occasion: ReauthReason, nonce: string | undefined) => Promise<void>

let activePrompt: ReauthPrompt | undefined
let pendingPrompt: Promise<void> | undefined

/** Registers the dialog that asks the user. */
export function setReauthPrompt(next: ReauthPrompt): () => void {
  activePrompt = next
  return () => {
    if (activePrompt === next) activePrompt = undefined
  }
}

/**
 * Asks once, however many requests failed at the same time. `nonce` is the one of the text to publish; the passkey
 * assertion is bound to it.
 */
async function reauthenticate(reason: ReauthReason, error: ApiError, nonce?: string): Promise<void> {
  if (!activePrompt) throw error
  pendingPrompt ??= activePrompt(reason, nonce).finally(() => {
    pendingPrompt = undefined
  })
  try {
    await pendingPrompt
  } catch {
    throw error
  }
}

/** A UUID version 4 (RFC 9562) for a new resource. `crypto.randomUUID` needs https; this does not. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** A validation error of one field, as the server reports it. */
export interface Problem {
  /** The field as a JSON pointer, such as /headline. */
  readonly pointer: string
  readonly code: string
  readonly detail: string
  readonly limit?: number
  readonly actual?: number
}

/** A failed request. `detail` is a sentence for users; `status` is 0 if there was no response. */
export class ApiError extends Error {
  readonly status: number
  readonly reason: string
  readonly detail: string
  readonly errors: readonly Problem[]
  /** The current etag, if ours was out of date (412). */
  readonly tag: string | null
  /** What is there now, if another change came first (409). */
  readonly current: object | undefined

  constructor(
    status: number,
    reason: string,
    detail: string,
    errors: readonly Problem[] = [],
    tag: string | null = null,
    current?: object,
  ) {
    super(detail)
    this.name = 'ApiError'
    this.status = status
    this.reason = reason
    this.detail = detail
    this.errors = errors
    this.tag = tag
    this.current = current
  }
}

/** A message for the user. Anything but an ApiError is a bug of ours. */
export const errorMessage = (error: unknown): string =>
  error instanceof ApiError ? error.detail : t('desk.common.error.unexpected')

/** Sentences that fit a field better than the common ones, by the problem's code. */
export type ProblemTexts = Partial<Readonly<Record<ProblemCode, string>>>

type ProblemCode = keyof typeof commonTexts

/** The problem of this field or of a member of it, as a sentence. */
export function problemOf(error: unknown, field: string, texts: ProblemTexts = {}): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  return problemIn(error.errors, field, texts)
}

/** The same for problems that were kept without their error. */
export function problemIn(problems: readonly Problem[], field: string, texts: ProblemTexts = {}): string | undefined {
  const found = problems.find(({ pointer }) => pointer === `/${field}` || pointer.startsWith(`/${field}/`))
  return found && problemText(found, texts)
}

/** A problem as a sentence for people. */
function problemText(problem: Problem, texts: ProblemTexts = {}): string {
  const code = problem.code as ProblemCode
  if (texts[code]) return texts[code]
  // The server has a sentence of its own, in the language of the desk, where the code alone would say too little.
  return isSentence(problem.detail) ? problem.detail : (commonTexts[code]?.(problem.limit ?? 0) ?? problem.detail)
}

/** "must be a number" is no sentence. Most scripts have no capitals. */
const isSentence = (detail: string): boolean => !/^\p{Ll}/u.test(detail)

const emptyText = () => t('desk.common.problem.missing')
/** Only a bug of ours sends what has one of these codes. */
const unexpectedText = () => t('desk.common.problem.unexpected')

/** For every code of the server (client.test.ts). */
const commonTexts = {
  missing: emptyText,
  empty: emptyText,
  too_long: (limit: number) => t('desk.common.problem.too_long', { limit }),
  too_short: (limit: number) => t('desk.common.problem.too_short', { limit }),
  too_many: (limit: number) => t('desk.common.problem.too_many', { limit }),
  out_of_range: () => t('desk.common.problem.out_of_range'),
  not_integer: () => t('desk.common.problem.not_a_number'),
  unknown_value: () => t('desk.common.problem.unknown_value'),
  malformed: () => t('desk.common.problem.malformed'),
  control_character: () => t('desk.common.problem.control_character'),
  not_an_address: () => t('desk.common.problem.not_an_address'),
  guessable: () => t('desk.common.problem.guessable'),
  breached: () => t('desk.common.problem.breached'),
  contains_tick: () => t('desk.common.problem.contains_tick'),
  render_too_large: () => t('desk.common.problem.render_too_large'),
  repeated: unexpectedText,
  unexpected: unexpectedText,
  wrong_type: unexpectedText,
  unknown_member: unexpectedText,
  unknown_argument: unexpectedText,
  unknown_cursor: unexpectedText,
} as const
