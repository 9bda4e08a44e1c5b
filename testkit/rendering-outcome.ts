import assert from 'node:assert/strict'
import type { Renderer } from '../server/features/pieces/rendering/renderer.ts'
import { ServiceError } from '../server/platform/errors.ts'

/** Feeds carry both. */
const notInXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/

/** Refusals for what a body becomes are fine; a thread that had to be ended is not. */
export async function outcomeOf(renderer: Renderer, name: string, body_md: string): Promise<'set' | 'refused'> {
  try {
    const { html, text } = await renderer.render({ headline: 'A headline', sub: null, body_md }, { by: name })
    assert.ok(Buffer.byteLength(html) <= 1_048_576, name)
    for (const one of [html, text]) assert.ok(one.isWellFormed() && !notInXml.test(one), name)
    return 'set'
  } catch (error) {
    assert.ok(error instanceof ServiceError, `${name}: ${error}`)
    assert.equal(error.reason, 'render_too_large', name)
    assert.match(error.message, /becomes more than 1 MiB of HTML, most of it from the .+ line \d+/, name)
    return 'refused'
  }
}
