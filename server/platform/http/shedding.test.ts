import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { until } from '../../../testkit/waiting.ts'
import { measurePressure, type Pressure, shed } from './admission.ts'
import { handleErrors } from './errors.ts'

async function askAt(delay: number, { times = 1, inFlight = 2 } = {}): Promise<Record<string, number>> {
  const pressure: Pressure = { delay: () => delay, close: () => {} }
  const app = fastify()
  handleErrors(app)
  for (const weight of ['search', 'list', 'single'] as const) {
    app.get(`/${weight}`, { onRequest: shed(weight, pressure, () => inFlight, times) }, async () => 'here')
  }
  const statuses: Record<string, number> = {}
  for (const weight of ['search', 'list', 'single']) {
    const { statusCode, headers } = await app.inject(`/${weight}`)
    statuses[weight] = statusCode
    if (statusCode === 503) assert.equal(headers['retry-after'], '2')
  }
  return statuses
}

test('what is dear gives way first', async () => {
  assert.deepEqual(await askAt(0), { search: 200, list: 200, single: 200 })
  assert.deepEqual(await askAt(350), { search: 503, list: 200, single: 200 })
  assert.deepEqual(await askAt(450), { search: 503, list: 503, single: 200 })
  assert.deepEqual(await askAt(600), { search: 503, list: 503, single: 503 })
})

test('a process told to be patient refuses later, and one whose heap is full refuses all the same', async () => {
  assert.deepEqual(await askAt(700, { times: 2 }), { search: 503, list: 200, single: 200 })
  assert.deepEqual(await askAt(Number.POSITIVE_INFINITY, { times: 1000 }), { search: 503, list: 503, single: 503 })
})

test('who is alone is never refused', async () => {
  for (const delay of [10_000, Number.POSITIVE_INFINITY]) {
    assert.deepEqual(await askAt(delay, { inFlight: 1 }), { search: 200, list: 200, single: 200 })
  }
})

test('a blocked event loop is noticed, and forgotten when it is over', async () => {
  const pressure = measurePressure()
  const nobody = new Int32Array(new SharedArrayBuffer(4))
  await until(() => {
    Atomics.wait(nobody, 0, 0, 400)
    return pressure.delay() > 100
  }, 'it is noticed')
  await until(() => pressure.delay() < 100, 'it is forgotten')
  pressure.close()
})
