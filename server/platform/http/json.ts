import type { FastifyInstance } from 'fastify'
import { failure } from './errors.ts'

/** Deeper than any document we take, and shallower than anything that could hurt to walk through. */
const deepest = 32

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** JSON in UTF-8, not too deep, without the names that poison objects; anything else is said to be unreadable. */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers
    const charset = /;\s*charset\s*=\s*"?([^";]*)/i.exec(type)?.[1]
    if (encoding !== 'identity' || (charset && charset.trim().toLowerCase() !== 'utf-8')) return done(failure(415))
    // Many clients send the type with every request: a DELETE with it and nothing else is a DELETE.
    if (bytes.length === 0) return done(null)
    if (isTooDeep(bytes)) return done(failure(400))
    let text: string
    try {
      text = utf8.decode(bytes)
    } catch {
      return done(failure(400))
    }
    // RFC 8259 knows no byte order mark; the parser would quietly take it away.
    if (text.startsWith('\uFEFF')) return done(failure(400))
    parse(request, text, done)
  })
}

const quote = 0x22
const backslash = 0x5c
const opening = [0x7b, 0x5b]
const closing = [0x7d, 0x5d]

/** Counts brackets outside strings, byte by byte: in UTF-8 no byte of another character looks like one. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0
  let inString = false
  for (let place = 0; place < bytes.length; place++) {
    const byte = bytes[place]!
    if (inString) {
      if (byte === backslash) place++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (opening.includes(byte)) {
      if (++depth > deepest) return true
    } else if (closing.includes(byte)) depth--
  }
  return false
}
