import { parentPort, Worker } from 'node:worker_threads'
import { type FieldProblem, overloaded, type Reason, ServiceError } from './errors.ts'

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
}

export interface Threads<Job, Result> {
  run(job: Job): Promise<Result>
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

interface Waiting<Job, Result> {
  readonly job: Job
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

interface Thread<Job, Result> {
  readonly worker: Worker
  ready: boolean
  current: Waiting<Job, Result> | undefined
  timer: NodeJS.Timeout | undefined
}

/** Threads start with the first job that finds none idle, and keep a process alive only while they work. */
export function openThreads<Job, Result>(limits: ThreadLimits): Threads<Job, Result> {
  const queue: Waiting<Job, Result>[] = []
  const threads = new Set<Thread<Job, Result>>()
  let closed = false

  function deal(): void {
    for (const thread of threads) if (thread.ready && !thread.current && queue.length > 0) give(thread, queue.shift()!)
    const starting = [...threads].filter(({ ready }) => !ready).length
    if (queue.length > starting && threads.size < limits.threads) start()
  }

  function give(thread: Thread<Job, Result>, waiting: Waiting<Job, Result>): void {
    thread.current = waiting
    thread.worker.ref()
    thread.worker.postMessage(waiting.job)
    // An answer that is already here counts, even if this process was too busy to read it.
    thread.timer = setTimeout(() => setImmediate(outOfTime, thread, waiting), limits.milliseconds)
  }

  function outOfTime(thread: Thread<Job, Result>, waiting: Waiting<Job, Result>): void {
    if (thread.current === waiting) lose(thread, new ThreadEnded('time'))
  }

  function start(): void {
    const worker = new Worker(limits.file, {
      env: {},
      execArgv: [],
      // A roomy young generation: most of what a job makes dies with it.
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes, maxYoungGenerationSizeMb: limits.megabytes / 2 },
    })
    const thread: Thread<Job, Result> = { worker, ready: false, current: undefined, timer: undefined }
    threads.add(thread)
    worker.on('message', (answer: Answer<Result>) => receive(thread, answer))
    worker.on('error', (error: NodeJS.ErrnoException) =>
      lose(thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadEnded('memory') : error),
    )
    worker.on('exit', () => lose(thread, new Error('the thread ended')))
  }

  function receive(thread: Thread<Job, Result>, answer: Answer<Result>): void {
    const { current } = thread
    thread.ready = true
    thread.current = undefined
    clearTimeout(thread.timer)
    thread.worker.unref()
    if (answer !== 'ready') {
      if ('result' in answer) current?.resolve(answer.result)
      else if ('refusal' in answer) current?.reject(asError(answer.refusal))
      else current?.reject(answer.error)
    }
    deal()
  }

  /** Its job fails, and no other. One that never came to work fails the first that waits, so that nobody waits forever. */
  function lose(thread: Thread<Job, Result>, error: unknown): void {
    if (!threads.delete(thread)) return
    clearTimeout(thread.timer)
    void thread.worker.terminate()
    const failed = thread.ready ? thread.current : queue.shift()
    failed?.reject(error)
    deal()
  }

  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        if (closed || queue.length >= limits.mostWaiting) return reject(busy())
        queue.push({ job, resolve, reject })
        deal()
      }),
    async close() {
      closed = true
      const ending = [...threads]
      threads.clear()
      for (const { reject } of queue.splice(0)) reject(busy())
      for (const { current, timer } of ending) {
        clearTimeout(timer)
        current?.reject(busy())
      }
      await Promise.all(ending.map(({ worker }) => worker.terminate()))
    },
  }
}

const busy = () => overloaded('The service is busy. Try again in a moment.')

const asError = ({ status, reason, detail, errors }: Refusal): ServiceError =>
  new ServiceError(status, reason, detail, errors ? { errors } : {})
