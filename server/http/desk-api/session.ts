import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
} from 'fastify'
import Type from 'typebox'
import { policySeconds } from '#config/policy.ts'
import { languageOfSession } from '#features/accounts/account.ts'
import type { ClientInfo, SignedIn } from '#features/accounts/client-info.ts'
import type { AccountContext } from '#features/accounts/context.ts'
import type { SignedInto } from '#features/accounts/schema.ts'
import { findPerson, type Person, type Writer } from '#features/accounts/sessions.ts'
import type { DeskContext } from '#features/context.ts'
import type { PublishingContext } from '#features/pieces/publish.ts'
import { message } from '#messages/message.ts'
import { nearestLanguage, type Translator, translatorOf } from '#messages/translator.ts'
import { hashOf } from '#platform/crypto.ts'
import { signedInTooLongAgo, signedOut } from '#platform/db/pg-errors.ts'
import { ServiceError } from '#platform/errors.ts'
import type { FairQueue } from '#platform/fair-queue.ts'
import type { Priority } from '#platform/http/admission.ts'
import { signalOf } from '#platform/http/deadline.ts'
import { languageOf } from '#platform/http/errors.ts'
import { type LimitName, network } from '#platform/http/limits.ts'

/** What the desk's routes need. */
export interface DeskRoutesContext {
  readonly desk: DeskContext
  readonly accounts: AccountContext
  readonly publishing: PublishingContext
  /** Hooks that reject a request when the site is too busy for this priority, or the client is over its rate limit. */
  readonly gate: (weight: Priority, limit: LimitName) => onRequestHookHandler[]
  /** The public origin, such as https://example.org. Only its own pages may call the desk's API. */
  readonly origin: string
}

/** The desk's API is private to its pages: not in the OpenAPI document, and free to change. */
export const hidden = { hide: true } as object

export const errorResponses = { '4xx': Type.Ref('Error'), '5xx': Type.Ref('Error') }

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** API keys are for programs and drafts; at the desk one is a mistake or an attack. */
export const rejectApiKey: onRequestHookHandler = (request, _reply, done) =>
  done(
    request.headers.authorization === undefined
      ? undefined
      : new ServiceError(
          400,
          'validation_failed',
          'The desk does not accept API keys. Sign in, and leave out the Authorization header.',
        ),
  )

/** Changes must come from a page of this site. Browsers say so in headers that no other site can forge. */
export function requireSameOrigin({ origin }: DeskRoutesContext): onRequestHookHandler {
  return ({ method, headers }, _reply, done) => {
    const site = headers['sec-fetch-site']
    const isOurs = site === undefined ? headers.origin === origin : site === 'same-origin'
    done(
      isOurs || safeMethods.includes(method)
        ? undefined
        : new ServiceError(403, 'cross_site', message('error.cross_site', { origin })),
    )
  }
}

/** For downloads. A read is safe, but these take long or are recorded: no other site may start one. */
export const requireSameSite: onRequestHookHandler = ({ headers }, _reply, next) => {
  const site = headers['sec-fetch-site']
  next(
    site === undefined || site === 'same-origin' || site === 'none'
      ? undefined
      : new ServiceError(403, 'cross_site', message('error.export_from_desk')),
  )
}

const people = new WeakMap<FastifyRequest, Person>()

/** Requires a session; `personOf` then returns its person. */
export function requireSession(context: DeskRoutesContext): onRequestAsyncHookHandler {
  return async (request) => {
    const token = readCookie(request, context, 'desk')
    const person = token && (await findPerson(context.desk.db, token))
    if (!person || isOtherWritersPage(request, person)) throw signedOut()
    people.set(request, person)
  }
}

/** For every route of a plugin: the desk's limits for reads, and a session. */
export function requireSessionOnAll(app: FastifyInstance, context: DeskRoutesContext): void {
  for (const hook of context.gate('desk', 'read')) app.addHook('onRequest', hook)
  app.addHook('onRequest', requireSession(context))
}

/**
 * Desk pages send the id of the writer who opened them, so that what one writer typed is never saved by the next who
 * signs in.
 */
function isOtherWritersPage({ headers }: FastifyRequest, { writer }: Person): boolean {
  const opener = headers['x-writer']
  return opener !== undefined && opener !== writer?.id
}

/** Speaks the language in which the desk asks. */
export const translatorFrom = (request: FastifyRequest): Translator => translatorOf(languageOf(request))

export function personOf(request: FastifyRequest): Person {
  const person = people.get(request)
  if (!person) throw new Error(`${request.routeOptions.url} asks who is there without asking them to sign in`)
  return person
}

export function writerOf(request: FastifyRequest): Writer {
  const person = personOf(request)
  if (isWriter(person)) return person
  throw new ServiceError(403, 'forbidden', message('error.writers_only'))
}

const isWriter = (person: Person): person is Writer => person.writer !== null

export function moderatorOf(request: FastifyRequest): Person {
  const person = personOf(request)
  if (person.role !== 'writer') return person
  throw new ServiceError(403, 'forbidden', message('error.moderators_only'))
}

/** For actions a borrowed browser must not be able to do. Rejected here before any work; the database checks again. */
export function requireRecentSignIn<Someone extends Person>(person: Someone): Someone {
  if (person.fresh) return person
  throw signedInTooLongAgo()
}

/** Limits expensive requests, in all and per person, until the response is sent. */
export function limitConcurrency(queue: FairQueue): onRequestHookHandler {
  return (request, reply, done) => {
    queue.enter(personOf(request).accountId, signalOf(request)).then((leave) => {
      // If the client has already gone, no close event follows.
      if (reply.raw.destroyed) leave()
      else reply.raw.once('close', leave)
      done()
    }, done)
  }
}

/**
 * The desk's cookies: the session; a marker that this device has signed in before; the language that the person chose;
 * and the log position from which their own latest publication is visible (platform/http/fresh-reads.ts).
 */
const cookieSeconds = {
  desk: policySeconds('session_lifetime'),
  device: 400 * 24 * 3600,
  language: 400 * 24 * 3600,
  wrote: 30,
} as const
type CookieName = keyof typeof cookieSeconds

/** Browsers accept `__Host-` only over https and only for this exact host. */
const isHttps = ({ origin }: DeskRoutesContext): boolean => origin.startsWith('https:')
const fullName = (context: DeskRoutesContext, name: CookieName): string => (isHttps(context) ? `__Host-${name}` : name)

/** Undefined if there is none, or more than one: another host may have set it then. */
export function readCookie(request: FastifyRequest, context: DeskRoutesContext, name: CookieName): string | undefined {
  const prefix = `${fullName(context, name)}=`
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
  return found.length === 1 ? found[0]!.slice(prefix.length) : undefined
}

export const setCookie = (reply: FastifyReply, context: DeskRoutesContext, name: CookieName, value: string): void =>
  writeCookie(reply, context, name, value, cookieSeconds[name])

export const clearCookie = (reply: FastifyReply, context: DeskRoutesContext, name: CookieName): void =>
  writeCookie(reply, context, name, '', 0)

function writeCookie(
  reply: FastifyReply,
  context: DeskRoutesContext,
  name: CookieName,
  value: string,
  seconds: number,
): void {
  const secure = isHttps(context) ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${fullName(context, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  )
}

export function clientInfoOf(request: FastifyRequest, context: DeskRoutesContext): ClientInfo {
  const sessionToken = readCookie(request, context, 'desk')
  return {
    address: request.ip ?? '',
    network: network(request.ip ?? ''),
    userAgent: request.headers['user-agent'] ?? null,
    device: readCookie(request, context, 'device'),
    sessionHash: sessionToken === undefined ? null : hashOf(sessionToken),
  }
}

/** Sets new cookies after sign-in, whichever way; values the browser sent are never reused. */
export async function answerSignIn(
  reply: FastifyReply,
  context: DeskRoutesContext,
  { sessionToken, device }: SignedIn,
): Promise<SignedInto> {
  const language = await languageOfSession(context.accounts, hashOf(sessionToken))
  setCookie(reply, context, 'desk', sessionToken)
  setCookie(reply, context, 'device', device)
  setLanguageCookie(reply, context, language)
  return { ok: true, language }
}

/** Null removes what was chosen in this browser before, perhaps by someone else. */
export function setLanguageCookie(reply: FastifyReply, context: DeskRoutesContext, language: string | null): void {
  if (language !== null) setCookie(reply, context, 'language', language)
  else if (readCookie(reply.request, context, 'language') !== undefined) clearCookie(reply, context, 'language')
}

/** The language in which the person saw the form they sent: the desk asks in the language of its document. */
export const languageShown = ({ headers }: FastifyRequest): string | undefined =>
  nearestLanguage(headers['accept-language'] ?? '')
