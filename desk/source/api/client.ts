import { type Problem, Refusal } from './api-error.ts'
import { identify } from './identity.ts'

/** The one way to the desk's API. Paths are below /desk/api. */

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export interface AskOptions {
  /** Only if the thing is still at this version, as its `tag` said. */
  readonly ifMatch?: string
  readonly signal?: AbortSignal
  /** Lets the request outlive the page, for at most 64 KiB. */
  readonly keepalive?: boolean
  /** Rejects with the 401 instead of asking the person to sign in again. */
  readonly isQuiet?: boolean
  /** Whose it is, if not for whoever the page is for now. */
  readonly writer?: string
}

let opener: string | undefined

/** Says for which writer this page is. The server refuses it once somebody else has signed in in this browser. */
export function openedBy(writer: string | undefined): void {
  opener = writer
}

export interface Answered<Answer> {
  readonly answer: Answer
  readonly tag: string | null
}

/** Sends an object as JSON and a Blob as it is; answers what the server does, or throws a Refusal. */
export const ask = async <Answer = { readonly ok: true }>(
  method: Method,
  path: string,
  body?: object,
  options?: AskOptions,
): Promise<Answer> => (await askWithTag<Answer>(method, path, body, options)).answer

/**
 * The same, with the version of what was answered. Whoever is signed out, or must show once more who they are, is
 * asked so in a dialogue above the page, and then it is sent again: nothing on the page is lost.
 */
export async function askWithTag<Answer = { readonly ok: true }>(
  method: Method,
  path: string,
  body?: object,
  options: AskOptions = {},
): Promise<Answered<Answer>> {
  for (;;) {
    const response = await askWhenFree(method, path, body, options)
    const tag = response.headers.get('etag')
    if (response.ok) {
      // From then on the page is for whoever is found there.
      if (/^\/sign-(in|in\/passkey|out)$/.test(path)) openedBy(undefined)
      return { answer: (await readJson(response)) as Answer, tag }
    }
    const refusal = await refusalOf(response, tag)
    if (refusal.reason === 'fresh_sign_in_required') await identify('again', refusal)
    else if (refusal.reason === 'passkey_required') await identify('passkey', refusal, nonceOf(body))
    else if (refusal.reason === 'signed_out' && !options.isQuiet) await identify('signed out', refusal)
    else throw refusal
  }
}

const nonceOf = (body: object | undefined): string | undefined =>
  body && 'nonce' in body && typeof body.nonce === 'string' ? body.nonce : undefined

/** The answer as it comes, for what is read in pieces or is no JSON. */
export async function askForStream(path: string, signal?: AbortSignal): Promise<Response> {
  for (;;) {
    const response = await askWhenFree('GET', path, undefined, signal ? { signal } : {})
    if (response.ok) return response
    const refusal = await refusalOf(response, null)
    if (refusal.reason === 'fresh_sign_in_required') await identify('again', refusal)
    else if (refusal.reason === 'signed_out') await identify('signed out', refusal)
    else throw refusal
  }
}

/** Comes back when the site is busy: it says so before it does anything. */
async function askWhenFree(method: Method, path: string, body: object | undefined, options: AskOptions) {
  for (let tries = 1; ; tries += 1) {
    const response = await send(method, path, body, options)
    if (response.status !== 503 || tries === mostTries) return response
    const seconds = Number(response.headers.get('retry-after') ?? 1)
    await new Promise((resolve) => setTimeout(resolve, Math.min(seconds, 5) * 1000))
  }
}

const mostTries = 6

async function send(method: Method, path: string, body: object | undefined, options: AskOptions): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' })
  const writer = options.writer ?? opener
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

/** An answer that breaks off, or is no JSON, was not the site's: a line broke, or something between us answered. */
async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return { ok: true }
  try {
    return await response.json()
  } catch (error) {
    throw unreachable(error)
  }
}

/** What was called off stays so; everything else is a line that does not carry. */
const unreachable = (error: unknown): unknown =>
  error instanceof DOMException && error.name === 'AbortError'
    ? error
    : new Refusal(0, 'unreachable', 'The site cannot be reached just now. Look at your connection, then try again.')

async function refusalOf(response: Response, tag: string | null): Promise<Refusal> {
  const body = (await response.json().catch(() => ({}))) as {
    readonly reason?: string
    readonly detail?: string
    readonly errors?: readonly Problem[]
  }
  const { reason = 'internal', detail = `The site answered ${response.status}. Try again in a moment.`, errors } = body
  return new Refusal(response.status, reason, detail, errors, tag)
}
