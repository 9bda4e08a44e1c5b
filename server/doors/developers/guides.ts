import { readFileSync } from 'node:fs'
import { renderMarkdown } from '#platform/markdown/render.ts'
import type { Masthead } from '#platform/masthead.ts'
import type { Urls } from '#platform/urls.ts'

/** In the order in which one would read them. */
export const guideNames = ['quickstart', 'reading', 'tools', 'drafting', 'embedding', 'security'] as const
export type GuideName = (typeof guideNames)[number]

/** A tool, as its guide lists it. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly properties: object; readonly required?: readonly string[] }
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
export function readGuide(name: GuideName, masthead: Masthead, urls: Urls, tools: readonly ListedTool[]): Guide {
  const source = readFileSync(new URL(`guides/${name}.md`, import.meta.url), 'utf8')
  const markdown = filled(source, masthead, urls, tools)
  const [, title = '', body = ''] = /^# (.+)\n([\s\S]*)$/.exec(markdown) ?? []
  const { html, text } = renderMarkdown(body)
  return { name, title, about: text.split('\n\n')[0] ?? '', markdown, html: asOurs(html, urls) }
}

function filled(source: string, { slug, contact }: Masthead, urls: Urls, tools: readonly ListedTool[]): string {
  const values: Readonly<Record<string, string>> = {
    base: urls.base,
    server: slug,
    tools: tools.map(lineOf).join('\n'),
    contact: contact
      ? `Write to [${contact}](mailto:${contact}).`
      : `This house has given no e-mail address; [the imprint](${urls.page('imprint')}) is where it says who runs it.`,
  }
  return source.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
}

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
