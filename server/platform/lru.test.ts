import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLru } from './lru.ts'

test('what has not been asked for the longest goes first, and never more is kept than there is room for', () => {
  const recent = createLru<string>(48)
  for (let index = 0; index < 16; index++) recent.set(`${index}`, `value ${index}`, 3)
  assert.equal(recent.get('0'), 'value 0')
  recent.set('16', 'value 16', 3)
  assert.equal(recent.get('1'), undefined)
  assert.equal(recent.get('0'), 'value 0')
  assert.equal(recent.get('16'), 'value 16')
})

test('what is set again takes the place of what was there', () => {
  const recent = createLru<string>(48)
  for (let index = 0; index < 100; index++) recent.set('same', `value ${index}`, 3)
  for (let index = 0; index < 15; index++) recent.set(`${index}`, 'other', 3)
  assert.equal(recent.get('same'), 'value 99')
})

test('one that would take the place of many is not kept', () => {
  const recent = createLru<string>(48)
  recent.set('small', 'small', 1)
  recent.set('large', 'large', 4)
  assert.deepEqual([recent.get('small'), recent.get('large')], ['small', undefined])
})
