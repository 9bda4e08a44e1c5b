import { lengthOf } from '../text/length.ts'

/**
 * Where a text stops being JSON, and what is wrong there, without a word of what it holds; undefined where it is JSON.
 * The parser's own message shows the text, and seldom the place. For texts that are not too deep (`excessOf`).
 */
export function faultOf(text: string): string | undefined {
  let at = 0

  const space = (): void => {
    while (at < text.length && ' \t\n\r'.includes(text[at]!)) at += 1
  }
  const take = (shape: RegExp): boolean => {
    shape.lastIndex = at
    const isThere = shape.test(text)
    if (isThere) at = shape.lastIndex
    return isThere
  }
  const takeOne = (character: string): boolean => {
    const isThere = text[at] === character
    if (isThere) at += 1
    return isThere
  }

  const string = (): string | undefined => {
    at = plainEnd(text, at + 1)
    while (take(escaped)) at = plainEnd(text, at)
    if (takeOne('"')) return undefined
    if (text[at] === '\\') return words.escape
    return text[at] === '\n' || text[at] === '\r' ? words.lineBreak : words.control
  }
  const member = (): string | undefined => {
    space()
    if (text[at] !== '"') return words.name
    const wrong = string()
    if (wrong) return wrong
    space()
    return takeOne(':') ? value() : words.colon
  }
  const entries = (entry: () => string | undefined, closing: string): string | undefined => {
    at += 1
    space()
    if (takeOne(closing)) return undefined
    for (;;) {
      const wrong = entry()
      if (wrong) return wrong
      space()
      if (takeOne(closing)) return undefined
      if (!takeOne(',')) return `there should be a comma or ${closing}`
    }
  }
  const value = (): string | undefined => {
    space()
    if (text[at] === '{') return entries(member, '}')
    if (text[at] === '[') return entries(value, ']')
    if (text[at] === '"') return string()
    return take(simple) ? undefined : words.value
  }

  const whole = (): string | undefined => {
    const wrong = value()
    if (wrong) return wrong
    space()
    return at < text.length ? words.more : undefined
  }

  const wrong = whole()
  return wrong && `${placeIn(text, at)} ${at < text.length ? wrong : words.end}`
}

const escaped = /(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,1000}/y
const simple = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

const words = {
  name: 'there should be a name in double quotes',
  colon: 'there should be a colon',
  value: 'there should be a value: text in double quotes, a number, true, false, null, { or [',
  lineBreak: 'a line breaks inside of a text; write the break as \\n',
  control: 'a control character stands in a text; write it as \\u and four digits',
  escape: 'a backslash stands before what it cannot; write the backslash itself as \\\\',
  more: 'there is something after its end',
  end: 'it ends too soon',
} as const

/** Where quote, backslash or control character ends what stands for itself. */
function plainEnd(text: string, from: number): number {
  let end = from
  for (let code = text.charCodeAt(end); code >= 0x20 && code !== 0x22 && code !== 0x5c; code = text.charCodeAt(end))
    end++
  return end
}

/** As editors count: from 1, in characters. */
function placeIn(text: string, at: number): string {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  return `at line ${line}, column ${lengthOf(text.slice(start, at)) + 1},`
}
