import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, test } from 'node:test'
import { standfirst } from '@standfirst/sdk'
import { sdkHouse } from './sdk-house.ts'
import { least } from './writing.ts'

/** How the client waits, and when it does not. The house is real; a busy moment of it is played. */

const { key, base, noting } = await sdkHouse()

interface Moment {
  readonly status: number
  readonly retryAfter?: string
  readonly body?: string
}

/** Answers so, one after the other, and then as the house does. Knows when it was asked. */
function busy(...moments: Moment[]) {
  const times: number[] = []
  const fetch: typeof globalThis.fetch = (address, init) => {
    times.push(performance.now())
    const moment = moments.shift()
    if (!moment) return noting(address, init)
    const { status, retryAfter, body = JSON.stringify({ ok: false, reason: 'overloaded', detail: 'Busy.' }) } = moment
    return Promise.resolve(new Response(body, { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} }))
  }
  const house = standfirst({ base, key, fetch })
  const waits = () => times.slice(1).map((time, at) => time - times[at]!)
  return { house, fetch, waits, asked: () => times.length }
}

describe('a busy house', () => {
  for (const status of [429, 503]) {
    test(`that answers ${status} is asked again after as long as it says`, async () => {
      const { house, waits } = busy({ status, retryAfter: '1' })
      assert.equal((await house.authors.get('ada')).slug, 'ada')
      const [wait] = waits()
      assert.ok(wait! > 990, `it waited ${wait} ms`)
    })
  }

  test('is asked again for changes too, which it has not made', async () => {
    const { house } = busy()
    const { id } = await house.drafts.create(least)
    const draft = await house.drafts.get(id)
    const changing = busy({ status: 503, retryAfter: '0' }).house
    const changed = await changing.drafts.update(draft, { sub: 'Changed' })
    const deleting = busy({ status: 429, retryAfter: '0' }).house
    await deleting.drafts.delete(changed)
    await assert.rejects(house.drafts.get(id), { status: 404 })
  })

  test('that says no time is given longer and longer', async () => {
    const { house, waits } = busy({ status: 503 }, { status: 503 }, { status: 503 })
    await house.authors.get('ada')
    const [first, second, third] = waits()
    assert.ok(first! >= 245 && second! >= 495 && third! >= 995, `it waited ${waits()} ms`)
  })

  test('that is still at work on the first of two creates is waited for', async () => {
    const conflict = JSON.stringify({ ok: false, reason: 'idempotency_conflict', detail: 'At work.' })
    const { house } = busy({ status: 409, retryAfter: '0', body: conflict })
    assert.equal((await house.drafts.create(least)).status, 'draft')
  })

  test('is waited for with the knowledge of who asked', async () => {
    const { fetch } = busy({ status: 503, retryAfter: '0' }, { status: 408 })
    const waits: [boolean, number][] = []
    const onWait = (seconds: number, { status }: { status: number }) => waits.push([seconds < 1, status])
    await standfirst({ base, fetch, onWait }).authors.get('ada')
    assert.deepEqual(waits, [
      [true, 503],
      [true, 408],
    ])
  })

  test('is not asked more often than agreed', async () => {
    const { house, asked } = busy(...Array.from({ length: 9 }, () => ({ status: 503, retryAfter: '0' })))
    await assert.rejects(house.authors.get('ada'), { status: 503, reason: 'overloaded', retryAfter: 0 })
    assert.equal(asked(), 4)
    const { fetch, asked: askedOnce } = busy({ status: 503, retryAfter: '0' })
    await assert.rejects(standfirst({ base, fetch, retries: 0 }).authors.get('ada'), { status: 503 })
    assert.equal(askedOnce(), 1)
  })

  test('that wants more than a minute is an error at once, with the time', async () => {
    const { house, asked } = busy({ status: 429, retryAfter: '3600' })
    await assert.rejects(house.authors.get('ada'), { status: 429, retryAfter: 3600 })
    assert.equal(asked(), 1)
  })

  test('may say the time as a date', async () => {
    const date = new Date(Date.now() + 7_200_000).toUTCString()
    const error = await busy({ status: 503, retryAfter: date })
      .house.authors.get('ada')
      .catch((error) => error)
    assert.ok(error.retryAfter > 7100 && error.retryAfter <= 7200, `${error.retryAfter}`)
    await busy({ status: 503, retryAfter: new Date(0).toUTCString() }).house.authors.get('ada')
    await busy({ status: 503, retryAfter: 'soon' }).house.authors.get('ada')
  })
})

describe('an answer that is not of the house', () => {
  const html = '<!doctype html><title>Sign in to the Wi-Fi</title>'
  test('is told as such', async () => {
    for (const body of [html, '', '[]', 'null', '{"ok":false}']) {
      const { house, asked } = busy({ status: 200, body })
      await assert.rejects(house.authors.get('ada'), { status: 200, reason: 'unreadable' }, body)
      assert.equal(asked(), 1)
    }
    await assert.rejects(busy({ status: 500, body: html }).house.authors.get('ada'), { status: 500 })
  })

  test('is asked for again where a proxy lost the house, if that is safe', async () => {
    for (const status of [502, 504]) {
      assert.equal((await busy({ status, body: html }).house.authors.get('ada')).slug, 'ada')
      assert.equal((await busy({ status, body: html }).house.drafts.create(least)).status, 'draft')
      const { house, asked } = busy({ status, body: html })
      const nothing = { id: crypto.randomUUID(), revision: '"1"' }
      await assert.rejects(house.drafts.delete(nothing), { status, reason: 'unreadable' })
      assert.equal(asked(), 1)
    }
  })
})

describe('a signal', () => {
  test('ends a call while it waits, and before it does', async () => {
    const { house, asked } = busy({ status: 503, retryAfter: '30' })
    await assert.rejects(house.authors.get('ada', { signal: AbortSignal.abort() }), { name: 'AbortError' })
    assert.equal(asked(), 1)
    const waiting = busy({ status: 503, retryAfter: '30' })
    const began = performance.now()
    const late = waiting.house.authors.get('ada', { signal: AbortSignal.timeout(100) })
    await assert.rejects(late, { name: 'TimeoutError' })
    assert.ok(performance.now() - began < 5000)
    assert.equal(waiting.asked(), 1)
  })

  test('ends the iteration of a list, and a call on its way, with its own reason', async () => {
    const ending = new AbortController()
    const hanging: typeof fetch = (_, init) =>
      new Promise((_, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)))
    const { pieces } = standfirst({ base, fetch: hanging })
    const first = pieces.recent({ signal: ending.signal }).take(1)
    ending.abort(new Error('enough'))
    await assert.rejects(first, /enough/)
  })

  test('that never comes leaves nothing behind', async () => {
    const { signal } = new AbortController()
    const author = JSON.stringify({ ok: true, author: { slug: 'ada' } })
    const { house } = busy({ status: 503, retryAfter: '0' }, { status: 200, body: author })
    await house.authors.get('ada', { signal })
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  })
})

test('a house that leads on is told, where a draft or a key would go along, and followed where anybody may read', async () => {
  const leading: typeof fetch = async (address, init) => {
    if (init?.redirect !== 'manual') return noting(address, init)
    return new Response(null, { status: 301, headers: { location: 'https://new.house.test/' } })
  }
  const house = standfirst({ base, key, fetch: leading })
  await assert.rejects(house.drafts.create(least), {
    status: 301,
    reason: 'moved',
    detail: `${base} leads on to https://new.house.test/. Use the address of the house there.`,
  })
  assert.equal((await house.authors.get('ada')).slug, 'ada')
})

test('a header that cannot be is an error at once, not a lost answer', async () => {
  const { house, asked } = busy()
  await assert.rejects(house.drafts.create(least, { idempotencyKey: 'two\nlines' }), TypeError)
  assert.equal(asked(), 0)
})
