import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue, type QueueLimits } from './fair-queue.ts'

const limits: QueueLimits = {
  atOnce: 1,
  atOnceEach: 1,
  waiting: 4,
  waitingEach: 3,
  refuse: (why) => new Error(why),
}

/** Enters for each of these in order, and returns the order of their turns. */
async function turnsOf(askers: string[], given: Partial<QueueLimits> = {}): Promise<string[]> {
  const queue = createFairQueue({ ...limits, ...given })
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
  const queue = createFairQueue(limits)
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
