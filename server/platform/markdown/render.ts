import type { Token } from 'markdown-it'
import { normalise } from '../text/normalise.ts'
import { newAllowance } from './code.ts'
import { blocksOf, mostHtml, type Part, sharedLength, tooLarge } from './limits.ts'
import { markdown } from './parser.ts'
import type { Pictures } from './pictures.ts'
import { plainText } from './plain-text.ts'
import { sanitise } from './sanitise.ts'

export interface Rendered {
  readonly html: string
  readonly text: string
}

/**
 * Markdown to sanitised HTML and to the same words without markup. Called when text goes public, never when it is
 * read. What becomes too much HTML is refused with its place.
 */
export function renderMarkdown(source: string, pictures: Pictures = {}): Rendered {
  const tokens = markdown.parse(normalise(source), {})
  const parts = renderBlocks(tokens, pictures)
  const written = parts.map(({ html }) => html).join('')
  // The second pass takes longest, and makes nothing shorter but `&quot;`: most of what is too much is known before.
  const least = Buffer.byteLength(written) - 5 * (written.split('&quot;').length - 1)
  if (least > mostHtml) throw tooLarge(parts, least)
  const html = sanitise(written)
  const bytes = Buffer.byteLength(html)
  if (bytes > mostHtml) throw tooLarge(parts, bytes)
  return { html, text: normalise(plainText(tokens)) }
}

function renderBlocks(tokens: readonly Token[], pictures: Pictures): (Part & { html: string })[] {
  const env = { allowance: newAllowance(), pictures }
  const parts: (Part & { html: string })[] = []
  let length = 0
  for (const block of blocksOf(tokens)) {
    const shared = sharedLength(block)
    length += shared
    if (length > mostHtml) throw tooLarge([...parts, { block, length: shared }])
    const html = markdown.renderer.render(block, markdown.options, env)
    parts.push({ block, html, length: html.length })
  }
  return parts
}
