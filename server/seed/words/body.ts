import { type Anchors, newAnchors } from '#platform/markdown/anchors.ts'
import { codeBlock, newHighlightBudget } from '#platform/markdown/code.ts'
import type { Random } from '../random.ts'
import type { Slot } from './grammar.ts'
import { fill } from './grammar.ts'
import type { Style } from './repertoire.ts'
import { repertoire } from './repertoire.ts'
import type { Writer } from './writer.ts'

/** What a piece contains besides paragraphs, and after how many of them; -1 for never. */
interface Extras {
  cjk: number
  european: number
  code: number
  list: number
  marked: number
  headings: number
}

export function writeBody(writer: Writer, style: Style): Page {
  const { random } = writer
  const lines = repertoire()
  const page = newPage()
  const extras = pickExtras(random, style)
  const length = pickLength(random, style)

  // The headline may have named them; the body introduces them again.
  writer.who.met = false
  writer.other.met = false
  addParagraph(page, lines.scenes(writer) + follow(writer, 3))
  for (let done = 1; page.text.length < length; done++) {
    addExtras(page, writer, extras, done)
    if (style === 'interview') addMarked(page, `*${lines.asks(writer)}*`)
    addParagraph(page, random.pick(lines.leads)(writer) + follow(writer, 2 + random.integer(5)))
  }
  const last = lines.claims(writer) + follow(writer, 1 + random.integer(3))
  addParagraph(page, `${last} ${lines.closings(writer)}`)
  return page
}

function follow(writer: Writer, sentences: number): string {
  const { follows } = repertoire()
  let said = ''
  for (let i = 0; i < sentences; i++) said += ` ${writer.random.pick(follows)(writer)}`
  return said
}

/** Length in characters before the last paragraph. */
function pickLength(random: Random, style: Style): number {
  if (style === 'note') return 1_200 + random.integer(1_200)
  const usual = 2_500 + random.integer(1_400) + random.integer(1_400)
  return style === 'report' ? usual + 600 : usual
}

function pickExtras(random: Random, style: Style): Extras {
  const early = (share: number) => (random.chance(share) ? 1 + random.integer(2) : -1)
  return {
    cjk: early(0.05),
    european: early(0.03),
    code: early(0.02),
    list: early(style === 'report' ? 0.3 : 0.08),
    marked: early(0.08),
    headings: early(0.3),
  }
}

function addExtras(page: Page, writer: Writer, extras: Extras, done: number): void {
  const { random } = writer
  const lines = repertoire()
  if (done === extras.marked) addMarked(page, lines.marked(writer) + follow(writer, 2))
  if (done === extras.european) addParagraph(page, repeat(random.pick(lines.european), writer, ' '))
  if (done === extras.cjk) addParagraph(page, repeat(random.pick(lines.cjk), writer, ''))
  if (done === extras.list) {
    addParagraph(page, lines.intros(writer))
    addList(
      page,
      Array.from({ length: 3 + random.integer(4) }, () => lines.items(writer)),
    )
  }
  if (done === extras.code) {
    const { language, code } = random.pick(lines.snippets)
    addCode(page, language, fill(code, writer))
  }
  const again = extras.headings > 0 && done === extras.headings + 3 && random.chance(0.6)
  if (done === extras.headings || again) addHeading(page, lines.headings(writer))
}

function repeat(say: Slot<Writer>, writer: Writer, gap: string): string {
  let said = say(writer)
  for (let more = 2 + writer.random.integer(3); more > 0; more--) said += gap + say(writer)
  return said
}

/** One body in three formats, written together block by block. */
export interface Page {
  md: string
  html: string
  text: string
  readonly anchorFor: Anchors
}

const newPage = (): Page => ({ md: '', html: '', text: '', anchorFor: newAnchors() })

function addParagraph(page: Page, text: string): void {
  add(page, text, `<p>${escaped(text)}</p>\n`, text)
}

/** A paragraph with `*em*`, `**strong**`, code or links in it, and no other Markdown. */
function addMarked(page: Page, md: string): void {
  const { html, text } = inline(md)
  add(page, md, `<p>${html}</p>\n`, text)
}

function addHeading(page: Page, text: string): void {
  add(page, `## ${text}`, `<h2 id="${page.anchorFor(text)}">${escaped(text)}</h2>\n`, text)
}

function addList(page: Page, items: readonly string[]): void {
  const html = items.map((item) => `<li>${escaped(item)}</li>\n`).join('')
  add(page, `- ${items.join('\n- ')}`, `<ul>\n${html}</ul>\n`, items.join('\n'))
}

function addCode(page: Page, language: string, code: string): void {
  add(page, `\`\`\`${language}\n${code}\n\`\`\``, codeBlock(language, `${code}\n`, newHighlightBudget()), code)
}

function add(page: Page, md: string, html: string, text: string): void {
  const gap = page.md === '' ? '' : '\n\n'
  page.md += gap + md
  page.html += html
  page.text += gap + text
}

/** Most paragraphs need no escaping, and checking is cheaper than replacing. */
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
