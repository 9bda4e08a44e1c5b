import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { type Message, message } from '#messages/message.ts'
import { type FieldProblem, overloaded, type Reason, ServiceError } from './errors.ts'
import { createFairQueue } from './fair-queue.ts'

/** Runs CPU-heavy jobs in worker threads with limits on time and memory. */

export interface ThreadLimits {
  /** A module that calls `answerJobs`. */
  readonly file: URL
  readonly threads: number
  /** Time limit of one job by the clock, from its start in a thread. */
  readonly milliseconds: number
  /**
   * Processor time of one job. With it, a job that the clock ends before it has used as much is not at fault: the machine
   * was busy, and its client gets a 503. Without it, the clock alone decides.
   */
  readonly processorMilliseconds?: number
  /** Size of the old generation. */
  readonly megabytes: number
  readonly mostWaiting: number
  /** The share of threads and queue that one client may use, and the error beyond it. Default: everything. */
  readonly each?: { readonly threads: number; readonly waiting: number; readonly refusal: () => ServiceError }
}

/** The client a job runs for. When the signal aborts, a waiting job ends at once, and a running one if it is slow. */
export interface JobClient {
  readonly by: string
  readonly signal?: AbortSignal | undefined
}

export interface WorkerPool<Job, Result> {
  run(job: Job, client?: JobClient): Promise<Result>
  close(): Promise<void>
}

/** The job exceeded a limit and its thread was terminated. */
export class ThreadEnded extends Error {
  readonly over: 'time' | 'memory'

  constructor(over: 'time' | 'memory') {
    super(`the job took too much ${over}`)
    this.name = 'ThreadEnded'
    this.over = over
  }
}

interface Refusal {
  readonly status: number
  readonly reason: Reason
  readonly detail: string | Message
  readonly errors: readonly FieldProblem[] | undefined
}
type Answer<Result> =
  | 'ready'
  | { readonly result: Result }
  | { readonly refusal: Refusal }
  | { readonly error: unknown }

/** Called once by the thread's module. */
export function answerJobs<Job, Result>(work: (job: Job) => Result | Promise<Result>): void {
  const port = parentPort!
  // On Linux each thread has its own priority; elsewhere this would change the whole process.
  if (workerData.isForHeavyUse && process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const send = (answer: Answer<Result>) => port.postMessage(answer)
  port.on('message', async (job: Job) => {
    try {
      send({ result: await work(job) })
    } catch (error) {
      // Errors arrive as plain Errors: a ServiceError is sent as its fields and rebuilt on the other side.
      if (error instanceof ServiceError) {
        const { status, reason, detail, errors } = error
        send({ refusal: { status, reason, detail, errors } })
      } else send({ error })
    }
  })
  send('ready')
}

interface Running<Job, Result> {
  readonly job: Job
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

interface Thread<Job, Result> {
  readonly worker: Worker
  readonly isForHeavyUse: boolean
  ready: boolean
  current: Running<Job, Result> | undefined
  /** When the job started, by performance.now(). */
  since: number
  /** Resolves when it is ready, or never will be. */
  readonly started: PromiseWithResolvers<void>
  timer: NodeJS.Timeout | undefined
}

/**
 * An abandoned job may take this many milliseconds in all. Most finish by themselves, and starting a new thread takes
 * as long.
 */
const abandonedLimit = 250

/** A client whose jobs took this much of the last 10 s is a heavy user: its jobs yield to others. */
const heavyUse = { milliseconds: 500, ofLast: 10_000 }

/**
 * Half of the threads have lower priority, and prefer jobs of heavy users: on an idle machine those take no longer, and
 * on a busy one light users do not wait for them. Threads start with the first job and keep the process alive only
 * while they work.
 */
export function openWorkerPool<Job, Result>(limits: ThreadLimits): WorkerPool<Job, Result> {
  const threads = new Set<Thread<Job, Result>>()
  const queue = createFairQueue({
    atOnce: limits.threads,
    atOnceEach: limits.each?.threads ?? limits.threads,
    waiting: limits.mostWaiting,
    waitingEach: limits.each?.waiting ?? limits.mostWaiting,
    refuse: (why) => (why === 'own share' ? limits.each?.refusal() : undefined) ?? busy(),
  })
  const closing = new AbortController()
  const used = createUse(heavyUse.ofLast)

  /** The queue guarantees that a thread is idle. */
  function begin(current: Running<Job, Result>, isHeavy: boolean): Thread<Job, Result> {
    while (threads.size < limits.threads) start()
    const idle = [...threads].filter((one) => !one.current)
    const ready = idle.filter((one) => one.ready)
    const thread = ready.find((one) => one.isForHeavyUse === isHeavy) ?? ready[0] ?? idle[0]!
    thread.current = current
    thread.worker.ref()
    if (thread.ready) sendJob(thread)
    return thread
  }

  function sendJob(thread: Thread<Job, Result>): void {
    thread.since = performance.now()
    thread.worker.postMessage(thread.current!.job)
    const { milliseconds, processorMilliseconds } = limits
    endAfter(thread, milliseconds, processorMilliseconds === undefined ? new ThreadEnded('time') : busy())
    if (processorMilliseconds !== undefined) void endAfterUse(thread, processorMilliseconds)
  }

  /** Asks again when the job can have used the rest. A thread that cannot answer is left to the clock. */
  async function endAfterUse(thread: Thread<Job, Result>, most: number): Promise<void> {
    const { current, worker } = thread
    try {
      const before = await worker.cpuUsage()
      for (let left = most; left > 0; ) {
        await pause(left, undefined, { ref: false })
        if (thread.current !== current) return
        const { user, system } = await worker.cpuUsage(before)
        left = most - (user + system) / 1000
      }
    } catch {
      // The thread has ended meanwhile.
      return
    }
    if (thread.current === current) endThread(thread, new ThreadEnded('time'))
  }

  function endAfter(thread: Thread<Job, Result>, milliseconds: number, error: Error): void {
    const { current } = thread
    clearTimeout(thread.timer)
    const end = () => thread.current === current && endThread(thread, error)
    // An answer that has already arrived counts, even if this process was too busy to read it.
    thread.timer = setTimeout(() => setImmediate(end), milliseconds)
  }

  function start(): Thread<Job, Result> {
    const isForHeavyUse = [...threads].filter((one) => !one.isForHeavyUse).length >= limits.threads / 2
    const worker = new Worker(limits.file, {
      workerData: { isForHeavyUse },
      env: {},
      execArgv: [],
      // A large young generation: most of what a job allocates dies with it.
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes, maxYoungGenerationSizeMb: limits.megabytes / 2 },
    })
    const thread: Thread<Job, Result> = {
      worker,
      isForHeavyUse,
      ready: false,
      current: undefined,
      since: 0,
      started: Promise.withResolvers(),
      timer: undefined,
    }
    threads.add(thread)
    worker.on('message', (answer: Answer<Result>) => receive(thread, answer))
    worker.on('error', (error: NodeJS.ErrnoException) =>
      endThread(thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadEnded('memory') : error),
    )
    worker.on('exit', () => endThread(thread, new Error('the thread ended')))
    return thread
  }

  function receive(thread: Thread<Job, Result>, answer: Answer<Result>): void {
    if (answer === 'ready') {
      thread.ready = true
      thread.started.resolve()
      if (thread.current) sendJob(thread)
      else thread.worker.unref()
      return
    }
    const { current } = thread
    thread.current = undefined
    clearTimeout(thread.timer)
    thread.worker.unref()
    if ('result' in answer) current?.resolve(answer.result)
    else if ('refusal' in answer) current?.reject(asError(answer.refusal))
    else current?.reject(answer.error)
  }

  /** Fails only the job of this thread. */
  function endThread(thread: Thread<Job, Result>, error: unknown): void {
    if (!threads.delete(thread)) return
    clearTimeout(thread.timer)
    void thread.worker.terminate()
    thread.started.resolve()
    thread.current?.reject(error)
  }

  /**
   * Holds its slot in the queue until a thread is ready again: also after the client has given up, and while a
   * terminated thread is replaced. So a client whose jobs kill threads waits for the replacement, and others find a
   * ready one.
   */
  async function work(job: Job, by: string, signal: AbortSignal, leave: () => void): Promise<Result> {
    const { promise: result, resolve, reject } = Promise.withResolvers<Result>()
    const thread = begin({ job, resolve, reject }, used.by(by) > heavyUse.milliseconds)
    const abandon = () => {
      const left = Math.max(0, thread.since + abandonedLimit - performance.now())
      if (thread.ready) return endAfter(thread, left, abandoned())
      thread.current = undefined
      reject(abandoned())
    }
    signal.addEventListener('abort', abandon, { once: true })
    try {
      return await result
    } finally {
      if (thread.since) used.add(by, performance.now() - thread.since)
      signal.removeEventListener('abort', abandon)
      const isReplaced = thread.ready && threads.size < limits.threads && !closing.signal.aborted
      if (!isReplaced) leave()
      else start().started.promise.then(leave)
    }
  }

  return {
    async run(job, { by, signal } = { by: '' }) {
      const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      const leave = await queue.enter(by, either)
      if (either.aborted) {
        leave()
        throw either.reason
      }
      const working = work(job, by, either, leave)
      return Promise.race([working, aborted(either, working)])
    },
    async close() {
      closing.abort(busy())
      const ending = [...threads]
      threads.clear()
      for (const { current, timer } of ending) {
        clearTimeout(timer)
        current?.reject(busy())
      }
      await Promise.all(ending.map(({ worker }) => worker.terminate()))
    },
  }
}

/** Recent running time of each client's jobs. */
function createUse(ofLast: number) {
  let [now, before] = [new Map<string, number>(), new Map<string, number>()]
  let since = performance.now()
  function turn(): void {
    const passed = performance.now() - since
    if (passed < ofLast) return
    before = passed < 2 * ofLast ? now : new Map()
    now = new Map()
    since = performance.now()
  }
  return {
    add(by: string, milliseconds: number): void {
      turn()
      now.set(by, (now.get(by) ?? 0) + milliseconds)
    },
    by(by: string): number {
      turn()
      return (now.get(by) ?? 0) + (before.get(by) ?? 0)
    },
  }
}

/** Rejects when the signal aborts, unless the work is done by then. */
function aborted(signal: AbortSignal, working: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    const forget = () => signal.removeEventListener('abort', stop)
    working.then(forget, forget)
  })
}

const abandoned = () => new Error('nobody waits for this job')

const busy = () => overloaded(message('error.busy'))

const asError = ({ status, reason, detail, errors }: Refusal): ServiceError =>
  new ServiceError(status, reason, detail, errors ? { errors } : {})
