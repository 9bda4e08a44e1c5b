import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../testkit/database.ts'
import { isSlug, reservedSlugs, slugFrom } from './slug.ts'

const { admin } = await testDatabase()

test('the database refuses the same slugs as the code', async () => {
  const tried = [
    ...reservedSlugs,
    'ada',
    'a',
    '1',
    'a-b',
    '-a',
    'a-',
    'A',
    'ä',
    '',
    'a_b',
    'a'.repeat(40),
    'a'.repeat(41),
  ]
  for (const slug of tried) {
    const { rows } = await admin.query('select app.is_free_slug($1) as free', [slug])
    assert.equal(rows[0].free, isSlug(slug), JSON.stringify(slug))
  }
})

test('a slug is made of the Latin letters of a headline, and ends with a whole word', () => {
  assert.equal(slugFrom('Müller & Söhne, 2026', 80, 'piece'), 'muller-sohne-2026')
  assert.equal(slugFrom("What's in a naïve façade?", 80, 'piece'), 'whats-in-a-naive-facade')
  assert.equal(slugFrom('東京', 80, 'piece'), 'piece')
  assert.equal(slugFrom('one two three four', 10, 'piece'), 'one-two')
  assert.equal(slugFrom('a'.repeat(100), 80, 'piece').length, 80)
})
