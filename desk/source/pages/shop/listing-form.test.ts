import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveItem, sortByIds } from '../../components/order.ts'
import '../../testing-messages.ts'
import {
  afterAction,
  afterSaving,
  type DeskProduct,
  emptyValues,
  formatPrice,
  initialState,
  isSameListing,
  isUnsaved,
  paymentHost,
  type SavedListing,
  toRequest,
} from './listing-form.ts'

const values = { ...emptyValues('EUR'), name: 'A lamp', payment_url: 'https://pay.example/lamp' }

test('an empty line is sent as nothing, and without an amount there is no price', () => {
  const { summary, price, image_alt } = toRequest({ ...values, summary: '  ', amount: ' ', image_alt: 'A lamp' })
  assert.deepEqual([summary, price, image_alt], [null, null, null])
})

test('a price may be written with a comma, an address without its scheme', () => {
  const sent = toRequest({ ...values, amount: ' 19,5 ', payment_url: 'pay.example/lamp' })
  assert.deepEqual(sent.price, { amount: '19.5', currency: 'EUR' })
  assert.equal(sent.payment_url, 'https://pay.example/lamp')
  assert.equal(toRequest({ ...values, payment_url: 'http://pay.example' }).payment_url, 'http://pay.example')
})

test('another currency without a price, or words for no picture, are no change', () => {
  assert.ok(isSameListing(values, { ...values, currency: 'GBP', image_alt: 'Nothing' }))
  assert.ok(!isSameListing({ ...values, amount: '1' }, { ...values, amount: '1', currency: 'GBP' }))
})

test('a price is shown as people read it, and as it is typed while it is no number', () => {
  assert.equal(formatPrice({ amount: '19.5', currency: 'EUR' }), '€19.50')
  assert.equal(formatPrice({ amount: '1200', currency: 'JPY' }), 'JP¥1,200')
  assert.equal(formatPrice({ amount: '0.00', currency: 'JPY' }), 'Free')
  assert.equal(formatPrice({ amount: 'ten', currency: 'EUR' }), 'ten EUR')
  assert.equal(formatPrice({ amount: '', currency: 'EUR' }), '')
})

test('the host of a payment address is named once it is whole', () => {
  assert.equal(paymentHost({ ...values, payment_url: 'www.pay.example/lamp' }), 'pay.example')
  assert.equal(paymentHost({ ...values, payment_url: '' }), undefined)
})

const at = (revision: number, more: Partial<DeskProduct> = {}): SavedListing => ({
  tag: `"${revision}"`,
  product: {
    id: 'a',
    status: 'listed',
    has_unpublished_changes: false,
    withheld: null,
    name: 'A lamp',
    summary: null,
    description: null,
    price: null,
    category: null,
    image: null,
    image_alt: null,
    payment_url: 'https://pay.example/',
    related: [],
    revision,
    url: 'https://site.test/shop/a-lamp',
    created_at: '2026-11-15T12:00:00Z',
    updated_at: '2026-11-15T12:00:00Z',
    listed_at: '2026-11-15T12:00:00Z',
    ...more,
  },
})
const typed = (state: ReturnType<typeof initialState>, summary: string) => ({
  ...state,
  values: { ...state.values, summary },
})
const withdrawn = { status: 'draft', url: null } as const

test('what was typed while a save was on its way stays, and is unsaved', () => {
  const sent = typed(initialState(at(1), 'EUR'), 'Bright.')
  const saved = at(2, { summary: 'Bright.' })
  assert.ok(!isUnsaved(afterSaving(sent, sent.values, saved)))
  const later = afterSaving(typed(sent, 'Brighter.'), sent.values, saved)
  assert.deepEqual([later.values.summary, later.saved?.tag, isUnsaved(later)], ['Brighter.', '"2"', true])
})

test('an act takes what the server says where nothing is unsaved, and the new tag where nobody saved anything else', () => {
  const state = initialState(at(1), 'EUR')
  const taken = afterAction(state, at(2, { ...withdrawn, summary: 'Theirs.' }))
  assert.deepEqual([taken.values.summary, taken.saved?.tag, taken.theirs], ['Theirs.', '"2"', undefined])
  const mine = afterAction(typed(state, 'Mine.'), at(1, withdrawn))
  assert.deepEqual([mine.values.summary, mine.saved?.product.status, mine.theirs], ['Mine.', 'draft', undefined])
})

test('with something unsaved here and something else saved there, the tag stays, however often one acts', () => {
  const theirs = at(2, { ...withdrawn, summary: 'Theirs.', withheld: 'It is no lamp.' })
  const once = afterAction(typed(initialState(at(1), 'EUR'), 'Mine.'), theirs)
  const relisted = at(2, { summary: 'Theirs.' })
  for (const [state, now] of [
    [once, theirs],
    [afterAction(once, relisted), relisted],
  ] as const) {
    assert.deepEqual([state.values.summary, state.saved?.tag, state.theirs], ['Mine.', '"1"', now])
    assert.equal(state.saved?.product.status, now.product.status)
    assert.equal(state.saved?.product.withheld, now.product.withheld)
    assert.ok(isUnsaved(state))
  }
})

test('an act that answers late does not bring back what was saved over', () => {
  const state = initialState(at(2, { summary: 'Saved.' }), 'EUR')
  const late = afterAction(state, at(1, withdrawn))
  assert.deepEqual([late.values.summary, late.saved?.tag, late.saved?.product.status], ['Saved.', '"2"', 'draft'])
})

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
