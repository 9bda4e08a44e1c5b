/** A run of text with the same formatting, a picture, or a line break. */
export interface Run {
  readonly text: string
  readonly bold?: boolean
  readonly italic?: boolean
  readonly strike?: boolean
  readonly code?: boolean
  readonly link?: string
  /** Already Markdown. */
  readonly raw?: boolean
}

type Formatting = Omit<Run, 'text' | 'raw'>

export function runsOf(nodes: Iterable<Node>, look: Formatting = {}): Run[] {
  return [...nodes].flatMap((node): Run[] => {
    if (isText(node)) return [{ ...look, text: (node.nodeValue ?? '').replace(/[\t\n\r ]+/g, ' ') }]
    if (isHidden(node) || !isElement(node)) return []
    switch (nameOf(node)) {
      case 'br':
        return [{ text: '\n', raw: true }]
      case 'img':
        return picture(node)
      case 'input':
        return node.getAttribute('type') === 'checkbox'
          ? [{ text: node.hasAttribute('checked') ? '[x] ' : '[ ] ', raw: true }]
          : []
      case 'code':
      case 'kbd':
      case 'samp':
      case 'tt':
        return [{ ...look, code: true, text: node.textContent ?? '' }]
      default:
        return runsOf(node.childNodes, formattingOf(node, look))
    }
  })
}

function formattingOf(element: Element, look: Formatting): Formatting {
  const name = nameOf(element)
  const weight = styleOf(element, 'font-weight')
  const slant = styleOf(element, 'font-style')
  const line = styleOf(element, 'text-decoration') || styleOf(element, 'text-decoration-line')
  const link = name === 'a' ? addressOf(element) : undefined
  // Styles override tag names: Google Docs wraps everything in a <b> of normal weight.
  const bold = weight ? /^(bold|bolder|[6-9]\d\d)$/.test(weight) : name === 'b' || name === 'strong' || look.bold
  const italic = slant
    ? /^(italic|oblique)/.test(slant)
    : name === 'i' || name === 'em' || name === 'cite' || look.italic
  const strike = /line-through/.test(line) || ['s', 'del', 'strike'].includes(name) || look.strike
  return {
    ...look,
    bold: bold === true,
    italic: italic === true,
    strike: strike === true,
    ...(link ? { link } : {}),
  }
}

/** Only http, https and mailto links; Google's redirect is resolved. */
function addressOf(element: Element): string | undefined {
  const given = element.getAttribute('href')?.trim() ?? ''
  if (!/^(https?:|mailto:)/i.test(given)) return undefined
  const detour = /^https?:\/\/www\.google\.[a-z.]+\/url\?(.*)$/i.exec(given)?.[1]
  return (detour && new URLSearchParams(detour).get('q')) || given
}

function picture(element: Element): Run[] {
  const source = element.getAttribute('src')?.trim() ?? ''
  if (!/^https:/i.test(source)) return []
  const alt = (element.getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim()
  return [{ text: `![${escaped(alt).replace(/[[\]]/g, '\\$&')}](${target(source)})`, raw: true }]
}

/** Collapses spaces as browsers do; a non-breaking space stays only if it is alone. */
function collapseSpaces(runs: readonly Run[]): Run[] {
  let endsInSpace = true
  const found: Run[] = []
  for (const run of runs) {
    if (run.raw) {
      const last = found.at(-1)
      if (run.text === '\n' && last && !last.raw) found[found.length - 1] = { ...last, text: last.text.trimEnd() }
      endsInSpace = /\s$/.test(run.text)
      found.push(run)
      continue
    }
    let text = run.text.replace(/[\s\u00a0]{2,}/g, ' ')
    if (endsInSpace) text = text.replace(/^[\s\u00a0]+/, '')
    if (text === '') continue
    endsInSpace = /[\s\u00a0]$/.test(text)
    found.push({ ...run, text })
  }
  while (found.length > 0 && found.at(-1)!.text.trim() === '') found.pop()
  const last = found.at(-1)
  if (last && !last.raw) found[found.length - 1] = { ...last, text: last.text.trimEnd() }
  return found
}

const marks = ['link', 'bold', 'italic', 'strike', 'code'] as const

/** Runs as Markdown. Each mark covers as much as possible, without surrounding spaces. */
export function inline(runs: readonly Run[]): string {
  return renderRuns(collapseSpaces(runs), 0).replace(/\n+$/, '').replace(/^\n+/, '')
}

function renderRuns(runs: readonly Run[], depth: number): string {
  const mark = marks[depth]
  if (!mark) return runs.map(({ text, raw }) => (raw ? text : escaped(text))).join('')
  let found = ''
  for (let start = 0; start < runs.length; ) {
    const value = runs[start]![mark] || undefined
    let end = start + 1
    while (end < runs.length && hasSameMark(runs[end]!, mark, value)) end += 1
    const group = runs.slice(start, end)
    found += value ? wrapGroup(group, mark, value, depth) : renderRuns(group, depth + 1)
    start = end
  }
  return found
}

const hasSameMark = (run: Run, mark: (typeof marks)[number], value: string | true | undefined): boolean =>
  (run[mark] || undefined) === value

function wrapGroup(group: readonly Run[], mark: (typeof marks)[number], value: string | true, depth: number): string {
  const inner = mark === 'code' ? inlineCode(group.map(({ text }) => text).join('')) : renderRuns(group, depth + 1)
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(inner) ?? []
  if (words === '') return inner
  if (mark === 'code') return before + words + after
  if (mark === 'link') {
    const address = String(value)
    return `${before}${words === address ? `<${address}>` : `[${words}](${target(address)})`}${after}`
  }
  const sign = { bold: '**', italic: '*', strike: '~~' }[mark]
  return before + sign + words + sign + after
}

/** With as many backticks as needed. */
function inlineCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const padding = /^`|`$/.test(text) ? ' ' : ''
  return text.trim() === '' ? text : fence + padding + text.replace(/\s*\n\s*/g, ' ') + padding + fence
}

/** Escapes Markdown, and only characters that would be parsed as marks. */
function escaped(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/[*`]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/~~/g, '\\~~')
    .replace(/\[(?=\^|[^\]]*\][([:])/g, '\\[')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
}

/** Escapes what would start another block at the beginning of a line. */
export function escapedStart(line: string): string {
  return line
    .replace(/^(#{1,6})(?=\s|$)/, '\\$1')
    .replace(/^([>+-])(?=\s|$)/, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^(={1,}|-{3,})\s*$/, '\\$1')
    .replace(/^\|/, '\\|')
}

/** A link target: bare if possible, in angle brackets if it has spaces or unbalanced parentheses. */
function target(address: string): string {
  if (/[\s<>]/.test(address)) return `<${address.replace(/\s/g, '%20').replace(/[<>]/g, encodeURIComponent)}>`
  const isEven = /^[^()]*(\([^()]*\)[^()]*)*$/.test(address)
  return isEven ? address : address.replace(/\(/g, '%28').replace(/\)/g, '%29')
}

/** Helpers for pasted DOM trees. */

export const nameOf = (node: Node): string => node.nodeName.toLowerCase()
export const isElement = (node: Node): node is Element => node.nodeType === 1
const isText = (node: Node): boolean => node.nodeType === 3

/** One declaration of the renamed style attribute. Read as text, since browsers drop Word's own properties (mso-…). */
export function styleOf(element: Element, property: string): string {
  const style = element.getAttribute('data-look') ?? ''
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon !== -1 && declaration.slice(0, colon).trim().toLowerCase() === property) {
      return declaration.slice(colon + 1).trim()
    }
  }
  return ''
}

const hiddenTags = new Set(
  'script style meta link title head template noscript svg math button select textarea iframe object audio video canvas map col colgroup base o:p v:shape xml'.split(
    ' ',
  ),
)

export function isHidden(node: Node): boolean {
  if (!isElement(node)) return !isText(node)
  return (
    hiddenTags.has(nameOf(node)) ||
    node.hasAttribute('hidden') ||
    styleOf(node, 'display') === 'none' ||
    styleOf(node, 'mso-hide') === 'all' ||
    // Word's own bullets and numbers; the list has its own.
    /^ignore$/i.test(styleOf(node, 'mso-list'))
  )
}

const blockTags = new Set(
  'html body address article aside blockquote center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)

export const isBlock = (node: Node): boolean => isElement(node) && blockTags.has(nameOf(node))

export const holdsBlocks = (node: Node): boolean =>
  [...node.childNodes].some((child) => !isHidden(child) && (isBlock(child) || holdsBlocks(child)))
