import { ServiceError } from '../errors.ts'
import type { Catalogue } from './catalogue.ts'
import { handshakeVersions, type Identity, versions } from './identity.ts'
import { codes, type Id, RpcError, readMessage, written, writtenError } from './json-rpc.ts'
import { handshakeMethods, methodCalled } from './methods.ts'
import {
  isModern,
  modernMethods,
  type RequestHeaders,
  unfitness,
  unsupportedVersion,
  versionAsked,
} from './rev-2026.ts'
import type { Call } from './tool.ts'

/** What goes back over HTTP: a body as JSON, none, or a stream of its own to be opened for this request. */
interface Answer {
  readonly status: number
  readonly body?: string
  readonly listen?: Id
}

export type Dispatch<By extends Call> = (body: unknown, headers: RequestHeaders, by: By) => Promise<Answer>

const listening = 'subscriptions/listen'

/**
 * From a message to its answer. Failures stand in a 200, but for those of transport and of the latest revision; who may
 * not ask at all is told so by whoever keeps the door.
 */
export function dispatcher<By extends Call>(identity: Identity, catalogue: Catalogue<By>): Dispatch<By> {
  const byHandshake = handshakeMethods(identity, catalogue)
  const modern = modernMethods(identity, catalogue)

  return async (body, headers, by) => {
    const message = readMessage(body)
    if (message.kind === 'broken') return { status: 200, body: writtenError(message.id, message.error) }
    const asked = versionAsked(headers)
    if (message.kind === 'notice') {
      if (asked !== undefined && !versions.includes(asked)) return refused(null, unsupportedVersion(asked))
      return message.isWell ? { status: 202 } : refused(null, noObject)
    }
    const { id, method, params } = message
    const isLatest = isModern(headers, method, params)
    try {
      if (!isLatest && asked !== undefined && method !== 'initialize' && !isHandshake(asked))
        return refused(id, unsupportedVersion(asked))
      const unfit = isLatest ? unfitness(headers, method, params) : undefined
      if (unfit) return refused(id, unfit)
      if (isLatest && method === listening) return { status: 200, listen: id }
      const answer = methodCalled(isLatest ? modern : byHandshake, method)
      return { status: 200, body: written(id, await answer(params, by)) }
    } catch (error) {
      if (error instanceof ServiceError && error.status === 403) throw error
      const failure = error instanceof RpcError ? error : (busy(error, by) ?? internal(by.noteFailure(error)))
      // The latest revision says by its status that there is no such method; other failures are for whoever asked.
      return { status: isLatest && failure.code === codes.method ? 404 : 200, body: writtenError(id, failure) }
    }
  }
}

const isHandshake = (version: string): boolean => handshakeVersions.some((known) => known === version)

/** What the transport itself takes exception to is said by the status too. */
const refused = (id: Id, error: RpcError): Answer => ({ status: 400, body: writtenError(id, error) })

const noObject = new RpcError(codes.params, 'Invalid params: params must be an object')

const internal = (request: string): RpcError => new RpcError(codes.internal, 'Internal error', { request_id: request })

/** Too many at once is nobody's fault: said in words, and nothing to look into. That the database is away is noted too. */
function busy(error: unknown, { requestId, noteFailure }: Call): RpcError | undefined {
  if (!(error instanceof ServiceError)) return undefined
  const isAway = error.reason === 'database_away'
  if (isAway) noteFailure(error)
  else if (error.reason !== 'overloaded' || error.cause !== undefined) return undefined
  const { message, reason, headers } = error
  return new RpcError(codes.internal, message, {
    reason,
    request_id: requestId,
    retry_after: Number(headers['retry-after']),
  })
}
