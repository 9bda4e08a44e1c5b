import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'

/** The pictures of docs/pictures, which `npm run pictures` takes. */

const folder = new URL('../../docs/pictures/', import.meta.url)
const names = readdirSync(folder)
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

test('no picture has more than 150 kB, nor all of them more than 600', () => {
  const sizes = names.map((name) => statSync(new URL(name, folder)).size)
  const together = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(Math.max(...sizes) <= 150_000, `the largest has ${Math.max(...sizes)} bytes`)
  assert.ok(together <= 600_000, `together they have ${together} bytes`)
})

test('the README shows each in light and dark, and says in words what is on it', () => {
  const shown = [
    ...readme.matchAll(
      /<source [^>]*srcset="docs\/pictures\/(\S+)"><img src="docs\/pictures\/(\S+)" [^>]*alt="(.+?)">/g,
    ),
  ]
  assert.deepEqual(shown.flatMap(([, dark, light]) => [dark, light]).sort(), names.sort())
  for (const [, dark = '', light = '', words = ''] of shown) {
    assert.equal(dark, light.replace('-light.', '-dark.'))
    assert.ok(words.length > 40, `${light}: ${words}`)
  }
})
