import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settings } from '../../server/config/config.ts'
import { testApp } from '../../testkit/app.ts'
import { makeDraft, makeKey, makeWriter } from '../../testkit/factories.ts'
import { type Answer, checkedInject } from '../../testkit/openapi.ts'
import { freezeClock } from '../../testkit/waiting.ts'
import {
  caller,
  countRows,
  everyScope,
  idOf,
  isRefused,
  makePieceInState,
  minimalPiece,
  pieces,
  writeApiSite,
} from '../../testkit/write-api.ts'

/** Limits of a key: writes per minute, drafts per day. */

const clock = freezeClock()
const { url, admin, ask, writer, create, read, edit, remove, list, send } = await writeApiSite()

const newKeyFor = async (app: typeof ask, owner = writer) =>
  caller(app, (await makeKey(admin, owner, { scopes: everyScope })).key)

const policyOf = ({ headers }: Answer) => {
  const [, name, allowed, window] = /^"([a-z]+)";q=(\d+);w=(\d+)$/.exec(String(headers['ratelimit-policy'])) ?? []
  const [, same, left, seconds] = /^"([a-z]+)";r=(\d+);t=(\d+)$/.exec(String(headers['ratelimit'])) ?? []
  assert.equal(name, same, `${headers['ratelimit-policy']} and ${headers['ratelimit']}`)
  return { name, allowed: Number(allowed), window: Number(window), left: Number(left), seconds: Number(seconds) }
}

test('a site that sets nothing allows 120 writes a minute and 2,000 drafts a day', () => {
  assert.deepEqual([settings.RATE_WRITE.fallback, settings.DRAFTS_PER_DAY.fallback], ['120', '2000'])
})

describe('writes', async () => {
  const limited = checkedInject(await testApp(url, { RATE_WRITE: '120' }))
  const few = checkedInject(await testApp(url, { RATE_WRITE: '3' }))

  test('the 121st in a minute is 429, writes nothing, and says when to come back and by which rule', async () => {
    const owner = await makeWriter(admin)
    const asOwner = await newKeyFor(limited, owner)
    for (let batch = 0; batch < 12; batch += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => asOwner.create(minimalPiece)))
      for (const answer of answers) idOf(answer)
    }
    const refused = await asOwner.create(minimalPiece)
    isRefused(refused, 429, 'rate_limited')
    const seconds = Number(refused.headers['retry-after'])
    assert.equal(seconds, Math.ceil((60_000 - (Date.now() % 60_000)) / 1000))
    assert.deepEqual(policyOf(refused), { name: 'write', allowed: 120, window: 60, left: 0, seconds })
    assert.equal(refused.headers['cache-control'], 'no-store')
    assert.equal(await countRows(admin, 'app.pieces where writer_id = $1', [owner.id]), 120)
  })

  test('creates, changes and deletions count together, refused ones too', async () => {
    const who = await newKeyFor(few)
    const id = await makeDraft(admin, writer)
    assert.equal((await who.create({})).statusCode, 400)
    assert.equal((await who.edit(id, { sub: 'x' }, '*')).statusCode, 200)
    assert.equal((await who.remove(id, '"7"')).statusCode, 412)
    for (const answer of [await who.create(minimalPiece), await who.edit(id, {}, '*'), await who.remove(id, '*')]) {
      isRefused(answer, 429, 'rate_limited')
    }
    assert.equal(await countRows(admin, 'app.pieces where id = $1', [id]), 1)
  })

  test('reads with the key go on', async () => {
    const who = await newKeyFor(few)
    for (let times = 0; times < 4; times += 1) await who.create(minimalPiece)
    assert.equal((await who.create(minimalPiece)).statusCode, 429)
    assert.equal((await who.list()).statusCode, 200)
  })

  test('are counted by key: another key of the same writer, from the same address, has its own', async () => {
    const [one, two] = [await newKeyFor(few), await newKeyFor(few)]
    for (let times = 0; times < 4; times += 1) await one.create(minimalPiece)
    assert.equal((await one.create(minimalPiece)).statusCode, 429)
    assert.equal((await two.create(minimalPiece)).statusCode, 201)
  })

  test('are counted by key: another address does not begin anew', async () => {
    const { key } = await makeKey(admin, writer)
    const found: number[] = []
    for (let number = 1; number <= 4; number += 1) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const remoteAddress = `192.0.2.${number}`
      found.push(
        (await few({ method: 'POST', url: pieces, headers, payload: JSON.stringify(minimalPiece), remoteAddress }))
          .statusCode,
      )
    }
    assert.deepEqual(found, [201, 201, 201, 429])
  })

  test('with a key that is not live cost its owner nothing', async () => {
    const { key } = await makeKey(admin, writer)
    for (let times = 0; times < 5; times += 1) await caller(few, `${key}0`).create(minimalPiece)
    assert.equal((await caller(few, key).create(minimalPiece)).statusCode, 201)
  })

  test('tell what is left, one less each time', async () => {
    const who = await newKeyFor(few)
    const left: number[] = []
    for (let times = 0; times < 4; times += 1) left.push(policyOf(await who.create(minimalPiece)).left)
    assert.deepEqual(left, [2, 1, 0, 0])
  })
})

describe('RateLimit and RateLimit-Policy are on every answer to a live key', () => {
  const answers: readonly (readonly [number, string, () => Promise<Answer>])[] = [
    [201, 'write', () => create(minimalPiece)],
    [201, 'write', () => create(minimalPiece, { 'idempotency-key': 'rates' })],
    [422, 'write', () => create({ ...minimalPiece, sub: 'Other' }, { 'idempotency-key': 'rates' })],
    [400, 'write', () => create({})],
    [400, 'write', () => create('{')],
    [413, 'write', () => create('x'.repeat(1_400_000))],
    [415, 'write', () => create(minimalPiece, { 'content-type': 'text/plain' })],
    [200, 'read', () => list()],
    [400, 'read', () => list('?limit=0')],
    [404, 'read', () => read('nothing')],
    [404, 'write', () => edit('nothing', {}, '*')],
    [409, 'write', async () => edit(await makePieceInState(admin, writer, 'pending'), {}, '*')],
    [412, 'write', async () => edit(await makeDraft(admin, writer), {}, '"9"')],
    [428, 'write', async () => remove(await makeDraft(admin, writer))],
    [204, 'write', async () => remove(await makeDraft(admin, writer), '*')],
    [200, 'read', () => send('HEAD', `${pieces}/me`)],
  ]
  for (const [status, policy, asked] of answers) {
    test(`${status} of a ${policy}`, async () => {
      const answer = await asked()
      assert.equal(answer.statusCode, status)
      const { name, window, seconds } = policyOf(answer)
      assert.deepEqual([name, window], [policy, 60])
      assert.ok(seconds >= 1 && seconds <= 60)
    })
  }
})

describe('drafts', async () => {
  const daily = checkedInject(await testApp(url, { DRAFTS_PER_DAY: '3' }))

  test('past those of a day are 429 until the day ends', async () => {
    const owner = await makeWriter(admin)
    const who = await newKeyFor(daily, owner)
    for (let times = 0; times < 3; times += 1) idOf(await who.create(minimalPiece))
    const refused = await who.create(minimalPiece)
    isRefused(refused, 429, 'rate_limited')
    const { allowed, window, left, seconds } = policyOf(refused)
    assert.deepEqual([allowed, window, left], [3, 86_400, 0])
    assert.equal(Number(refused.headers['retry-after']), seconds)
    const untilMidnight = 86_400_000 - (Date.now() % 86_400_000)
    assert.equal(seconds, Math.ceil(untilMidnight / 1000))
    clock.advance(untilMidnight - 1)
    isRefused(await who.create(minimalPiece), 429, 'rate_limited')
    assert.equal(await countRows(admin, 'app.pieces where writer_id = $1', [owner.id]), 3)
    clock.advance(1)
    idOf(await who.create(minimalPiece))
  })

  test('that were refused, and changes that changed nothing or were refused, do not count', async () => {
    const who = await newKeyFor(daily)
    const id = await makeDraft(admin, writer, { sub: 'As it is' })
    for (let times = 0; times < 5; times += 1) {
      await who.create({})
      assert.equal((await who.edit(id, { sub: 'As it is' }, '*')).statusCode, 200)
      assert.equal((await who.edit(id, {}, '*')).statusCode, 200)
      assert.equal((await who.edit(id, { sub: 'Other' }, '"9"')).statusCode, 412)
      assert.equal((await who.edit('nothing', { sub: 'Other' }, '*')).statusCode, 404)
    }
    for (let times = 0; times < 3; times += 1) idOf(await who.create(minimalPiece))
  })

  test('and changes count together, since each is kept', async () => {
    const who = await newKeyFor(daily)
    const id = idOf(await who.create(minimalPiece))
    for (const sub of ['One', 'Two']) assert.equal((await who.edit(id, { sub }, '*')).statusCode, 200)
    const refused = await who.edit(id, { sub: 'Three' }, '*')
    isRefused(refused, 429, 'rate_limited')
    assert.match(refused.json().detail, /^At most 3 drafts and changes a day\. Try again in \d+ s\.$/)
    assert.deepEqual([policyOf(refused).allowed, policyOf(refused).window], [3, 86_400])
    isRefused(await who.create(minimalPiece), 429, 'rate_limited')
    assert.equal((await who.read(id)).json().piece.sub, 'Two')
    assert.equal(await countRows(admin, 'app.revisions where piece_id = $1', [id]), 3)
  })

  test('used up, leave reading and deletions', async () => {
    const who = await newKeyFor(daily)
    const ids: string[] = []
    for (let times = 0; times < 3; times += 1) ids.push(idOf(await who.create(minimalPiece)))
    assert.equal((await who.read(ids[0]!)).statusCode, 200)
    assert.equal((await who.remove(ids[0]!, '*')).statusCode, 204)
    assert.equal((await who.create(minimalPiece)).statusCode, 429)
  })

  test('20 changes at once are no more than those of a day', async () => {
    const who = await newKeyFor(daily)
    const id = await makeDraft(admin, writer)
    await Promise.all(Array.from({ length: 20 }, (_, number) => who.edit(id, { sub: `Number ${number}` }, '*')))
    assert.equal(await countRows(admin, 'app.revisions where piece_id = $1 and key_id is not null', [id]), 3)
  })

  test('20 at once are no more than those of a day', async () => {
    const owner = await makeWriter(admin)
    const who = await newKeyFor(daily, owner)
    await Promise.all(Array.from({ length: 20 }, () => who.create(minimalPiece)))
    assert.equal(await countRows(admin, 'app.pieces where writer_id = $1', [owner.id]), 3)
  })
})
