import { createLru } from '#platform/lru.ts'
import type { DrawnPage } from './page.ts'

/** Bytes of drawn pages that a process keeps; with what they were drawn from, some four times as much. */
const room = 8 * 1024 * 1024

type Drawn<Facts> = (key: string, facts: Facts, draw: (facts: Facts) => DrawnPage<string>) => DrawnPage<Buffer>

/**
 * A page is drawn again only when what it shows has changed. What it shows is asked of the database each time and
 * compared: that takes a tenth of drawing, encoding and hashing it.
 */
export function keepDrawn<Facts>(): Drawn<Facts> {
  const kept = createLru<{ facts: Facts; page: DrawnPage<Buffer> }>(room)
  return (key, facts, draw) => {
    const known = kept.get(key)
    if (known && isSame(known.facts, facts)) return known.page
    const { markup, links } = draw(facts)
    const page = { markup: Buffer.from(markup), links }
    kept.set(key, { facts, page }, page.markup.length)
    return page
  }
}

/** Of plain data. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => isSame(one[name as keyof typeof one], other[name as keyof typeof other]))
}
