import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeated } from './repeat.ts'

test('each purge is said once more, a second later and with others of its time, before its worker ends', async () => {
  const said: [number, string[]][] = []
  const began = performance.now()
  const { purge, stop } = repeated(
    async (tags) => void said.push([performance.now() - began, [...tags]]),
    () => assert.fail(),
  )
  await purge(['a', 'b'])
  await purge(['b', 'c'])
  await stop()
  assert.deepEqual(
    said.map(([, tags]) => tags),
    [
      ['a', 'b'],
      ['b', 'c'],
      ['a', 'b', 'c'],
    ],
  )
  assert.ok(said[2]![0] >= 990 && said[2]![0] < 2000, `${said[2]![0]} ms`)
})

test('a purge that failed is not said again here, and one that fails the second time was done the first', async () => {
  const troubles: unknown[] = []
  let calls = 0
  const { purge, stop } = repeated(
    async () => {
      calls += 1
      if (calls !== 2) throw new Error(`call ${calls}`)
    },
    (trouble) => troubles.push(trouble),
  )
  await assert.rejects(purge(['a']), /call 1/)
  await stop()
  assert.equal(calls, 1)
  await purge(['a'])
  await stop()
  assert.match(String(troubles[0]), /call 3/)
})
