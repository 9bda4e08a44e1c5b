import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, test } from 'node:test'
import { until } from '../../testkit/waiting.ts'
import { ServiceError } from './errors.ts'
import { createFairQueue, type QueueLimits } from './fair-queue.ts'
import { openWorkerPool, ThreadEnded } from './worker-pool.ts'

const here = (name: string) => new URL(name, import.meta.url).href

const source = `
  import { answerJobs } from '${here('./worker-pool.ts')}'
  import { ServiceError } from '${here('./errors.ts')}'
  import { getPriority } from 'node:os'
  let done = 0
  answerJobs((job) => {
    done += 1
    if (job === 'spin') for (;;);
    if (job === 'sleep') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    if (job === 'heavy') for (let rounds = 0; rounds < 100_000_000; rounds += 1) done += rounds % 2
    if (job === 'priority') return getPriority()
    if (job === 'hoard') for (const all = []; ; ) all.push(new Array(100_000).fill(done))
    if (job === 'exit') process.exit(3)
    if (job === 'throw') throw new TypeError('not this')
    if (job === 'refuse') throw new ServiceError(422, 'render_too_large', 'Too much.', { errors: [{ pointer: '/a', code: 'b', detail: 'c' }] })
    if (job === 'env') return Object.keys(process.env).length
    return done
  })`
const limits = {
  file: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
  threads: 1,
  milliseconds: 120_000,
  megabytes: 32,
  mostWaiting: 3,
}

/** A test changes the time: it is read when a job begins. */
const changeable = () => ({ ...limits, milliseconds: 50, mostWaiting: 10 })

const threads = openWorkerPool<string, number>(limits)
after(() => threads.close())

test('one thread does jobs after each other', async () => {
  assert.deepEqual(await Promise.all(['a', 'b', 'c'].map((job) => threads.run(job))), [1, 2, 3])
})

test('a job that is refused or fails leaves its thread at work', async () => {
  await assert.rejects(threads.run('refuse'), (error) => {
    assert.ok(error instanceof ServiceError)
    assert.deepEqual([error.status, error.reason, error.message], [422, 'render_too_large', 'Too much.'])
    assert.deepEqual(error.errors, [{ pointer: '/a', code: 'b', detail: 'c' }])
    return true
  })
  await assert.rejects(threads.run('throw'), { name: 'TypeError', message: 'not this' })
  assert.equal(await threads.run('a'), 6)
})

test('a job over its time, over its memory or without an answer fails alone, and a new thread takes the next', async () => {
  const ended = (over: string) => (error: unknown) => error instanceof ThreadEnded && error.over === over
  const hasty = changeable()
  const threads = openWorkerPool<string, number>(hasty)
  const [time, afterTime] = [threads.run('spin'), threads.run('a')]
  await assert.rejects(time, ended('time'))
  hasty.milliseconds = limits.milliseconds
  assert.equal(await afterTime, 1)

  const [memory, afterMemory] = [threads.run('hoard'), threads.run('a')]
  await assert.rejects(memory, ended('memory'))
  assert.equal(await afterMemory, 1)

  const [exit, afterExit] = [threads.run('exit'), threads.run('a')]
  await assert.rejects(exit, /the thread ended/)
  assert.equal(await afterExit, 1)
  await threads.close()
})

test('a job that used its processor time is over it, and one that the clock ends without is told that the machine is busy', async () => {
  const used = openWorkerPool<string, number>({ ...limits, processorMilliseconds: 50 })
  await assert.rejects(used.run('spin'), (error) => error instanceof ThreadEnded && error.over === 'time')
  assert.equal(await used.run('a'), 1)
  await used.close()

  const hasty = { ...changeable(), processorMilliseconds: limits.milliseconds }
  const idle = openWorkerPool<string, number>(hasty)
  const [sleeping, next] = [idle.run('sleep'), idle.run('a')]
  await assert.rejects(sleeping, (error) => {
    assert.ok(error instanceof ServiceError)
    assert.deepEqual([error.status, error.reason, error.headers['retry-after']], [503, 'overloaded', '2'])
    return true
  })
  hasty.milliseconds = limits.milliseconds
  assert.equal(await next, 1)
  await idle.close()
})

test('the clock runs for the job at work, not for those that wait', async () => {
  const hasty = changeable()
  const other = openWorkerPool<string, number>(hasty)
  const [first, second, third] = ['spin', 'spin', 'a'].map((job) => other.run(job))
  await assert.rejects(first!)
  await assert.rejects(second!)
  hasty.milliseconds = limits.milliseconds
  assert.equal(await third, 1)
  await other.close()
})

test('when as many wait as may, the next is told to come again', async () => {
  const jobs = Array.from({ length: 5 }, () => threads.run('a'))
  const outcomes = await Promise.allSettled(jobs)
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.equal(refused.length, 1)
  assert.equal(refused[0]?.reason.status, 503)
  assert.equal(refused[0]?.reason.headers['retry-after'], '2')
})

test('one asker can take neither all threads nor all places to wait, and others go before their next', async () => {
  const refusal = () => new ServiceError(429, 'rate_limited', 'Wait for yours.')
  const shared = openWorkerPool<string, number>({ ...limits, threads: 2, each: { threads: 1, waiting: 2, refusal } })
  const flood = Array.from({ length: 5 }, () => shared.run('spin', { by: 'mallory' }))
  const outcomes = flood.map((job) => job.then(String, (error) => error.status))
  // Waiting jobs are not refused: 2 of 5, besides the running one.
  assert.deepEqual(await Promise.all(outcomes.slice(3)), [429, 429])
  for (const by of ['ada', 'bob', 'ada']) assert.equal(typeof (await shared.run('a', { by })), 'number')
  await shared.close()
  assert.deepEqual(await Promise.all(outcomes.slice(0, 3)), [503, 503, 503])
})

test('a job that nobody waits for any more is never begun, and ended where it is slow', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const spinning = threads.run('spin', { by: 'ada', signal: first.signal })
  const waiting = threads.run('exit', { by: 'ada', signal: second.signal })
  const next = threads.run('a', { by: 'ada' })
  second.abort(new Error('not needed'))
  await assert.rejects(waiting, /not needed/)
  first.abort(new Error('gone'))
  await assert.rejects(spinning, /gone/)
  assert.equal(await next, 1)
  await assert.rejects(threads.run('a', { by: 'ada', signal: first.signal }), /gone/)
})

test('a job that is given up before its thread has started leaves that thread to the next', async () => {
  const other = openWorkerPool<string, number>(limits)
  const gone = new AbortController()
  const given = other.run('spin', { by: 'ada', signal: gone.signal })
  const next = other.run('a', { by: 'ada' })
  await Promise.resolve()
  gone.abort(new Error('gone'))
  await assert.rejects(given, /gone/)
  assert.equal(await next, 1)
  await other.close()
})

test('a thread sees nothing of the environment', async () => {
  assert.equal(await threads.run('env'), 0)
})

test('a thread that cannot begin fails who waits, one after the other', async () => {
  const broken = openWorkerPool<string, number>({
    ...limits,
    file: new URL('data:text/javascript,throw new Error("no")'),
  })
  const outcomes = await Promise.allSettled([broken.run('a'), broken.run('b')])
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.message),
    ['no', 'no'],
  )
  await broken.close()
})

test('closing ends the job at work and those that wait, and takes no more', async () => {
  const other = openWorkerPool<string, number>(limits)
  const jobs = ['spin', 'a'].map((job) => other.run(job))
  const outcomes = Promise.allSettled(jobs)
  await other.close()
  for (const outcome of await outcomes) assert.equal(outcome.status, 'rejected')
  await assert.rejects(other.run('a'), { status: 503 })
})

test('a program waits for its jobs, and then ends without being told to', () => {
  const program = `
    import { openWorkerPool } from '${here('./worker-pool.ts')}'
    /** A test changes the time: it is read when a job begins. */
const changeable = () => ({ ...limits, milliseconds: 50, mostWaiting: 10 })

const threads = openWorkerPool({ ...${JSON.stringify(limits)}, file: new URL(${JSON.stringify(limits.file.href)}) })
    console.log(await threads.run('a'))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { timeout: 120_000 })
  assert.equal(String(output), '1\n')
})

test('the jobs of who asks for much have a lower priority, and those of others have not', {
  skip: process.platform !== 'linux' && 'only Linux gives each thread a priority',
}, async () => {
  const threads = openWorkerPool<string, number>({ ...limits, threads: 2 })
  const priorityOf = (by: string) => threads.run('priority', { by })
  assert.equal(await priorityOf('mallory'), 0)
  await until(async () => {
    await threads.run('heavy', { by: 'mallory' })
    return (await priorityOf('mallory')) === 10
  }, 'much was asked for, and the thread of lower priority is ready')
  for (let times = 0; times < 5; times += 1)
    assert.deepEqual([await priorityOf('ada'), await priorityOf('mallory')], [0, 10])
  await threads.close()
})

const queueLimits: QueueLimits = {
  atOnce: 1,
  atOnceEach: 1,
  waiting: 4,
  waitingEach: 3,
  refuse: (why) => new Error(why),
}

/** Enters for each of these in order, and returns the order of their turns. */
async function turnsOf(askers: string[], given: Partial<QueueLimits> = {}): Promise<string[]> {
  const queue = createFairQueue({ ...queueLimits, ...given })
  const turns: string[] = []
  await Promise.all(
    askers.map((by) =>
      queue.enter(by).then(
        (leave) => {
          turns.push(by)
          leave()
        },
        (error) => turns.push(`${by}: ${error.message}`),
      ),
    ),
  )
  return turns
}

test('the asker served longest ago is next', async () => {
  assert.deepEqual(await turnsOf(['a', 'a', 'a', 'b', 'c']), ['a', 'b', 'c', 'a', 'a'])
})

test('who has a share waiting already is refused, and another is not', async () => {
  const turns = await turnsOf(['a', 'a', 'a', 'a', 'a', 'b'])
  assert.deepEqual(turns.toSorted(), ['a', 'a', 'a', 'a', 'a: own share', 'b'])
})

test('when all places are taken, who has most of them gives one up to who has none', async () => {
  const turns = await turnsOf(['a', 'a', 'a', 'a', 'b', 'c', 'd', 'e'])
  assert.deepEqual(turns.toSorted(), ['a', 'a', 'a: own share', 'a: own share', 'b', 'c', 'd', 'e: full'])
})

test('where nobody may wait, who has their share and who comes when all is taken are told apart', async () => {
  const none = { waiting: 0, waitingEach: 0 }
  assert.deepEqual(await turnsOf(['a', 'a'], { ...none, atOnce: 2 }), ['a: own share', 'a'].toReversed())
  assert.deepEqual(await turnsOf(['a', 'b'], none), ['a', 'b: full'])
})

test('a place is given back once, however often, and an asker that goes while waiting is forgotten', async () => {
  const queue = createFairQueue(queueLimits)
  const leave = await queue.enter('a')
  const gone = new AbortController()
  const waiting = queue.enter('b', gone.signal)
  const next = queue.enter('c')
  gone.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  leave()
  leave()
  const leaveToo = await next
  let isIn = false
  const last = queue.enter('a').then((leave) => {
    isIn = true
    leave()
  })
  await Promise.resolve()
  assert.equal(isIn, false)
  leaveToo()
  await last
  await assert.rejects(queue.enter('a', gone.signal), /gone/)
})
