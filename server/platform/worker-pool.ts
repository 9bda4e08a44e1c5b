import { constants, setPriority } from 'node:os'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { type FieldProblem, overloaded, type Reason, ServiceError } from './errors.ts'
import { createFairQueue } from './fair-queue.ts'

/** Work that would hold up the event loop, done in threads that can be ended: by the clock, and by their memory. */

export interface ThreadLimits {
  /** A module that calls `answerJobs`. */
  readonly file: URL
  readonly threads: number
  /** For one job, from when a thread begins with it. */
  readonly milliseconds: number
  /** Of the old generation. */
  readonly megabytes: number
  readonly mostWaiting: number
  /** What one asker may have of the threads and of the queue, and what is said to who wants more; all, unless it is said. */
  readonly each?: { readonly threads: number; readonly waiting: number; readonly refusal: () => ServiceError }
}

/** Who wants a job done. The job ends with the signal: at once where it waits, and where it runs if it is slow. */
export interface JobAsker {
  readonly by: string
  readonly signal?: AbortSignal | undefined
}

export interface WorkerPool<Job, Result> {
  run(job: Job, asker?: JobAsker): Promise<Result>
  close(): Promise<void>
}

/** The job took more than it may, and its thread was ended. */
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
  readonly detail: string
  readonly errors: readonly FieldProblem[] | undefined
}
type Answer<Result> =
  | 'ready'
  | { readonly result: Result }
  | { readonly refusal: Refusal }
  | { readonly error: unknown }

/** Called once by the thread's own module. */
export function answerJobs<Job, Result>(work: (job: Job) => Result | Promise<Result>): void {
  const port = parentPort!
  // Linux gives each thread a priority of its own; elsewhere this would be the whole process's.
  if (workerData.isForHeavyUse && process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const send = (answer: Answer<Result>) => port.postMessage(answer)
  port.on('message', async (job: Job) => {
    try {
      send({ result: await work(job) })
    } catch (error) {
      // An error crosses as a plain Error: what a caller may know is taken apart, and put together on the other side.
      if (error instanceof ServiceError) {
        const { status, reason, message, errors } = error
        send({ refusal: { status, reason, detail: message, errors } })
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
  /** When the job began, by performance.now(). */
  since: number
  /** Settles when it is ready, or will never be. */
  readonly started: PromiseWithResolvers<void>
  timer: NodeJS.Timeout | undefined
}

/**
 * A job that nobody waits for any more may take so many milliseconds in all. Most end by themselves, and a new thread
 * takes as long to start.
 */
const longestForNobody = 250

/** An asker whose jobs took this much in the last seconds is a heavy one: their jobs let those of others go first. */
const heavyUse = { milliseconds: 500, ofLast: 10_000 }

/**
 * Half of the threads have a lower priority, and jobs of heavy askers are done there where one is free: on a machine that
 * has nothing else to do they take no longer, and on one that is busy those who ask for little do not wait for them.
 * Threads start with the first job, and keep a process alive only while they work. */
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

  /** An asker whose turn it is finds fewer at work than there are. */
  function begin(current: Running<Job, Result>, isHeavy: boolean): Thread<Job, Result> {
    while (threads.size < limits.threads) start()
    const idle = [...threads].filter((one) => !one.current)
    const ready = idle.filter((one) => one.ready)
    const thread = ready.find((one) => one.isForHeavyUse === isHeavy) ?? ready[0] ?? idle[0]!
    thread.current = current
    thread.worker.ref()
    if (thread.ready) give(thread)
    return thread
  }

  function give(thread: Thread<Job, Result>): void {
    thread.since = performance.now()
    thread.worker.postMessage(thread.current!.job)
    endAfter(thread, limits.milliseconds, new ThreadEnded('time'))
  }

  function endAfter(thread: Thread<Job, Result>, milliseconds: number, error: Error): void {
    const { current } = thread
    clearTimeout(thread.timer)
    const end = () => thread.current === current && lose(thread, error)
    // An answer that is already here counts, even if this process was too busy to read it.
    thread.timer = setTimeout(() => setImmediate(end), milliseconds)
  }

  function start(): Thread<Job, Result> {
    const isForHeavyUse = [...threads].filter((one) => !one.isForHeavyUse).length >= limits.threads / 2
    const worker = new Worker(limits.file, {
      workerData: { isForHeavyUse },
      env: {},
      execArgv: [],
      // A roomy young generation: most of what a job makes dies with it.
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
      lose(thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadEnded('memory') : error),
    )
    worker.on('exit', () => lose(thread, new Error('the thread ended')))
    return thread
  }

  function receive(thread: Thread<Job, Result>, answer: Answer<Result>): void {
    if (answer === 'ready') {
      thread.ready = true
      thread.started.resolve()
      if (thread.current) give(thread)
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

  /** Its job fails, and no other. */
  function lose(thread: Thread<Job, Result>, error: unknown): void {
    if (!threads.delete(thread)) return
    clearTimeout(thread.timer)
    void thread.worker.terminate()
    thread.started.resolve()
    thread.current?.reject(error)
  }

  /**
   * Holds its place in the queue until a thread is ready again: also after its asker has given up, and while one that had
   * to be ended is replaced. So an asker whose jobs end threads waits for the new one, and others find one that is ready.
   */
  async function work(job: Job, by: string, signal: AbortSignal, leave: () => void): Promise<Result> {
    const { promise: result, resolve, reject } = Promise.withResolvers<Result>()
    const thread = begin({ job, resolve, reject }, used.by(by) > heavyUse.milliseconds)
    const abandon = () => {
      const left = Math.max(0, thread.since + longestForNobody - performance.now())
      if (thread.ready) return endAfter(thread, left, forNobody())
      thread.current = undefined
      reject(forNobody())
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

/** How long the jobs of each asker took of late. */
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

/** Rejects with the signal, unless the work is over by then. */
function aborted(signal: AbortSignal, working: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    const forget = () => signal.removeEventListener('abort', stop)
    working.then(forget, forget)
  })
}

const forNobody = () => new Error('nobody waits for this job')

const busy = () => overloaded('The service is busy. Try again in a moment.')

const asError = ({ status, reason, detail, errors }: Refusal): ServiceError =>
  new ServiceError(status, reason, detail, errors ? { errors } : {})
