import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler, RouteHandlerMethod } from 'fastify'
import { message } from '#messages/message.ts'
import { overloaded, type ServiceError } from '../errors.ts'
import { requestFields } from '../observability/requests.ts'
import { failure } from './errors.ts'

/**
 * A time limit for every request, from its arrival until its response is handed to the network. Fastify's
 * handlerTimeout is not used: it is cleared as soon as the body has been read.
 */
export interface Deadlines {
  /** Call before adding routes and hooks that may wait. */
  watch(app: FastifyInstance): void
}

/** More than waiting for a connection (1 s) and a write (3.5 s) may take. */
const usual = 8_000

/** Calls back after this many milliseconds unless stopped. Tests replace it. */
export type StartTimer = (callback: () => void, milliseconds: number) => { stop(): void }

interface Running {
  controller: AbortController | undefined
  /** Why nobody waits for its result any more. */
  over: ServiceError | undefined
  /** Makes the handler fail; undefined until it has started. */
  fail: ((error: ServiceError) => void) | undefined
  isAnswering: boolean
  readonly setTimer: (milliseconds: number) => void
  readonly stopTimer: () => void
}

const running = new WeakMap<FastifyRequest, Running>()

export function createDeadlines(factor: number, startTimer: StartTimer = startTimeout): Deadlines {
  const begin: onRequestHookHandler = (request, reply, done) => {
    const start = performance.now()
    let timer: { stop(): void } | undefined
    const one: Running = {
      controller: undefined,
      over: undefined,
      fail: undefined,
      isAnswering: false,
      setTimer(milliseconds) {
        timer?.stop()
        timer = startTimer(() => pass(request, reply, one, start), milliseconds * factor)
      },
      stopTimer: () => timer?.stop(),
    }
    running.set(request, one)
    one.setTimer(usual)
    // Silence on the socket while we work is limited here: without a listener Node would close it after 11 s.
    reply.raw.on('timeout', () => {})
    reply.raw.once('close', () => {
      one.stopTimer()
      if (!reply.raw.writableFinished) cancel(one, failure(408))
    })
    done()
  }
  return {
    watch(app) {
      app.addHook('onRequest', begin)
      app.addHook('onRoute', (route) => {
        route.handler = failing(route.handler)
      })
      app.addHook('onSend', (request, _reply, _payload, done) => {
        const one = running.get(request)
        if (one) one.isAnswering = true
        done()
      })
      app.addHook('onResponse', (request, _reply, done) => {
        running.get(request)?.stopTimer()
        done()
      })
    },
  }
}

const startTimeout: StartTimer = (callback, milliseconds) => {
  const timer = setTimeout(callback, milliseconds)
  return { stop: () => clearTimeout(timer) }
}

/** For routes with a longer limit. */
export const mayTake =
  (milliseconds: number): onRequestHookHandler =>
  (request, _reply, done) => {
    running.get(request)?.setTimer(milliseconds)
    done()
  }

/** Aborts when the request times out or its client disconnects. */
export function signalOf(request: FastifyRequest): AbortSignal {
  const one = running.get(request)
  if (!one) throw new Error('this request has no deadline')
  one.controller ??= new AbortController()
  if (one.over) one.controller.abort(one.over)
  return one.controller.signal
}

function cancel(one: Running, why: ServiceError): void {
  one.over ??= why
  one.controller?.abort(one.over)
}

/** A handler that times out fails, so that there is one response, made like every other error. */
function failing(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    const answer: unknown = handler.call(this, request, reply)
    const one = running.get(request)
    if (!one || !isPromise(answer)) return answer
    return new Promise((resolve, reject) => {
      one.fail = reject
      answer.then(resolve, reject)
    })
  }
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

function pass(request: FastifyRequest, reply: FastifyReply, one: Running, start: number): void {
  const { raw } = reply
  // Fully written: the rest depends on the client (slow-readers.ts).
  if (raw.writableEnded || raw.destroyed) return
  // While the body is still arriving, the client is late.
  const error = request.raw.complete === false ? failure(408) : tooLate(request.method)
  request.log.warn({
    event: 'deadline_passed',
    ...requestFields(request),
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    ms: Math.round(performance.now() - start),
  })
  cancel(one, error)
  if (one.isAnswering) raw.destroy()
  else if (one.fail) one.fail(error)
  else reply.send(error)
}

function tooLate(method: string): ServiceError {
  const isRead = method === 'GET' || method === 'HEAD'
  return overloaded(isRead ? message('error.timed_out') : message('error.timed_out_unknown'))
}
