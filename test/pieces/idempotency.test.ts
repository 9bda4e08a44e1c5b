import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { inTransaction, makeKey, makeWriter } from '../../testkit/factories.ts'
import { listen } from '../../testkit/network.ts'
import { type Answer, checkedInject } from '../../testkit/openapi.ts'
import { until, waitForLockWait } from '../../testkit/waiting.ts'
import {
  caller,
  countRows,
  exchangeRetrying503,
  idOf,
  isRefused,
  minimalPiece,
  pieces,
  problemsOf,
  writeApiSite,
} from '../../testkit/write-api.ts'

/** Idempotency-Key: a repeated request makes one piece and gets the first answer again. */

const { url, admin, app, key, create, edit, remove, writer, anotherCaller } = await writeApiSite()

const under = (idempotencyKey: string) => ({ 'idempotency-key': idempotencyKey })
const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true'
const drafts = () => countRows(admin, 'app.pieces where writer_id = $1', [writer.id])

/** The number of pieces that `work` creates. */
async function made(work: () => Promise<unknown>): Promise<number> {
  const before = await drafts()
  await work()
  return (await drafts()) - before
}

describe('a repetition', () => {
  test('gets the same status and the same bytes, marked as replayed, and makes nothing', async () => {
    const under1 = under(randomUUID())
    const count = await made(async () => {
      const first = await create(minimalPiece, under1)
      idOf(first)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      for (let times = 0; times < 3; times += 1) {
        const again = await create(minimalPiece, under1)
        assert.deepEqual([again.statusCode, again.body, isReplay(again)], [201, first.body, true])
        assert.equal(again.headers['content-type'], first.headers['content-type'])
      }
    })
    assert.equal(count, 1)
  })

  test('gets the first answer with its warnings', async () => {
    const [body, once] = [{ ...minimalPiece, status: 'approved', 'a/b': 1, zebra: 2 }, under(randomUUID())]
    const first = await create(body, once)
    assert.equal(first.json().warnings.length, 3)
    assert.equal((await create(body, once)).body, first.body)
  })

  test('gets the first answer though the piece was changed, and though it was deleted', async () => {
    const once = under(randomUUID())
    const first = await create(minimalPiece, once)
    await edit(idOf(first), { headline: 'Changed' }, '*')
    assert.equal((await create(minimalPiece, once)).body, first.body)
    await remove(idOf(first), '*')
    const again = await create(minimalPiece, once)
    assert.deepEqual([again.body, isReplay(again)], [first.body, true])
    assert.equal(await countRows(admin, 'app.pieces where id = $1 and deleted_at is null', [idOf(first)]), 0)
  })

  test('is one by the same writer with another key', async () => {
    const once = under(randomUUID())
    const first = await create(minimalPiece, once)
    assert.equal((await (await anotherCaller(writer)).create(minimalPiece, once)).body, first.body)
  })

  test('is one though its JSON is written otherwise', async () => {
    const once = under(randomUUID())
    const first = await create('{"headline":"Caf\\u00e9","body_md":"b"}', once)
    const again = await create('{ "headline": "Café",\n "body_md": "\\u0062" }', once)
    assert.deepEqual([again.body, isReplay(again)], [first.body, true])
  })

  test('is one in another process', async () => {
    const elsewhere = caller(checkedInject(await testApp(url)), key)
    const once = under(randomUUID())
    const first = await create(minimalPiece, once)
    assert.equal((await elsewhere.create(minimalPiece, once)).body, first.body)
  })
})

describe('the same Idempotency-Key', () => {
  for (const [what, other] of [
    ['another headline', { ...minimalPiece, headline: 'Other' }],
    ['another body', { ...minimalPiece, body_md: `${minimalPiece.body_md}\n` }],
    ['one member more', { ...minimalPiece, sub: null }],
    ['an unknown member more', { ...minimalPiece, extra: 1 }],
  ] as const) {
    test(`with ${what} is 422, and makes and changes nothing`, async () => {
      const once = under(randomUUID())
      const first = await create(minimalPiece, once)
      assert.equal(await made(async () => isRefused(await create(other, once), 422, 'idempotency_mismatch')), 0)
      assert.equal((await create(minimalPiece, once)).body, first.body)
    })
  }

  test('of another writer is independent', async () => {
    const once = under(randomUUID())
    const theirs = await anotherCaller(await makeWriter(admin))
    const [mine, other] = [
      await create(minimalPiece, once),
      await theirs.create({ ...minimalPiece, sub: 'Theirs' }, once),
    ]
    assert.notEqual(idOf(mine), idOf(other))
    assert.ok(!isReplay(other))
  })

  test('after 24 hours makes a new piece, and a minute before it does not', async () => {
    const [name, age] = [randomUUID(), 'update app.idempotency set created_at = now() - $2::interval where key = $1']
    const first = await create(minimalPiece, under(name))
    await admin.query(age, [name, '23 hours 59 minutes'])
    assert.equal((await create(minimalPiece, under(name))).body, first.body)
    await admin.query(age, [name, '24 hours 1 second'])
    const later = await create({ ...minimalPiece, sub: 'A day later' }, under(name))
    assert.notEqual(idOf(later), idOf(first))
    assert.ok(!isReplay(later))
    assert.equal((await create({ ...minimalPiece, sub: 'A day later' }, under(name))).body, later.body)
  })

  test('in another letter case is another', async () => {
    const [lower, upper] = [
      await create(minimalPiece, under(`case-${writer.id}`)),
      await create(minimalPiece, under(`CASE-${writer.id}`)),
    ]
    assert.notEqual(idOf(lower), idOf(upper))
  })

  test('is not remembered for what was refused', async () => {
    const once = under(randomUUID())
    problemsOf(await create({ headline: '' }, once))
    assert.equal((await create('{', once)).statusCode, 400)
    assert.equal((await create(minimalPiece, { ...once, 'content-type': 'text/plain' })).statusCode, 415)
    const first = await create(minimalPiece, once)
    idOf(first)
    assert.ok(!isReplay(first))
  })

  test('is not used up by a body that is wrong, and a wrong body after a good one is 400', async () => {
    const once = under(randomUUID())
    await create(minimalPiece, once)
    problemsOf(await create({ ...minimalPiece, headline: 5 }, once))
  })
})

describe('without an Idempotency-Key', () => {
  test('every request makes a piece', async () => {
    assert.equal(await made(() => Promise.all([create(minimalPiece), create(minimalPiece), create(minimalPiece)])), 3)
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
      const first = await create(minimalPiece, under(one))
      assert.equal((await create(minimalPiece, under(two))).body, first.body)
    })
  }
  for (const [what, good] of [
    ['1 character', '!'],
    ['255 characters', 'x'.repeat(255)],
    ['255 characters in quotation marks', `"${'y'.repeat(255)}"`],
    ['every visible ASCII character', Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join('')],
  ] as const) {
    test(`${what} is taken`, async () => {
      idOf(await create(minimalPiece, under(good)))
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
        const [problem] = problemsOf(await create(minimalPiece, under(bad)))
        assert.equal(problem!.pointer, '/Idempotency-Key')
      })
      assert.equal(count, 0)
    })
  }
  test('two headers are 400, and splitting one by CR or LF reaches nothing', async () => {
    const { port } = await listen(app)
    const json = JSON.stringify(minimalPiece)
    const send = (headers: string) =>
      exchangeRetrying503(
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

/** Idempotency-Key with concurrent requests, or at the end of a quota. */

describe('at the same time', () => {
  test('a repetition while the first is at work is 409, and says when to come back', async () => {
    const once = under(randomUUID())
    const { held } = await inTransaction(admin, async (client) => {
      await client.query('lock table app.pieces in share mode')
      const held = create(minimalPiece, once)
      await waitForLockWait(admin, 'app.pieces')
      for (const body of [minimalPiece, { ...minimalPiece, sub: 'Other' }]) {
        const early = await create(body, once)
        isRefused(early, 409, 'idempotency_conflict')
        assert.equal(early.headers['retry-after'], '1')
      }
      return { held }
    })
    const first = await held
    idOf(first)
    const again = await create(minimalPiece, once)
    assert.deepEqual([again.body, isReplay(again)], [first.body, true])
  })

  test('50 at once make one piece, and every 201 is the same', async () => {
    const once = under(randomUUID())
    const answers: Answer[] = []
    const count = await made(async () => {
      answers.push(...(await Promise.all(Array.from({ length: 50 }, () => create(minimalPiece, once)))))
    })
    assert.equal(count, 1)
    const won = answers.filter(({ statusCode }) => statusCode === 201)
    assert.equal(new Set(won.map(({ body }) => body)).size, 1)
    assert.equal(won.filter((answer) => !isReplay(answer)).length, 1)
    for (const answer of answers) if (answer.statusCode !== 201) isRefused(answer, 409, 'idempotency_conflict')
  })

  test('50 at once with 50 bodies make one piece', async () => {
    const once = under(randomUUID())
    const count = await made(async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, number) => create({ ...minimalPiece, sub: String(number) }, once)),
      )
      for (const { statusCode } of answers) assert.ok([201, 409, 422].includes(statusCode), String(statusCode))
      assert.equal(answers.filter(({ statusCode }) => statusCode === 201).length, 1)
    })
    assert.equal(count, 1)
  })

  test('a first request that failed leaves nothing behind, and its repetition makes the piece', async () => {
    const once = under(randomUUID())
    const hurried = await testApp(url, { TIMEOUT_FACTOR: '1' })
    const failed = await inTransaction(admin, async (client) => {
      await client.query('lock table app.pieces in share mode')
      // Longer than the server's lock timeout; bypasses the checked client, which would retry.
      return hurried.inject({
        method: 'POST',
        url: pieces,
        payload: JSON.stringify(minimalPiece),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...once },
      })
    })
    assert.equal(failed.statusCode, 503)
    // PostgreSQL reports the failure a moment before it releases its locks.
    const first = await until(async () => {
      const answer = await create(minimalPiece, once)
      return answer.statusCode !== 409 && answer
    }, 'the first request has let go of its key')
    idOf(first)
    assert.ok(!isReplay(first))
  })
})

describe('when the drafts of a day are used up', async () => {
  const [limited, unlimited] = [checkedInject(await testApp(url, { DRAFTS_PER_DAY: '2' })), checkedInject(app)]

  /** A writer who signed up today, on the process that counts. */
  async function newcomer() {
    const { key: theirs } = await makeKey(admin, await makeWriter(admin))
    return { counted: caller(limited, theirs), uncounted: caller(unlimited, theirs) }
  }

  test('what was made is still answered again, and nothing new is made', async () => {
    const { counted } = await newcomer()
    const [one, two] = [under(randomUUID()), under(randomUUID())]
    const [first, second] = [await counted.create(minimalPiece, one), await counted.create(minimalPiece, two)]
    isRefused(await counted.create(minimalPiece, under(randomUUID())), 429, 'rate_limited')
    isRefused(await counted.create(minimalPiece), 429, 'rate_limited')
    for (const [once, before] of [
      [one, first],
      [two, second],
    ] as const) {
      const again = await counted.create(minimalPiece, once)
      assert.deepEqual([again.statusCode, again.body, isReplay(again)], [201, before.body, true])
    }
  })

  test('repetitions do not use them up', async () => {
    const { counted } = await newcomer()
    const once = under(randomUUID())
    for (let times = 0; times < 5; times += 1) idOf(await counted.create(minimalPiece, once))
    idOf(await counted.create(minimalPiece))
    isRefused(await counted.create(minimalPiece), 429, 'rate_limited')
  })

  test('another body under a known key is 422 as ever', async () => {
    const { counted } = await newcomer()
    const once = under(randomUUID())
    idOf(await counted.create(minimalPiece, once))
    idOf(await counted.create(minimalPiece))
    isRefused(await counted.create({ ...minimalPiece, sub: 'Other' }, once), 422, 'idempotency_mismatch')
  })

  test('what was refused for the quota is made by its repetition once there is room', async () => {
    const { counted, uncounted } = await newcomer()
    const once = under(randomUUID())
    idOf(await counted.create(minimalPiece))
    idOf(await counted.create(minimalPiece))
    isRefused(await counted.create(minimalPiece, once), 429, 'rate_limited')
    const later = await uncounted.create(minimalPiece, once)
    idOf(later)
    assert.ok(!isReplay(later))
  })
})
