import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import { faultOf } from './json-fault.ts'

/** Deeper than any document we take, and shallower than anything that could hurt to walk through. */
const deepest = 32

/** More than any document we take holds. A body of 1.3 MB has room for 650,000, which take 200 ms to parse and walk. */
const mostValues = 5000

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** JSON in UTF-8, not too deep, without the names that poison objects; anything else is said to be unreadable. */
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
    // Many clients send the type with every request: a DELETE with it and nothing else is a DELETE.
    if (bytes.length === 0) return done(null)
    const excess = excessOf(bytes)
    if (excess) return done(unreadable(excess))
    let text: string
    try {
      text = utf8.decode(bytes)
    } catch {
      return done(unreadable('The body is not UTF-8. Encode it as UTF-8 and send it again.'))
    }
    // RFC 8259 knows no byte order mark; the parser would quietly take it away.
    if (text.startsWith('\uFEFF')) return done(unreadable('The body begins with a byte order mark. Leave it out.'))
    parse(request, text, (error, value) => (error ? done(unreadable(whyOf(text))) : done(null, value)))
  })
}

/** What to say if it goes too deep or holds too much; found byte by byte, before anything is made of it. */
export function excessOf(bytes: Buffer): string | undefined {
  let depth = 0
  let values = 0
  let inString = false
  for (let place = 0; place < bytes.length; place++) {
    // In UTF-8 no byte of another character looks like one of these.
    const byte = bytes[place]!
    if (inString) {
      if (byte === backslash) place++
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
  values: `The body holds more than ${mostValues} values. Send fewer.`,
} as const

/** Of a text that the parser refused. What is JSON all the same has a name in it that poisons objects. */
function whyOf(text: string): string {
  const fault = faultOf(text)
  return fault
    ? `The body is not JSON: ${fault}.`
    : 'The body has a member __proto__, or a prototype within constructor. Leave it out.'
}

const unreadable = (detail: string) => new ServiceError(400, 'validation_failed', detail)
const unsupported = (detail: string) => new ServiceError(415, 'unsupported_media_type', detail)
