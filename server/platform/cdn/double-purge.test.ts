import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeatPurges } from './purge.ts'

/** A clock controlled by the test. */
function waitsByHand() {
  const waits: { milliseconds: number; over: () => void }[] = []
  const wait = (milliseconds: number) => new Promise<void>((over) => waits.push({ milliseconds, over }))
  const pass = async () => {
    const { milliseconds, over } = waits.shift()!
    over()
    await new Promise(setImmediate)
    return milliseconds
  }
  return { wait, pass }
}

test('each purge is repeated a second later, with others of the same quarter second, before its worker ends', async () => {
  const sent: string[][] = []
  const { wait, pass } = waitsByHand()
  const { purge, stop } = repeatPurges(
    async (tags) => void sent.push([...tags]),
    () => assert.fail(),
    wait,
  )
  await purge(['a', 'b'])
  await purge(['b', 'c'])
  assert.equal(await pass(), 250)
  await purge(['d'])
  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  const first = [['a', 'b'], ['b', 'c'], ['d']]
  assert.deepEqual(sent, first)
  assert.equal(await pass(), 1000)
  assert.deepEqual(sent, [...first, ['a', 'b', 'c']])
  assert.equal(isStopped, false)
  assert.deepEqual([await pass(), await pass()], [250, 1000])
  await stopped
  assert.deepEqual(sent, [...first, ['a', 'b', 'c'], ['d']])
})

test('a purge that failed is not repeated, and one that fails when repeated was done the first time', async () => {
  const troubles: unknown[] = []
  let calls = 0
  const { purge, stop } = repeatPurges(
    async () => {
      calls += 1
      if (calls !== 2) throw new Error(`call ${calls}`)
    },
    (trouble) => troubles.push(trouble),
    async () => {},
  )
  await assert.rejects(purge(['a']), /call 1/)
  await stop()
  assert.equal(calls, 1)
  await purge(['a'])
  await stop()
  assert.match(String(troubles[0]), /call 3/)
})
