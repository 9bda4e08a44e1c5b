import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { isWellFormedKey, newKey } from './key.ts'

const shape = /^pk_live_[0-9a-f]{64}$/

/** CRC-32 of IEEE 802.3, bit by bit, so that the checksum is not tested against the library that makes it. */
function crc32(text: string): string {
  let crc = 0xffff_ffff
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1
  }
  return ((crc ^ 0xffff_ffff) >>> 0).toString(16).padStart(8, '0')
}

describe('a new key', () => {
  const made = Array.from({ length: 1000 }, newKey)

  test('5.3 is pk_live_ and 64 hexadecimal digits, in lower case', () => {
    for (const { key } of made) assert.match(key, shape)
  })

  test('ends with the CRC-32 of all that precedes it', () => {
    assert.equal(crc32('123456789'), 'cbf43926')
    for (const { key } of made) assert.equal(key.slice(-8), crc32(key.slice(0, -8)))
  })

  test('is never made twice, and each of its 56 random digits takes every value', () => {
    assert.equal(new Set(made.map(({ key }) => key)).size, made.length)
    for (let place = 8; place < 64; place += 1) {
      assert.equal(new Set(made.map(({ key }) => key[place])).size, 16, `digit ${place}`)
    }
  })

  test('is stored as the SHA-256 of the whole of it', () => {
    const { key, hash } = newKey()
    assert.deepEqual(hash, createHash('sha256').update(key).digest())
  })

  test('is shown in lists by its first 12 and its last 4 characters', () => {
    const { key, head, tail } = newKey()
    assert.equal(head, key.slice(0, 12))
    assert.equal(tail, key.slice(-4))
    assert.equal(head.length + tail.length, 16)
  })
})

describe('what a scanner takes for a key', () => {
  test('is every key we make', () => {
    for (let times = 0; times < 100; times += 1) assert.ok(isWellFormedKey(newKey().key))
  })

  test('is a checksum that begins with noughts too', () => {
    const unchecked = Array.from({ length: 100_000 }, (_, number) => `pk_live_${number.toString(16).padStart(56, '0')}`)
    const short = unchecked.find((text) => crc32(text).startsWith('000'))
    assert.ok(short && isWellFormedKey(short + crc32(short)))
  })

  const { key } = newKey()
  const other = key.at(-1) === '0' ? '1' : '0'
  for (const [what, text] of [
    ['nothing', ''],
    ['the prefix alone', 'pk_live_'],
    ['a key cut short', key.slice(0, -1)],
    ['a key with more behind it', `${key}0`],
    ['a key with a line break behind it', `${key}\n`],
    ['a key in upper case', key.toUpperCase()],
    ['a key with upper-case digits', `pk_live_${key.slice(8).toUpperCase()}`],
    ['a key of another prefix', key.replace('pk_live_', 'sk_live_')],
    ['a key with its last digit changed', key.slice(0, -1) + other],
    ['a key with two digits exchanged', key.replace(/(?<=^pk_live_\w*)(\w)(?!\1)(\w)/, '$2$1')],
    ['64 noughts', `pk_live_${'0'.repeat(64)}`],
  ] as const) {
    test(`is not ${what}`, () => {
      assert.equal(isWellFormedKey(text), false)
    })
  }
})
