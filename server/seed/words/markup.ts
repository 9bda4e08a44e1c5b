import { type Anchors, newAnchors } from '#platform/markdown/anchors.ts'
import { codeBlock, newAllowance } from '#platform/markdown/code.ts'

/** One body in its three forms, written together block by block. */
export interface Page {
  md: string
  html: string
  text: string
  readonly anchorFor: Anchors
}

export const newPage = (): Page => ({ md: '', html: '', text: '', anchorFor: newAnchors() })

export function addParagraph(page: Page, text: string): void {
  add(page, text, `<p>${escaped(text)}</p>\n`, text)
}

/** A paragraph with `*em*`, `**strong**`, code or links in it, and no other Markdown. */
export function addMarked(page: Page, md: string): void {
  const { html, text } = inline(md)
  add(page, md, `<p>${html}</p>\n`, text)
}

export function addHeading(page: Page, text: string): void {
  add(page, `## ${text}`, `<h2 id="${page.anchorFor(text)}">${escaped(text)}</h2>\n`, text)
}

export function addList(page: Page, items: readonly string[]): void {
  const html = items.map((item) => `<li>${escaped(item)}</li>\n`).join('')
  add(page, `- ${items.join('\n- ')}`, `<ul>\n${html}</ul>\n`, items.join('\n'))
}

export function addCode(page: Page, language: string, code: string): void {
  add(page, `\`\`\`${language}\n${code}\n\`\`\``, codeBlock(language, `${code}\n`, newAllowance()), code)
}

function add(page: Page, md: string, html: string, text: string): void {
  const gap = page.md === '' ? '' : '\n\n'
  page.md += gap + md
  page.html += html
  page.text += gap + text
}

/** Most paragraphs need none of it, and looking is cheaper than replacing. */
function escaped(text: string): string {
  let html = text
  if (html.includes('&')) html = html.replaceAll('&', '&amp;')
  if (html.includes('<')) html = html.replaceAll('<', '&lt;')
  if (html.includes('>')) html = html.replaceAll('>', '&gt;')
  return html
}

function inline(md: string): { html: string; text: string } {
  let html = ''
  let text = ''
  const open = { '*': false, '**': false }
  let at = 0
  while (at < md.length) {
    const next = nextMark(md, at)
    const plain = md.slice(at, next)
    html += escaped(plain)
    text += plain
    if (next === md.length) break

    if (md[next] === '`') {
      const end = md.indexOf('`', next + 1)
      const code = md.slice(next + 1, end)
      html += `<code>${escaped(code)}</code>`
      text += code
      at = end + 1
    } else if (md[next] === '[') {
      const middle = md.indexOf('](', next)
      const end = md.indexOf(')', middle)
      const label = md.slice(next + 1, middle)
      html += `<a href="${md.slice(middle + 2, end)}" rel="ugc nofollow noopener noreferrer">${escaped(label)}</a>`
      text += label
      at = end + 1
    } else {
      const mark = md[next + 1] === '*' ? '**' : '*'
      const tag = mark === '*' ? 'em' : 'strong'
      html += open[mark] ? `</${tag}>` : `<${tag}>`
      open[mark] = !open[mark]
      at = next + mark.length
    }
  }
  return { html, text }
}

function nextMark(md: string, from: number): number {
  for (let i = from; i < md.length; i++) {
    const char = md[i]
    if (char === '*' || char === '`' || char === '[') return i
  }
  return md.length
}
