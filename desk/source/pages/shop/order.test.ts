import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveItem, sortByIds } from './order.ts'

test('one member moves, the others stay in their order, and none is lost at the ends', () => {
  const list = ['a', 'b', 'c', 'd']
  assert.equal(moveItem(list, 0, 2).join(''), 'bcad')
  assert.equal(moveItem(list, 3, 0).join(''), 'dabc')
  assert.equal(moveItem(list, 1, 1).join(''), 'abcd')
  assert.equal(moveItem(list, 3, 9).join(''), 'abcd')
  assert.equal(moveItem(list, 0, -4).join(''), 'abcd')
  assert.equal(list.join(''), 'abcd')
})

test('what an order does not name comes last', () => {
  const list = ['x', 'b', 'a'].map((id) => ({ id }))
  assert.equal(
    sortByIds(list, ['a', 'b', 'gone'])
      .map(({ id }) => id)
      .join(''),
    'abx',
  )
})
