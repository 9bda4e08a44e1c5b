import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, mock, test } from 'node:test'
import { standfirst } from '@standfirst/sdk'
import { minimalPiece } from '../../testkit/write-api.ts'
import { sdkSite } from './site.ts'

/** When the client retries, and how long it waits. The site is real; its busy answers are simulated. */

const { key, base, noting } = await sdkSite()

interface Moment {
  readonly status: number
  readonly retryAfter?: string
  readonly body?: string
}

/** Gives these answers in order, then the server's. */
function busy(...moments: Moment[]) {
  let times = 0
  const fetch: typeof globalThis.fetch = (address, init) => {
    times += 1
    const moment = moments.shift()
    if (!moment) return noting(address, init)
    const { status, retryAfter, body = JSON.stringify({ ok: false, reason: 'overloaded', detail: 'Busy.' }) } = moment
    return Promise.resolve(new Response(body, { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} }))
  }
  const site = standfirst({ base, key, fetch })
  return { site, fetch, asked: () => times }
}

const ada = { status: 200, body: JSON.stringify({ ok: true, author: { slug: 'ada' } }) }

/** The waits of a call before each retry in milliseconds, with a fake clock and no server. */
async function waitsOf(...moments: Moment[]): Promise<number[]> {
  const { site, asked } = busy(...moments, ada)
  const waits: number[] = []
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const answer = site.authors.get('ada')
    for (let known = 1; known <= moments.length; known += 1) {
      await turn()
      assert.equal(asked(), known, 'it waits')
      let wait = 0
      for (; asked() === known && wait < 60_000; wait += 1) {
        mock.timers.tick(1)
        await Promise.resolve()
      }
      waits.push(wait)
    }
    assert.equal((await answer).slug, 'ada')
  } finally {
    mock.timers.reset()
  }
  return waits
}

/** Waits until pending tasks of this process have run. */
const turn = () => new Promise(setImmediate)

describe('a busy site', () => {
  for (const status of [429, 503]) {
    test(`that answers ${status} is asked again after as long as it says`, async () => {
      const [wait] = await waitsOf({ status, retryAfter: '1' })
      assert.ok(wait! >= 1000 && wait! <= 1260, `it waited ${wait} ms`)
    })
  }

  test('is asked again for changes too, which it has not made', async () => {
    const { site } = busy()
    const { id } = await site.drafts.create(minimalPiece)
    const draft = await site.drafts.get(id)
    const changing = busy({ status: 503, retryAfter: '0' }).site
    const changed = await changing.drafts.update(draft, { sub: 'Changed' })
    const deleting = busy({ status: 429, retryAfter: '0' }).site
    await deleting.drafts.delete(changed)
    await assert.rejects(site.drafts.get(id), { status: 404 })
  })

  test('that says no time is given longer and longer', async () => {
    const waits = await waitsOf({ status: 503 }, { status: 503 }, { status: 503 })
    for (const [at, least] of [250, 500, 1000].entries())
      assert.ok(waits[at]! >= least && waits[at]! <= least * 1.25 + 10, `it waited ${waits} ms`)
  })

  test('that is still at work on the first of two creates is waited for', async () => {
    const conflict = JSON.stringify({ ok: false, reason: 'idempotency_conflict', detail: 'At work.' })
    const { site } = busy({ status: 409, retryAfter: '0', body: conflict })
    assert.equal((await site.drafts.create(minimalPiece)).status, 'draft')
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
    const { site, asked } = busy(...Array.from({ length: 9 }, () => ({ status: 503, retryAfter: '0' })))
    await assert.rejects(site.authors.get('ada'), { status: 503, reason: 'overloaded', retryAfter: 0 })
    assert.equal(asked(), 4)
    const { fetch, asked: askedOnce } = busy({ status: 503, retryAfter: '0' })
    await assert.rejects(standfirst({ base, fetch, retries: 0 }).authors.get('ada'), { status: 503 })
    assert.equal(askedOnce(), 1)
  })

  test('that wants more than a minute is an error at once, with the time', async () => {
    const { site, asked } = busy({ status: 429, retryAfter: '3600' })
    await assert.rejects(site.authors.get('ada'), { status: 429, retryAfter: 3600 })
    assert.equal(asked(), 1)
  })

  test('may say the time as a date', async () => {
    const date = new Date(Date.now() + 7_200_000).toUTCString()
    const error = await busy({ status: 503, retryAfter: date })
      .site.authors.get('ada')
      .catch((error) => error)
    assert.ok(error.retryAfter > 7100 && error.retryAfter <= 7200, `${error.retryAfter}`)
    await busy({ status: 503, retryAfter: new Date(0).toUTCString() }).site.authors.get('ada')
    await busy({ status: 503, retryAfter: 'soon' }).site.authors.get('ada')
  })
})

describe('an answer that is not of the site', () => {
  const html = '<!doctype html><title>Sign in to the Wi-Fi</title>'
  test('is told as such', async () => {
    for (const body of [html, '', '[]', 'null', '{"ok":false}']) {
      const { site, asked } = busy({ status: 200, body })
      await assert.rejects(site.authors.get('ada'), { status: 200, reason: 'unreadable' }, body)
      assert.equal(asked(), 1)
    }
    await assert.rejects(busy({ status: 500, body: html }).site.authors.get('ada'), { status: 500 })
  })

  test('is asked for again where a proxy lost the site, if that is safe', async () => {
    for (const status of [502, 504]) {
      assert.equal((await busy({ status, body: html }).site.authors.get('ada')).slug, 'ada')
      assert.equal((await busy({ status, body: html }).site.drafts.create(minimalPiece)).status, 'draft')
      const { site, asked } = busy({ status, body: html })
      const nothing = { id: crypto.randomUUID(), revision: '"1"' }
      await assert.rejects(site.drafts.delete(nothing), { status, reason: 'unreadable' })
      assert.equal(asked(), 1)
    }
  })
})

describe('a signal', () => {
  test('ends a call while it waits, and before it does', async () => {
    const { site, asked } = busy({ status: 503, retryAfter: '30' })
    await assert.rejects(site.authors.get('ada', { signal: AbortSignal.abort() }), { name: 'AbortError' })
    assert.equal(asked(), 1)
    const ending = new AbortController()
    const { fetch, asked: askedOnce } = busy({ status: 503, retryAfter: '30' })
    // The callback runs when the wait begins.
    const onWait = () => setImmediate(() => ending.abort(new DOMException('Too late', 'TimeoutError')))
    const late = standfirst({ base, fetch, onWait }).authors.get('ada', { signal: ending.signal })
    await assert.rejects(late, { name: 'TimeoutError' })
    assert.equal(askedOnce(), 1)
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
    const { site } = busy({ status: 503, retryAfter: '0' }, ada)
    await site.authors.get('ada', { signal })
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  })
})

test('a site that leads on is told, where a draft or a key would go along, and followed where anybody may read', async () => {
  const leading: typeof fetch = async (address, init) => {
    if (init?.redirect !== 'manual') return noting(address, init)
    return new Response(null, { status: 301, headers: { location: 'https://new.site.test/' } })
  }
  const site = standfirst({ base, key, fetch: leading })
  await assert.rejects(site.drafts.create(minimalPiece), {
    status: 301,
    reason: 'moved',
    detail: `${base} leads on to https://new.site.test/. Use the address of the site there.`,
  })
  assert.equal((await site.authors.get('ada')).slug, 'ada')
})

test('a header that cannot be is an error at once, not a lost answer', async () => {
  const { site, asked } = busy()
  await assert.rejects(site.drafts.create(minimalPiece, { idempotencyKey: 'two\nlines' }), TypeError)
  assert.equal(asked(), 0)
})
