import type { FastifyReply } from 'fastify'

/** What the Markdown twins of pages are made of. */

/** With the headers of a twin: the page it belongs to is the one to find and to quote. */
export function asTwin(reply: FastifyReply, markdown: string, page: string): string {
  reply
    .type('text/markdown; charset=utf-8')
    .header('x-robots-tag', 'noindex')
    .header('link', `<${page}>; rel="canonical"`)
  return markdown
}

export const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

/** The blocks there are, as one text. */
export const twin = (blocks: readonly (string | false | null)[]): string => `${blocks.filter(Boolean).join('\n\n')}\n`
