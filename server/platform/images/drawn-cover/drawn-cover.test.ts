import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { textToPath } from '../../svg-text/line.ts'
import { coverFile, drawCover } from './draw.ts'
import { outlineOf } from './outline.ts'

const outline = (text: string) => outlineOf(textToPath(text)!.path)
/** The hardest case: one section, and the same characters on all. */
const same = { hue: 250, initial: outline('T'), initials: outline('Te') }
const seedOf = (name: string): string => hash('sha1', name).slice(0, 12)
const drawn = (name: string, subject = same): string => coverFile(drawCover({ ...subject, seed: seedOf(name) }))

/** At the resolution that makes it 48 × 32. */
const small = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg), { density: 5.76 }).removeAlpha().raw().toBuffer()
/** The mean difference of a channel, of 255. */
const difference = (one: Buffer, other: Buffer): number =>
  one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length

/** What people take for two drawings of the same at a glance differs by less than about 8. */
const alike = 12

test('a drawing is always the same for the same subject, and changes with each part of it', () => {
  assert.equal(drawn('a'), drawn('a'))
  const others = [
    drawn('b'),
    drawn('a', { ...same, hue: 90 }),
    drawn('a', { ...same, initial: outline('K'), initials: outline('Ka') }),
  ]
  assert.equal(new Set([drawn('a'), ...others]).size, 4)
})

test('no two of 2,000 random pairs look alike, though of one section and with the same characters', async () => {
  const count = 500
  const pictures = await Promise.all(Array.from({ length: count }, (_, at) => small(drawn(`pair ${at}`))))
  for (let at = 0; at < count; at++)
    for (let apart = 1; apart <= 4; apart++) {
      const other = (at + apart) % count
      const found = difference(pictures[at]!, pictures[other]!)
      assert.ok(found >= alike, `${at} and ${other} differ by ${found}`)
    }
})

test('seeds that follow each other have nothing in common', async () => {
  const pictures = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      small(coverFile(drawCover({ ...same, seed: (0xabcdef123400 + at).toString(16) }))),
    ),
  )
  for (const [at, picture] of pictures.entries())
    for (const other of pictures.slice(0, at)) assert.ok(difference(picture, other) >= alike)
})

test('a file is at most 2.5 kB compressed, half of them less than 1.2, and has no text, script or address', () => {
  const sizes = Array.from({ length: 400 }, (_, at) => {
    const svg = drawn(`size ${at}`, { hue: at % 360, initial: outline('g'), initials: outline('Wg') })
    assert.doesNotMatch(svg, /<text|<script|<image|javascript|url\((?!#)|href="(?!#)|NaN|undefined|Infinity|e-\d/)
    return gzipSync(svg).length
  }).sort((one, other) => one - other)
  assert.ok(sizes.at(-1)! <= 2_500, `${sizes.at(-1)}`)
  assert.ok(sizes[200]! <= 1_200, `${sizes[200]}`)
})

test('a subject without a character has a drawing too', async () => {
  for (let at = 0; at < 60; at++) {
    const svg = drawn(`none ${at}`, { hue: 10, initial: undefined, initials: undefined })
    const { isOpaque, entropy } = await sharp(Buffer.from(svg)).stats()
    assert.ok(isOpaque && entropy > 0.3, `${at}: ${entropy}`)
  }
})

/** WCAG's contrast of two colours. */
function contrast(one: string, other: string): number {
  const [high = 1, low = 1] = [one, other].map(luminance).sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [...Buffer.from(hex.slice(1), 'hex')].map((byte) => {
    const value = byte / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test('ink stands out from every other colour by 2 to 1 and from the ground by 3.5, in light and dark, in every hue', () => {
  for (let at = 0; at < 720; at++) {
    const { palette } = drawCover({ ...same, hue: at / 2, seed: seedOf(`hue ${at}`) })
    for (const mode of ['light', 'dark'] as const) {
      const { ink, ground, main, second } = palette
      assert.ok(contrast(ink[mode], ground[mode]) >= 3.5, `${at} ${mode}: ${JSON.stringify(palette)}`)
      for (const other of [main, second])
        assert.ok(contrast(ink[mode], other[mode]) >= 2, `${at} ${mode}: ${JSON.stringify(palette)}`)
    }
  }
})
