import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { deskOf } from '../../testkit/desk.ts'
import { type MadeWriter, makeWriter } from '../../testkit/factories.ts'
import { hardBodies } from '../../testkit/rendering-bodies.ts'
import { until } from '../../testkit/until.ts'

/** Rendering is shared: one account that asks for all of it takes nothing from the others. */

const { url, admin } = await testDatabase()
const app = await testApp(url)
const [mallory, ada] = [await makeWriter(admin), await makeWriter(admin)]
const slow = new Map(hardBodies).get('lists ten deep')!

/** As it is answered; a desk of the tests would ask again when it is refused. */
const ask = ({ sessionToken }: MadeWriter, path: string, payload?: object) =>
  app.inject({
    method: 'POST',
    url: `/desk/api/${path}`,
    headers: { cookie: `__Host-desk=${sessionToken}`, 'sec-fetch-site': 'same-origin' },
    ...(payload ? { payload } : {}),
  })

test('while one account floods with slow previews, another previews and publishes, and is never refused', async () => {
  const desks = { mallory: deskOf(app, mallory), ada: deskOf(app, ada) }
  // No text twice: none is answered from what is kept.
  const hard = await Promise.all(
    Array.from({ length: 60 }, () => desks.mallory.begin({ body_md: `${slow.slice(100)}\n\n${randomUUID()}` })),
  )
  const own = await Promise.all(Array.from({ length: 8 }, () => desks.ada.begin({ body_md: `Tea. ${randomUUID()}` })))
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  const flood = Promise.all(
    hard.map(async (id) => {
      answers.push(await ask(mallory, `pieces/${id}/preview`))
    }),
  )
  await until(() => answers.length > 0, 'the flood is more than is taken')
  for (const id of own) {
    const shown = await ask(ada, `pieces/${id}/preview`)
    assert.equal(shown.statusCode, 200, shown.body)
    const published = await ask(ada, `pieces/${id}/publish`, { nonce: shown.json().nonce })
    assert.equal(published.statusCode, 200, published.body)
  }
  await flood
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  assert.ok(refused.length > 40, `${refused.length} refused`)
  assert.equal(refused[0]!.headers['retry-after'], '2')
  assert.match(refused[0]!.json().detail, /Wait for them to finish, then try again/)
  // The share itself is theirs: set, or too slow.
  const served = answers.filter(({ statusCode }) => statusCode === 200 || statusCode === 422)
  assert.equal(served.length + refused.length, 60)
})
