/** Reads the start tags of a page that others wrote. */

/** A start tag of an untrusted page. */
export interface StartTag {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** The content of an element that contains only text, as written. */
  readonly text: string
}

/** Elements whose content is text, whatever it looks like; and `template`, whose content is not shown. */
const rawText = new Set(
  'script style textarea title xmp iframe noembed noframes noscript template plaintext'.split(' '),
)
/** More than any real tag has. */
const maxAttributes = 100

const tagName = /[a-zA-Z][^\s/>]*/y
const space = /[\s/]*/y
const attributeName = /[^\s/>=][^\s/>=]*/y
const equals = /\s*=\s*/y
const value = /"([^"]*)"|'([^']*)'|([^\s>]+)/y

/** Start tags as a browser sees them, not those in comments, scripts or text fields. One pass, linear time for any input. */
export function* startTags(page: string): Generator<StartTag> {
  for (let at = page.indexOf('<'); at !== -1; at = page.indexOf('<', at)) {
    if (page.startsWith('<!--', at)) {
      at = after(page, '-->', at + 4)
      continue
    }
    const name = matched(tagName, page, at + 1)?.[0].toLowerCase()
    if (name === undefined) {
      at += 1
      continue
    }
    const { attributes, end } = readAttributes(page, at + 1 + name.length)
    at = rawText.has(name) ? endOfRaw(page, name, end) : end
    yield { name, attributes, text: page.slice(end, at) }
  }
}

function readAttributes(page: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>()
  let at = from
  while (at < page.length) {
    at += matched(space, page, at)![0].length
    if (page[at] === '>' || at >= page.length) break
    const name = matched(attributeName, page, at)?.[0]
    if (name === undefined) {
      at += 1
      continue
    }
    at += name.length
    const sign = matched(equals, page, at)
    const match = sign && matched(value, page, at + sign[0].length)
    if (sign) at += sign[0].length + (match?.[0].length ?? 0)
    // The first of duplicates wins, as in browsers.
    const key = name.toLowerCase()
    if (!attributes.has(key) && attributes.size < maxAttributes) {
      attributes.set(key, match ? decodeEntities(match[1] ?? match[2] ?? match[3] ?? '') : '')
    }
  }
  return { attributes, end: at + 1 }
}

function endOfRaw(page: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[\\s/>]`, 'gi')
  closing.lastIndex = from
  return closing.exec(page)?.index ?? page.length
}

function matched(pattern: RegExp, page: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(page)
}

const after = (page: string, mark: string, from: number): number => {
  const found = page.indexOf(mark, from)
  return found === -1 ? page.length : found + mark.length
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  sol: '/',
  colon: ':',
}

/** Decodes the character references that a URL may contain. */
const decodeEntities = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));/gi, (whole, hex, digits, name) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole
    const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
