import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withTags } from './add-tags.ts'

test('everything between commas is a tag, once', () => {
  const { tags, left, problem } = withTags(['tea'], 'Tea, books ,  cold   war,, books')
  assert.deepEqual([tags, left, problem], [['tea', 'books', 'cold war'], '', undefined])
})

test('a tag that is too long stays to be shortened, and the others are added', () => {
  const long = 'x'.repeat(33)
  assert.deepEqual(withTags([], `tea, ${long}, war`), {
    tags: ['tea', 'war'],
    left: long,
    problem: 'too_long',
  })
})

test('what there is no room for stays in the field', () => {
  const { tags, left, problem } = withTags([], 'a,b,c,d,e,f,g,h,i,j')
  assert.deepEqual([tags.length, left, problem], [8, 'i, j', 'too_many'])
})
