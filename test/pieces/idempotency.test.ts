import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { type Answer, checked } from '../../testkit/openapi-check.ts'
import {
  caller,
  idOf,
  isRefused,
  least,
  patiently,
  pieces,
  problemsOf,
  rowsOf,
  writingSite,
} from '../../testkit/write-api.ts'

/** Idempotency-Key: a request that is repeated makes one piece, and gets the first answer again. */

const { url, admin, app, key, create, edit, remove, writer, anotherCaller } = await writingSite()

const under = (idempotencyKey: string) => ({ 'idempotency-key': idempotencyKey })
const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true'
const drafts = () => rowsOf(admin, 'app.pieces where writer_id = $1', [writer.id])

/** How many pieces this made. */
async function made(work: () => Promise<unknown>): Promise<number> {
  const before = await drafts()
  await work()
  return (await drafts()) - before
}

describe('a repetition', () => {
  test('gets the same status and the same bytes, marked as replayed, and makes nothing', async () => {
    const under1 = under(randomUUID())
    const count = await made(async () => {
      const first = await create(least, under1)
      idOf(first)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      for (let times = 0; times < 3; times += 1) {
        const again = await create(least, under1)
        assert.deepEqual([again.statusCode, again.body, isReplay(again)], [201, first.body, true])
        assert.equal(again.headers['content-type'], first.headers['content-type'])
      }
    })
    assert.equal(count, 1)
  })

  test('gets the first answer with its warnings', async () => {
    const [body, once] = [{ ...least, status: 'approved', 'a/b': 1, zebra: 2 }, under(randomUUID())]
    const first = await create(body, once)
    assert.equal(first.json().warnings.length, 3)
    assert.equal((await create(body, once)).body, first.body)
  })

  test('gets the first answer though the piece was changed, and though it was deleted', async () => {
    const once = under(randomUUID())
    const first = await create(least, once)
    await edit(idOf(first), { headline: 'Changed' }, '*')
    assert.equal((await create(least, once)).body, first.body)
    await remove(idOf(first), '*')
    const again = await create(least, once)
    assert.deepEqual([again.body, isReplay(again)], [first.body, true])
    assert.equal(await rowsOf(admin, 'app.pieces where id = $1 and deleted_at is null', [idOf(first)]), 0)
  })

  test('is one by the same writer with another key', async () => {
    const once = under(randomUUID())
    const first = await create(least, once)
    assert.equal((await (await anotherCaller(writer)).create(least, once)).body, first.body)
  })

  test('is one though its JSON is written otherwise', async () => {
    const once = under(randomUUID())
    const first = await create('{"headline":"Caf\\u00e9","body_md":"b"}', once)
    const again = await create('{ "headline": "Café",\n "body_md": "\\u0062" }', once)
    assert.deepEqual([again.body, isReplay(again)], [first.body, true])
  })

  test('is one in another process', async () => {
    const elsewhere = caller(checked(await testApp(url)), key)
    const once = under(randomUUID())
    const first = await create(least, once)
    assert.equal((await elsewhere.create(least, once)).body, first.body)
  })
})

describe('the same Idempotency-Key', () => {
  for (const [what, other] of [
    ['another headline', { ...least, headline: 'Other' }],
    ['another body', { ...least, body_md: `${least.body_md}\n` }],
    ['one member more', { ...least, sub: null }],
    ['an unknown member more', { ...least, extra: 1 }],
  ] as const) {
    test(`with ${what} is 422, and makes and changes nothing`, async () => {
      const once = under(randomUUID())
      const first = await create(least, once)
      assert.equal(await made(async () => isRefused(await create(other, once), 422, 'idempotency_mismatch')), 0)
      assert.equal((await create(least, once)).body, first.body)
    })
  }

  test('of another writer is independent', async () => {
    const once = under(randomUUID())
    const theirs = await anotherCaller(await makeWriter(admin))
    const [mine, other] = [await create(least, once), await theirs.create({ ...least, sub: 'Theirs' }, once)]
    assert.notEqual(idOf(mine), idOf(other))
    assert.ok(!isReplay(other))
  })

  test('after 24 hours makes a new piece, and a minute before it does not', async () => {
    const [name, age] = [randomUUID(), 'update app.idempotency set created_at = now() - $2::interval where key = $1']
    const first = await create(least, under(name))
    await admin.query(age, [name, '23 hours 59 minutes'])
    assert.equal((await create(least, under(name))).body, first.body)
    await admin.query(age, [name, '24 hours 1 second'])
    const later = await create({ ...least, sub: 'A day later' }, under(name))
    assert.notEqual(idOf(later), idOf(first))
    assert.ok(!isReplay(later))
    assert.equal((await create({ ...least, sub: 'A day later' }, under(name))).body, later.body)
  })

  test('in another letter case is another', async () => {
    const [lower, upper] = [
      await create(least, under(`case-${writer.id}`)),
      await create(least, under(`CASE-${writer.id}`)),
    ]
    assert.notEqual(idOf(lower), idOf(upper))
  })

  test('is not remembered for what was refused', async () => {
    const once = under(randomUUID())
    problemsOf(await create({ headline: '' }, once))
    assert.equal((await create('{', once)).statusCode, 400)
    assert.equal((await create(least, { ...once, 'content-type': 'text/plain' })).statusCode, 415)
    const first = await create(least, once)
    idOf(first)
    assert.ok(!isReplay(first))
  })

  test('is not used up by a body that is wrong, and a wrong body after a good one is 400', async () => {
    const once = under(randomUUID())
    await create(least, once)
    problemsOf(await create({ ...least, headline: 5 }, once))
  })
})

describe('without an Idempotency-Key', () => {
  test('every request makes a piece', async () => {
    assert.equal(await made(() => Promise.all([create(least), create(least), create(least)])), 3)
  })
})

describe('spelling', () => {
  for (const [what, one, two] of [
    ['quoted and bare', '"tea-1"', 'tea-1'],
    ['with an escaped quotation mark', '"tea\\"2"', 'tea"2'],
    ['with an escaped backslash', '"tea\\\\3"', 'tea\\3'],
    ['with spaces around', '  tea-4 ', '"tea-4"'],
  ] as const) {
    test(`${what} is the same key`, async () => {
      const first = await create(least, under(one))
      assert.equal((await create(least, under(two))).body, first.body)
    })
  }
  for (const [what, good] of [
    ['1 character', '!'],
    ['255 characters', 'x'.repeat(255)],
    ['255 characters in quotation marks', `"${'y'.repeat(255)}"`],
    ['every visible ASCII character', Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join('')],
  ] as const) {
    test(`${what} is taken`, async () => {
      idOf(await create(least, under(good)))
    })
  }
  for (const [what, bad] of [
    ['nothing', ''],
    ['nothing in quotation marks', '""'],
    ['a space', ' '],
    ['256 characters', 'x'.repeat(256)],
    ['256 characters in quotation marks', `"${'x'.repeat(256)}"`],
    ['a space inside', 'a b'],
    ['a letter beyond ASCII', 'café'],
    ['a tab', 'a\tb'],
  ] as const) {
    test(`${what} is 400, and makes nothing`, async () => {
      const count = await made(async () => {
        const [problem] = problemsOf(await create(least, under(bad)))
        assert.equal(problem!.pointer, '/Idempotency-Key')
      })
      assert.equal(count, 0)
    })
  }
  test('two headers are 400, and splitting one by CR or LF reaches nothing', async () => {
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const json = JSON.stringify(least)
    const send = (headers: string) =>
      patiently(
        port,
        `POST ${pieces} HTTP/1.1\r\nHost: site.test\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${json.length}\r\n${headers}\r\n\r\n${json}`,
      )
    const count = await made(async () => {
      assert.equal((await send('Idempotency-Key: a\r\nIdempotency-Key: b')).status, 400)
      assert.equal((await send('Idempotency-Key: a\rX-Injected: b')).status, 400)
      assert.equal((await send('Idempotency-Key: a\0b')).status, 400)
    })
    assert.equal(count, 0)
  })
})
