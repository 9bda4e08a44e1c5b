import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler, RouteHandlerMethod } from 'fastify'
import { overloaded, type ServiceError } from '../errors.ts'
import { failure } from './errors.ts'
import { requestFields } from './request-id.ts'

/**
 * A limit of time for every request, from its arrival until its answer was handed to the network. Fastify's own
 * handlerTimeout is not used: it is cleared as soon as a request's body has been read.
 */
export interface Deadlines {
  /** Before any route and any hook that may wait. */
  watch(app: FastifyInstance): void
}

/** More than waiting for a connection (1 s) and a write (3.5 s) may take. */
const usual = 8_000

/** Calls back after so many milliseconds, until it is stopped. Tests turn one by hand. */
export type StartTimer = (callback: () => void, milliseconds: number) => { stop(): void }

interface Running {
  controller: AbortController | undefined
  /** Why its work is for nobody any more. */
  over: ServiceError | undefined
  /** Makes the handler fail; undefined until it has begun. */
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
    // Silence on the socket while we work is ours, and limited here: without a listener Node would cut it after 11 s.
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

/** For a route that may take longer than others. */
export const mayTake =
  (milliseconds: number): onRequestHookHandler =>
  (request, _reply, done) => {
    running.get(request)?.setTimer(milliseconds)
    done()
  }

/** Aborts when the request's time is over or its client has gone: work for nobody need not go on. */
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

/** A handler out of time fails, so that there is one answer, made the way every other failure is. */
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
  // All of it is written: what is left is the reader's affair (deaf-readers.ts).
  if (raw.writableEnded || raw.destroyed) return
  // While the body is still on its way it is the caller who is late.
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
  const next =
    method === 'GET' || method === 'HEAD'
      ? 'Try again in a moment.'
      : 'It may still have been done: look before you try again.'
  return overloaded(`This took too long and was given up. ${next}`)
}
