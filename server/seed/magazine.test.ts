import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { folderStore } from '#platform/media/store.ts'
import { testDatabase } from '../../testkit/database.ts'
import { temporaryFolder } from '../../testkit/files.ts'
import { writers } from './authors.ts'
import { seedSite } from './seed.ts'

test('the sample site has series and pins, and shows every hand-drawn picture, which readers can have', async () => {
  const { url, admin } = await testDatabase()
  const pictures = { store: folderStore(temporaryFolder()), baseUrl: 'https://site.example' }
  await seedSite(url, { authors: writers.length, pieces: 60, rng: 1, until: new Date('2026-11-01') }, { pictures })
  const files = (folder: string) => readdirSync(new URL(`./pictures/${folder}`, import.meta.url)).length
  const { rows } = await admin.query(
    `select m.hash, p.cover ->> 'alt' as alt, a.avatar_url from pub.media m
       left join pub.pieces p on p.id = m.shown_by and p.cover ->> 'hash' = m.hash
       left join pub.authors a on a.id = m.shown_by`,
  )
  assert.equal(rows.filter(({ alt }) => alt).length, files('covers'))
  assert.equal(rows.filter(({ avatar_url }) => avatar_url).length, files('portraits'))
  const { rows: arranged } = await admin.query(
    `select (select count(*)::int from pub.series_pieces) as parts, (select count(*)::int from pub.front_page_pins) as pins`,
  )
  assert.deepEqual(arranged, [{ parts: 6, pins: 3 }])
  for (const { hash } of rows) {
    const bytes = await buffer((await pictures.store.get(hash))!)
    assert.equal(bytes.toString('latin1', 8, 12), 'WEBP')
  }
})
