import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepGoal, readGoal, wordsIn } from './word-goal.ts'

function storageOf(entries: Record<string, string> = {}): Storage {
  const kept = new Map(Object.entries(entries))
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage
}

test('a goal is a whole number of words, however people write it', () => {
  assert.deepEqual(
    ['500', ' 1,500 ', '1.500', '1 000 000', '１２００'].map(wordsIn),
    [500, 1_500, 1_500, 1_000_000, 1_200],
  )
  assert.deepEqual(['', '0', '-5', 'many', '1000001', '5e3'].map(wordsIn), Array(6).fill(undefined))
})

test('each piece has its own goal, until it is removed', () => {
  const storage = storageOf()
  keepGoal('a', { words: 500, isReached: false }, storage)
  keepGoal('b', { words: 900, isReached: true }, storage)
  assert.deepEqual(readGoal('a', storage), { words: 500, isReached: false })
  assert.deepEqual(readGoal('b', storage), { words: 900, isReached: true })
  keepGoal('a', undefined, storage)
  assert.equal(readGoal('a', storage), undefined)
})

test('what is no goal, or a storage that refuses, is no goal', () => {
  const refusing = {
    getItem() {
      throw new Error('refused')
    },
    setItem() {
      throw new Error('refused')
    },
  } as unknown as Storage
  assert.equal(readGoal('a', refusing), undefined)
  keepGoal('a', { words: 5, isReached: false }, refusing)
  for (const entry of ['null', '5', '{"words":-1}', 'not JSON']) {
    assert.equal(readGoal('a', storageOf({ 'goal:a': entry })), undefined, entry)
  }
})
