import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { onRequestHookHandler } from 'fastify'
import { overloaded } from '../errors.ts'
import { type Weight, weightOf } from './priority.ts'

/**
 * The wall behind admission (admission.ts): what does not show in the number of requests under way, such as something
 * that holds the processor, or a machine that stalls. Milliseconds by which the event loop may be late before such a
 * request is refused. A process that is merely full is late by some 100 ms, and must not meet this wall: it swings.
 */
const patience: Readonly<Record<Weight, number>> = {
  search: 300,
  tools: 350,
  list: 400,
  single: 500,
  write: 750,
  desk: 1000,
}

/** Above this share of the heap's limit the collector would soon do nothing but collect. */
const fullHeap = 0.8
const sampleEvery = 250

export interface Pressure {
  /** How late the event loop was, at worst, in the last quarter of a second. */
  delay(): number
  close(): void
}

export function measurePressure(): Pressure {
  const resolution = 20
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  const heapLimit = getHeapStatistics().heap_size_limit
  let delay = 0
  const timer = setInterval(() => {
    const heapIsFull = getHeapStatistics().used_heap_size > fullHeap * heapLimit
    delay = heapIsFull ? Number.POSITIVE_INFINITY : Math.max(histogram.max / 1e6 - resolution, 0)
    histogram.reset()
  }, sampleEvery)
  timer.unref()
  return {
    delay: () => delay,
    close: () => {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

/**
 * `times`: how much more patient, on a machine that stalls by itself. Who is alone is let in however late the loop was:
 * what made it late is over, and nobody else would be served sooner. Nor is refused what pages are made of.
 */
export function shed(weight: Weight, pressure: Pressure, inFlight: () => number, times = 1): onRequestHookHandler {
  const latest = patience[weight] * times
  return (request, _reply, done) => {
    const isRefused = pressure.delay() > latest && inFlight() > 1 && weightOf(request.url) !== undefined
    done(isRefused ? overloaded('The service is busy. Try again in a moment.') : undefined)
  }
}
