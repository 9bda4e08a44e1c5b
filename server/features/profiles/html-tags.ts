/** The start tags of a page of strangers, as a browser would see them: not those in comments, scripts or text fields. */

export interface StartTag {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
}

/** What stands between their tags is text, whatever it looks like. `template` holds what the page does not show. */
const rawText = new Set(
  'script style textarea title xmp iframe noembed noframes noscript template plaintext'.split(' '),
)
/** More attributes than any honest tag has. */
const mostAttributes = 100

const tagName = /[a-zA-Z][^\s/>]*/y
const space = /[\s/]*/y
const attributeName = /[^\s/>=][^\s/>=]*/y
const equals = /\s*=\s*/y
const value = /"([^"]*)"|'([^']*)'|([^\s>]+)/y

/** In one pass from left to right: each character is looked at a few times at most, however hostile the page. */
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
    yield { name, attributes }
    at = rawText.has(name) ? endOfRaw(page, name, end) : end
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
    const given = sign && matched(value, page, at + sign[0].length)
    if (sign) at += sign[0].length + (given?.[0].length ?? 0)
    // The first of two counts, as in browsers.
    const key = name.toLowerCase()
    if (!attributes.has(key) && attributes.size < mostAttributes) {
      attributes.set(key, given ? resolved(given[1] ?? given[2] ?? given[3] ?? '') : '')
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

const named: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  sol: '/',
  colon: ':',
}

/** The references an address may be written with. */
const resolved = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));/gi, (whole, hex, digits, name) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? whole
    const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
