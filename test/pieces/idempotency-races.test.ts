import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { inTransaction, makeKey, makeWriter } from '../../testkit/factories.ts'
import { waitingFor } from '../../testkit/lock-waits.ts'
import { type Answer, checked } from '../../testkit/openapi-check.ts'
import { until } from '../../testkit/until.ts'
import { caller, idOf, isRefused, least, pieces, rowsOf, writingSite } from '../../testkit/write-api.ts'

/** Idempotency-Key where requests meet each other, or the end of a quota. */

const { url, admin, app, key, create, writer } = await writingSite()

const under = (idempotencyKey: string) => ({ 'idempotency-key': idempotencyKey })
const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true'
const drafts = () => rowsOf(admin, 'app.pieces where writer_id = $1', [writer.id])

/** How many pieces this made. */
async function made(work: () => Promise<unknown>): Promise<number> {
  const before = await drafts()
  await work()
  return (await drafts()) - before
}

describe('at the same time', () => {
  test('a repetition while the first is at work is 409, and says when to come back', async () => {
    const once = under(randomUUID())
    const { held } = await inTransaction(admin, async (client) => {
      await client.query('lock table app.pieces in share mode')
      const held = create(least, once)
      await waitingFor(admin, 'app.pieces')
      for (const body of [least, { ...least, sub: 'Other' }]) {
        const early = await create(body, once)
        isRefused(early, 409, 'idempotency_conflict')
        assert.equal(early.headers['retry-after'], '1')
      }
      return { held }
    })
    const first = await held
    idOf(first)
    const again = await create(least, once)
    assert.deepEqual([again.body, isReplay(again)], [first.body, true])
  })

  test('50 at once make one piece, and every 201 is the same', async () => {
    const once = under(randomUUID())
    const answers: Answer[] = []
    const count = await made(async () => {
      answers.push(...(await Promise.all(Array.from({ length: 50 }, () => create(least, once)))))
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
        Array.from({ length: 50 }, (_, number) => create({ ...least, sub: String(number) }, once)),
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
      // Longer than the server waits for a lock; asked past the check, which would ask again.
      return hurried.inject({
        method: 'POST',
        url: pieces,
        payload: JSON.stringify(least),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...once },
      })
    })
    assert.equal(failed.statusCode, 503)
    // PostgreSQL says that it failed a moment before it lets go of what it held.
    const first = await until(async () => {
      const answer = await create(least, once)
      return answer.statusCode !== 409 && answer
    }, 'the first request has let go of its key')
    idOf(first)
    assert.ok(!isReplay(first))
  })
})

describe('when the drafts of a day are used up', async () => {
  const [limited, unlimited] = [checked(await testApp(url, { DRAFTS_PER_DAY: '2' })), checked(app)]

  /** A writer of today, by the one process that counts. */
  async function newcomer() {
    const { key: theirs } = await makeKey(admin, await makeWriter(admin))
    return { counted: caller(limited, theirs), uncounted: caller(unlimited, theirs) }
  }

  test('what was made is still answered again, and nothing new is made', async () => {
    const { counted } = await newcomer()
    const [one, two] = [under(randomUUID()), under(randomUUID())]
    const [first, second] = [await counted.create(least, one), await counted.create(least, two)]
    isRefused(await counted.create(least, under(randomUUID())), 429, 'rate_limited')
    isRefused(await counted.create(least), 429, 'rate_limited')
    for (const [once, before] of [
      [one, first],
      [two, second],
    ] as const) {
      const again = await counted.create(least, once)
      assert.deepEqual([again.statusCode, again.body, isReplay(again)], [201, before.body, true])
    }
  })

  test('repetitions do not use them up', async () => {
    const { counted } = await newcomer()
    const once = under(randomUUID())
    for (let times = 0; times < 5; times += 1) idOf(await counted.create(least, once))
    idOf(await counted.create(least))
    isRefused(await counted.create(least), 429, 'rate_limited')
  })

  test('another body under a known key is 422 as ever', async () => {
    const { counted } = await newcomer()
    const once = under(randomUUID())
    idOf(await counted.create(least, once))
    idOf(await counted.create(least))
    isRefused(await counted.create({ ...least, sub: 'Other' }, once), 422, 'idempotency_mismatch')
  })

  test('what was refused for the quota is made by its repetition once there is room', async () => {
    const { counted, uncounted } = await newcomer()
    const once = under(randomUUID())
    idOf(await counted.create(least))
    idOf(await counted.create(least))
    isRefused(await counted.create(least, once), 429, 'rate_limited')
    const later = await uncounted.create(least, once)
    idOf(later)
    assert.ok(!isReplay(later))
  })
})
