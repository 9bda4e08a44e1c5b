import { escaped, target } from './escape.ts'
import { isElement, isHidden, isText, nameOf, styleOf } from './tree.ts'

/** Text that looks the same from its first letter to its last, or a picture, or the end of a line. */
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

type Look = Omit<Run, 'text' | 'raw'>

export function runsOf(nodes: Iterable<Node>, look: Look = {}): Run[] {
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
        return runsOf(node.childNodes, lookOf(node, look))
    }
  })
}

function lookOf(element: Element, look: Look): Look {
  const name = nameOf(element)
  const weight = styleOf(element, 'font-weight')
  const slant = styleOf(element, 'font-style')
  const line = styleOf(element, 'text-decoration') || styleOf(element, 'text-decoration-line')
  const link = name === 'a' ? addressOf(element) : undefined
  // A style speaks louder than a name: Google Docs wraps everything in a <b> of normal weight.
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

/** Only addresses a reader can follow; Google's detour is cut short. */
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

/** Spaces as a reader sees them: none at the ends, one between words; a hard space only where it stands alone. */
function tidied(runs: readonly Run[]): Run[] {
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

/** Runs as Markdown, each mark around as much as it covers, never around the spaces beside it. */
export function inline(runs: readonly Run[]): string {
  return wrapped(tidied(runs), 0).replace(/\n+$/, '').replace(/^\n+/, '')
}

function wrapped(runs: readonly Run[], depth: number): string {
  const mark = marks[depth]
  if (!mark) return runs.map(({ text, raw }) => (raw ? text : escaped(text))).join('')
  let found = ''
  for (let start = 0; start < runs.length; ) {
    const value = runs[start]![mark] || undefined
    let end = start + 1
    while (end < runs.length && isAlike(runs[end]!, mark, value)) end += 1
    const group = runs.slice(start, end)
    found += value ? around(group, mark, value, depth) : wrapped(group, depth + 1)
    start = end
  }
  return found
}

const isAlike = (run: Run, mark: (typeof marks)[number], value: string | true | undefined): boolean =>
  (run[mark] || undefined) === value

function around(group: readonly Run[], mark: (typeof marks)[number], value: string | true, depth: number): string {
  const inner = mark === 'code' ? codeOf(group.map(({ text }) => text).join('')) : wrapped(group, depth + 1)
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

/** As many back ticks around it as it needs. */
function codeOf(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const padding = /^`|`$/.test(text) ? ' ' : ''
  return text.trim() === '' ? text : fence + padding + text.replace(/\s*\n\s*/g, ' ') + padding + fence
}
