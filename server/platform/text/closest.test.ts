import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closestTo } from '../http/validation.ts'

const names = ['headline', 'sub', 'body_md', 'category', 'tags', 'frame', 'style', 'locale', 'external_url']

test('a name that was begun, misspelt or spelt in another way is recognised', () => {
  for (const [given, meant] of [
    ['body', 'body_md'],
    ['bodyMd', 'body_md'],
    ['bdoy_md', 'body_md'],
    ['tag', 'tags'],
    ['Headline', 'headline'],
    ['headlien', 'headline'],
    ['externalURL', 'external_url'],
    ['catagory', 'category'],
    ['sub_', 'sub'],
    ['subtitle', 'sub'],
  ] as const)
    assert.equal(closestTo(given, names), meant, given)
})

test('nothing is guessed for a name that is like none', () => {
  for (const given of ['title', 'status', 'published_at', 'name', 'x', '', '茶', '__proto__', 'body_md'.repeat(1000)])
    assert.equal(closestTo(given, names), undefined, given)
})
