import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostOf, isSame, nothingSaid, priceInWords, sentOf } from './form-values.ts'

const said = { ...nothingSaid('EUR'), name: 'A lamp', payment_url: 'https://pay.example/lamp' }

test('an empty line is sent as nothing, and without an amount there is no price', () => {
  const { summary, price, image_alt } = sentOf({ ...said, summary: '  ', amount: ' ', image_alt: 'A lamp' })
  assert.deepEqual([summary, price, image_alt], [null, null, null])
})

test('a price may be written with a comma, an address without its scheme', () => {
  const sent = sentOf({ ...said, amount: ' 19,5 ', payment_url: 'pay.example/lamp' })
  assert.deepEqual(sent.price, { amount: '19.5', currency: 'EUR' })
  assert.equal(sent.payment_url, 'https://pay.example/lamp')
  assert.equal(sentOf({ ...said, payment_url: 'http://pay.example' }).payment_url, 'http://pay.example')
})

test('another currency without a price, or words for no picture, are no change', () => {
  assert.ok(isSame(said, { ...said, currency: 'GBP', image_alt: 'Nothing' }))
  assert.ok(!isSame({ ...said, amount: '1' }, { ...said, amount: '1', currency: 'GBP' }))
})

test('a price is shown as people read it, and as it is typed while it is no number', () => {
  assert.equal(priceInWords({ amount: '19.5', currency: 'EUR' }), '€19.50')
  assert.equal(priceInWords({ amount: '1200', currency: 'JPY' }), 'JP¥1,200')
  assert.equal(priceInWords({ amount: '0.00', currency: 'JPY' }), 'Free')
  assert.equal(priceInWords({ amount: 'ten', currency: 'EUR' }), 'ten EUR')
  assert.equal(priceInWords({ amount: '', currency: 'EUR' }), '')
})

test('the host of a payment address is named once it is whole', () => {
  assert.equal(hostOf({ ...said, payment_url: 'www.pay.example/lamp' }), 'pay.example')
  assert.equal(hostOf({ ...said, payment_url: '' }), undefined)
})
