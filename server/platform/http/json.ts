import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import { lengthOf } from '../text/normalise.ts'

/** Deeper than any document we accept, and shallow enough to traverse safely. */
const deepest = 32

/**
 * More than any document we accept holds. A body of 1.3 MB can hold 650,000, which take 200 ms to parse and traverse.
 */
const mostValues = 5000

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Accepts JSON in UTF-8 of limited depth, without names that pollute prototypes. */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers
    const charset = /;\s*charset\s*=\s*"?([^";]*)/i.exec(type)?.[1]?.trim()
    if (encoding !== 'identity') {
      return done(unsupported('Send the body as it is, without Content-Encoding: it is not unpacked here.'))
    }
    if (charset && !/^utf-?8$/i.test(charset)) {
      return done(unsupported('Send the body in UTF-8, as Content-Type: application/json; charset=utf-8.'))
    }
    // Many clients always send the content type: a DELETE without a body is valid.
    if (bytes.length === 0) return done(null)
    const excess = excessOf(bytes)
    if (excess) return done(unreadable(excess))
    let text: string
    try {
      text = utf8.decode(bytes)
    } catch {
      return done(unreadable('The body is not UTF-8. Encode it as UTF-8 and send it again.'))
    }
    // RFC 8259 forbids a byte order mark; the parser would silently remove it.
    if (text.startsWith('\uFEFF')) return done(unreadable('The body begins with a byte order mark. Leave it out.'))
    parse(request, text, (error, value) => (error ? done(unreadable(whyOf(text))) : done(null, value)))
  })
}

/** The error for a body that is too deep or has too many values, found by scanning bytes before anything is parsed. */
export function excessOf(bytes: Buffer): string | undefined {
  let depth = 0
  let values = 0
  let inString = false
  for (let index = 0; index < bytes.length; index++) {
    // In UTF-8 no byte of another character equals one of these.
    const byte = bytes[index]!
    if (inString) {
      if (byte === backslash) index++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === comma) {
      if (++values > mostValues) return tooMuch.values
    } else if (byte === openBrace || byte === openBracket) {
      if (++values > mostValues) return tooMuch.values
      if (++depth > deepest) return tooMuch.depth
    } else if (byte === closeBrace || byte === closeBracket) depth--
  }
  return undefined
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const tooMuch = {
  depth: `The body is more than ${deepest} levels deep. Send it flatter.`,
  values: `The body has more than ${mostValues} values. Send fewer.`,
} as const

/** Explains why the parser rejected a text. If it is valid JSON, it contains a name that pollutes prototypes. */
function whyOf(text: string): string {
  const fault = faultOf(text)
  return fault
    ? `The body is not JSON: ${fault}.`
    : 'The body has a member __proto__, or a prototype within constructor. Leave it out.'
}

const unreadable = (detail: string) => new ServiceError(400, 'validation_failed', detail)
const unsupported = (detail: string) => new ServiceError(415, 'unsupported_media_type', detail)

/**
 * Where a text stops being JSON, and what is wrong there, without quoting its content; undefined if it is JSON. The
 * parser's message quotes the text and seldom has the position. For texts of limited depth (`excessOf`).
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
  return wrong && `${positionIn(text, at)} ${at < text.length ? wrong : words.end}`
}

const escaped = /(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,1000}/y
const simple = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

const words = {
  name: 'there should be a name in double quotes',
  colon: 'there should be a colon',
  value: 'there should be a value: a string in double quotes, a number, true, false, null, { or [',
  lineBreak: 'a string contains a line break; write it as \\n',
  control: 'a string contains a control character; write it as \\u and four digits',
  escape: 'a string contains an invalid escape; write a backslash as \\\\',
  more: 'there is something after its end',
  end: 'it ends too soon',
} as const

/** The end of the plain characters: the next quote, backslash or control character. */
function plainEnd(text: string, from: number): number {
  let end = from
  for (let code = text.charCodeAt(end); code >= 0x20 && code !== 0x22 && code !== 0x5c; code = text.charCodeAt(end))
    end++
  return end
}

/** As editors count: from 1, in characters. */
function positionIn(text: string, at: number): string {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  return `at line ${line}, column ${lengthOf(text.slice(start, at)) + 1},`
}
