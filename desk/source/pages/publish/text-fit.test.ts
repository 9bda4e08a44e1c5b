import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fit, shownLength } from './text-fit.ts'

test('a title of sixty characters is shown whole, and a longer one is cut after a word', () => {
  const whole = `${'tea '.repeat(14)}leaf`
  assert.deepEqual(fit(whole, shownLength.title), { count: 60, most: 60, shown: whole })
  assert.deepEqual(fit(`${whole} and more`, shownLength.title), { count: 69, most: 60, shown: `${whole}…` })
  assert.equal(fit(`${whole}s`, shownLength.title).shown, `${'tea '.repeat(14).trim()}…`)
  assert.equal(fit('x'.repeat(61), shownLength.title).shown, `${'x'.repeat(60)}…`)
})

test('Chinese, Japanese and Korean characters count twice', () => {
  assert.deepEqual(fit('茶'.repeat(30), shownLength.title), { count: 30, most: 30, shown: '茶'.repeat(30) })
  assert.deepEqual(fit('茶'.repeat(31), shownLength.title), { count: 31, most: 30, shown: `${'茶'.repeat(30)}…` })
  assert.equal(fit('お茶の時間', shownLength.title).most, 30)
  assert.equal(fit('차 한 잔', shownLength.title).most, 31)
  assert.equal(fit('Tea 茶', shownLength.title).most, 59)
  assert.equal(fit('', shownLength.description).most, 155)
})

test('what readers see as one character counts as one: vowel signs, accents and joined emoji', () => {
  assert.equal(fit('نَصٌّ', shownLength.title).count, 2)
  assert.equal(fit('e\u0301te\u0301', shownLength.title).count, 3)
  assert.deepEqual(fit('👩‍🚀'.repeat(31), shownLength.title), { count: 31, most: 30, shown: `${'👩‍🚀'.repeat(30)}…` })
})
