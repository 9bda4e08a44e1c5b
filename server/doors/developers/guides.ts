import { readFileSync } from 'node:fs'
import { examplePiece } from '#features/pieces/examples.ts'
import { readSamples } from '#features/webhooks/samples.ts'
import { renderMarkdown } from '#platform/markdown/render.ts'
import type { Masthead } from '#platform/masthead.ts'
import type { Urls } from '#platform/urls.ts'

/** In the order in which one would read them. */
export const guideNames = [
  'quickstart',
  'reading',
  'tools',
  'drafting',
  'importing',
  'webhooks',
  'embedding',
  'security',
] as const
export type GuideName = (typeof guideNames)[number]

/** A tool, as its guide lists it. */
interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly properties: object; readonly required?: readonly string[] }
}

/** Of both tool servers: for everybody, and for those who hold a key. */
export interface ListedTools {
  readonly tools: readonly ListedTool[]
  readonly draftTools: readonly ListedTool[]
}

export interface Guide {
  readonly name: GuideName
  readonly title: string
  /** Its first paragraph, as one plain sentence or two. */
  readonly about: string
  /** The whole, for programs. */
  readonly markdown: string
  /** What stands under the title. */
  readonly html: string
}

/** Reads a guide, fills in the addresses of this house, and renders it by the house's own pipeline. */
export function readGuide(name: GuideName, masthead: Masthead, urls: Urls, listed: ListedTools): Guide {
  const source = readFileSync(new URL(`guides/${name}.md`, import.meta.url), 'utf8')
  const markdown = filled(source, masthead, urls, listed)
  const [, title = '', body = ''] = /^# (.+)\n([\s\S]*)$/.exec(markdown) ?? []
  const { html, text } = renderMarkdown(body)
  return { name, title, about: text.split('\n\n')[0] ?? '', markdown, html: asOurs(html, urls) }
}

function filled(source: string, { slug, contact }: Masthead, urls: Urls, listed: ListedTools): string {
  const values: Readonly<Record<string, string>> = {
    base: urls.base,
    server: slug,
    tools: listed.tools.map(lineOf).join('\n'),
    draftTools: listed.draftTools.map(lineOf).join('\n'),
    piece: JSON.stringify({ ...examplePiece, _service: { event: 'piece.published', sequence: 12 } }, null, 2),
    samples: samplesOf(),
    contact: contact
      ? `Write to [${contact}](mailto:${contact}).`
      : `This house has given no e-mail address; [the imprint](${urls.page('imprint')}) is where it says who runs it.`,
  }
  return source.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
}

/** The receivers, each under the name of its language. */
const samplesOf = (): string =>
  readSamples()
    .map(({ name, needs, language, file, code }) => {
      return `### ${name}\n\n\`${file}\` needs ${needs}.\n\n\`\`\`${language} serve\n${code}\`\`\`\n`
    })
    .join('\n')

/** What is needed stands plain, what may be left out in brackets. */
function lineOf({ name, description, inputSchema: { properties, required = [] } }: ListedTool): string {
  const given = Object.keys(properties).map((one) => (required.includes(one) ? one : `[${one}]`))
  return `- \`${name}(${given.join(', ')})\` ${description}`
}

/** The pipeline marks every link as a writer's; these are the house's own. What is too wide scrolls, by keyboard too. */
const asOurs = (html: string, { base }: Urls): string =>
  html
    .replaceAll(` rel="ugc nofollow noopener noreferrer">`, '>')
    .replaceAll(`href="${base}/`, 'href="/')
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
