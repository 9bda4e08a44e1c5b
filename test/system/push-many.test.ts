import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { folderOf, listeningSite, page } from '../../testkit/cli.ts'

/** `standfirst push` of a large folder: repeated, killed and resumed, it creates each draft once. */

/** `FILES=1000` is the long form. */
const files = Number(process.env['FILES'] ?? 60)
const inWords = files.toLocaleString('en')
const many = (count = files) =>
  folderOf(
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at % 10}/piece-${at}.md`, page(`Number ${at}`)])),
  )

describe(`a folder of ${files} files`, () => {
  test('is pushed twice and makes as many drafts; the second time asks the site nothing', async () => {
    const site = await listeningSite()
    const { root } = many()
    const first = await site.standfirst('push', root)
    assert.equal(first.code, 0, first.error)
    assert.match(
      first.out,
      new RegExp(`\n${inWords} made, 0 changed, 0 unchanged, 0 could not\\.\nThey are drafts\\. `),
    )
    assert.equal(await site.count(), files)

    const before = site.asked.length
    const second = await site.standfirst('push', root)
    assert.equal(second.out, `0 made, 0 changed, ${inWords} unchanged, 0 could not.\n`)
    assert.equal(site.asked.length, before)
    assert.equal(await site.count(), files)
  })

  test('is pushed, killed again and again, and makes as many drafts', async () => {
    const site = await listeningSite()
    const { root } = many()
    const creates = () => site.asked.filter(({ method }) => method === 'POST').length
    for (const share of [0.001, 0.137, 0.138, 0.5, 0.777]) {
      const stop = Math.ceil(files * share)
      await site.killed(() => creates() >= stop, 'push', root)
      assert.ok((await site.count()) < files, 'it was not killed in time')
    }
    const last = await site.standfirst('push', root)
    assert.equal(last.code, 0, last.out)
    assert.match(last.out, /\n\d+ made, 0 changed, \d+ unchanged, 0 could not\./)
    assert.equal(await site.count(), files)
    const { rows } = await site.admin.query('select count(distinct headline) from app.pieces')
    assert.equal(Number(rows[0].count), files)
  })
})

test('a folder whose record was lost the same day is no second folder', async () => {
  const site = await listeningSite()
  const { root } = many(50)
  await site.standfirst('push', root)
  rmSync(join(root, '.standfirst.json'))
  const again = await site.standfirst('push', root)
  assert.equal(again.code, 0, again.out)
  assert.equal(await site.count(), 50)
  assert.match((await site.standfirst('push', root)).out, /^0 made, 0 changed, 50 unchanged/)
})
