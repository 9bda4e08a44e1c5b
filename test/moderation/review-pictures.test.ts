import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'

/** Whoever reads a piece before it is public, or one that was reported, tells its writer nothing by reading it. */

const { url, admin } = await testDatabase()
const app = await testApp(url)
const mine = deskOf(app, await makeWriter(admin, { avatarUrl: 'https://spy.example/portrait.png' }))
const moderators = deskOf(app, await makeModerator(admin))
const body_md = 'See:\n\n![A cup](https://spy.example/cup.png)\n\nAnd [a link](https://spy.example/page).'

const loads = (html: string) => /<img[^>]*spy\.example/.test(html)

test('what a moderator is shown loads no picture of another server, and says where it lies', async () => {
  const id = await mine.begin({ headline: 'Tea', body_md })
  await mine.act('submit', id)
  const { piece, page } = (await moderators.ask('POST', `review/${id}/show`)).json()
  assert.ok(!loads(piece.html), piece.html)
  assert.match(piece.html, /A picture at https:\/\/spy\.example\/cup\.png, not loaded/)
  const shown = await app.inject({ url: page, headers: { 'sec-fetch-dest': 'iframe' } })
  assert.equal(shown.statusCode, 200)
  assert.ok(!loads(shown.body))
  assert.match(shown.body, /A picture at https:\/\/spy\.example\/cup\.png, not loaded/)
  assert.match(String(shown.headers['content-security-policy']), /img-src 'self';/)
})

test('the same of what is public', async () => {
  const id = await mine.begin({ headline: 'More tea', body_md })
  await mine.act('publish', id)
  const { piece } = (await moderators.ask('POST', `review/${id}/show`)).json()
  assert.ok(!loads(piece.html), piece.html)
})

test('its writer sees it as readers will', async () => {
  const id = await mine.begin({ headline: 'Mine', body_md })
  const { page } = (await mine.ask('POST', `pieces/${id}/preview`)).json()
  assert.ok(loads((await app.inject(page)).body))
})
