import { type Anchors, newAnchors } from '#platform/markdown/anchors.ts'
import { codeBlock, newHighlightBudget } from '#platform/markdown/code.ts'

/** One body in three formats, written together block by block: bulk.test.ts compares them with the Markdown pipeline's. */
export interface Page {
  md: string
  html: string
  text: string
  readonly anchorFor: Anchors
}

export const newPage = (): Page => ({ md: '', html: '', text: '', anchorFor: newAnchors() })

export function addParagraph(page: Page, text: string): void {
  add(page, text, `<p>${linked(text)}</p>\n`, text)
}

/** A paragraph with `*em*`, `**strong**`, code or links in it, and no other Markdown. */
export function addMarked(page: Page, md: string): void {
  const { html, text } = inline(md)
  add(page, md, `<p>${html}</p>\n`, text)
}

export function addHeading(page: Page, text: string): void {
  add(page, `## ${text}`, `<h2 id="${page.anchorFor(text)}">${linked(text)}</h2>\n`, text)
}

export function addList(page: Page, items: readonly string[]): void {
  const html = items.map((item) => `<li>${linked(item)}</li>\n`).join('')
  add(page, `- ${items.join('\n- ')}`, `<ul>\n${html}</ul>\n`, items.join('\n'))
}

export function addCode(page: Page, language: string, code: string): void {
  add(page, `\`\`\`${language}\n${code}\n\`\`\``, codeBlock(language, `${code}\n`, newHighlightBudget()), code)
}

function add(page: Page, md: string, html: string, text: string): void {
  const gap = page.md === '' ? '' : '\n\n'
  page.md += gap + md
  page.html += html
  page.text += gap + text
}

/** The addresses of non-words.ts, without the punctuation that may follow one. */
const addresses = /https:\/\/[^\s<]*[^\s<.,;:!?'")\]”’]/g

/** Bare addresses are links. */
const linked = (text: string): string =>
  text.includes('https://')
    ? escaped(text).replace(
        addresses,
        (address) => `<a href="${address}" rel="ugc nofollow noopener noreferrer">${address}</a>`,
      )
    : escaped(text)

/** Most paragraphs need no escaping, and checking is cheaper than replacing. */
function escaped(text: string): string {
  let html = text
  if (html.includes('&')) html = html.replaceAll('&', '&amp;')
  if (html.includes('<')) html = html.replaceAll('<', '&lt;')
  if (html.includes('>')) html = html.replaceAll('>', '&gt;')
  return html
}

const marks = /(\*\*?)|`([^`]+)`|\[([^\]]+)\]\(([^)]+)\)/g

function inline(md: string): { html: string; text: string } {
  const open = new Set<string>()
  let [html, text, at] = ['', '', 0]
  for (const match of md.matchAll(marks)) {
    const [whole, mark, code, label, address] = match
    const plain = md.slice(at, match.index)
    html += linked(plain)
    text += plain + (code ?? label ?? '')
    at = match.index + whole.length
    if (mark) {
      const closes = open.delete(mark)
      if (!closes) open.add(mark)
      html += `<${closes ? '/' : ''}${mark === '*' ? 'em' : 'strong'}>`
    } else if (code) html += `<code>${escaped(code)}</code>`
    else html += `<a href="${escaped(address!)}" rel="ugc nofollow noopener noreferrer">${escaped(label!)}</a>`
  }
  const rest = md.slice(at)
  return { html: html + linked(rest), text: text + rest }
}
