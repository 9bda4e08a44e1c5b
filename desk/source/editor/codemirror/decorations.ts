import { syntaxTree } from '@codemirror/language'
import type { EditorState, Range, Text } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import type { SyntaxNode, SyntaxNodeRef, Tree } from '@lezer/common'
import { hiddenRange, hidesSigns } from './hidden-signs.ts'
import { MarkerWidget } from './marker-widget.ts'
import { TaskWidget } from './task-widget.ts'

/** Styles Markdown while typing; marks are hidden on all lines but the active ones, or on these too (`hidesSigns`). */

const markDecoration = (name: string) => Decoration.mark({ class: name })
const inlineDecorations: Readonly<Record<string, Decoration>> = {
  Emphasis: markDecoration('md-emphasis'),
  StrongEmphasis: markDecoration('md-strong'),
  Strikethrough: markDecoration('md-strike'),
  InlineCode: markDecoration('md-code'),
  Link: markDecoration('md-link'),
  Autolink: markDecoration('md-link'),
  CodeInfo: markDecoration('md-soft'),
  LinkReference: markDecoration('md-soft'),
  HTMLTag: markDecoration('md-soft'),
  HTMLBlock: markDecoration('md-soft'),
  TaskMarker: markDecoration('md-task'),
}
const lineClasses: Readonly<Record<string, string>> = {
  ATXHeading1: 'md-heading md-heading-1',
  ATXHeading2: 'md-heading md-heading-2',
  ATXHeading3: 'md-heading md-heading-3',
  ATXHeading4: 'md-heading md-heading-4',
  ATXHeading5: 'md-heading md-heading-4',
  ATXHeading6: 'md-heading md-heading-4',
  SetextHeading1: 'md-heading md-heading-1',
  SetextHeading2: 'md-heading md-heading-2',
  Blockquote: 'md-quote',
  FencedCode: 'md-block',
  CodeBlock: 'md-block',
  Table: 'md-table',
  HorizontalRule: 'md-rule',
}
const mark = markDecoration('md-mark')
const noteMark = markDecoration('md-note-mark')
const noteLink = markDecoration('md-link md-note-mark')
const hidden = Decoration.replace({})
/** Inclusive: what stands for a list mark at its start is within it. */
const lead = Decoration.mark({ class: 'md-lead', inclusiveStart: true })
/** In the margin, so that the words stay where they are when the cursor comes. */
const hanging = markDecoration('md-mark md-hang')
const tasks = [false, true].map((isDone) => Decoration.replace({ widget: new TaskWidget(isDone) }))
const lines = new Map<string, Decoration>()
function lineDecoration(name: string): Decoration {
  const known = lines.get(name) ?? Decoration.line({ class: name })
  lines.set(name, known)
  return known
}

/** The start positions of the lines with a cursor or selection. */
function activeLines(state: EditorState, hasFocus: boolean): Set<number> {
  const found = new Set<number>()
  if (!hasFocus) return found
  for (const { from, to } of state.selection.ranges) {
    const last = state.doc.lineAt(to).from
    for (let at = state.doc.lineAt(from).from; at <= last; at = state.doc.lineAt(at).to + 1) found.add(at)
  }
  return found
}

function buildDecorations(view: EditorView): DecorationSet {
  const { state } = view
  // With its bars: a match that was found is shown as it was written.
  const hasFocus = view.dom.contains(document.activeElement)
  const active = activeLines(state, hasFocus)
  const found: Range<Decoration>[] = []
  const isActive = (at: number) => active.has(state.doc.lineAt(at).from)
  // What was looked for may be a part of a sign, such as an address.
  const isHiding = state.facet(hidesSigns) && !document.activeElement?.closest('.md-find')

  const eachLine = (node: SyntaxNodeRef, from: number, to: number, act: (start: number, end: number) => void) => {
    const end = Math.min(node.to, to)
    for (let line = state.doc.lineAt(Math.max(node.from, from)); ; line = state.doc.lineAt(line.to + 1)) {
      act(line.from, line.to)
      if (line.to >= end || line.to >= state.doc.length) return
    }
  }

  for (const { from, to } of view.visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter(node) {
        const { name } = node
        const line = lineClasses[name]
        if (line) eachLine(node, from, to, (start) => found.push(lineDecoration(line).range(start)))
        if (name === 'ListItem') decorateListItem(state, node.node, hasFocus, found)
        const look = name === 'Link' ? lookOfLink(state, node.node) : inlineDecorations[name]
        if (name === 'TaskMarker' && !isInside(state, node)) {
          found.push(tasks[/x/i.test(state.sliceDoc(node.from, node.to)) ? 1 : 0]!.range(node.from, node.to))
          return
        }
        if (look && node.to > node.from) found.push(look.range(node.from, node.to))
        if (name === 'FencedCode') decorateFence(state, node, found)
        if (name === 'FencedCode') return false
        const range = hiddenRange(state, node.node)
        if (!range) return
        const isHidden = (isHiding && node.node.parent?.name !== 'Image') || !isActive(node.from)
        if (isHidden) return void found.push(hidden.range(range.from, range.to))
        if (name === 'Escape') return
        const isHanging = (name === 'HeaderMark' || name === 'QuoteMark') && isAtStart(state, range.from)
        found.push((isHanging ? hanging : mark).range(range.from, range.to))
      },
    })
  }
  return Decoration.set(found, true)
}

const isAtStart = ({ doc }: EditorState, at: number): boolean => doc.lineAt(at).from === at

/** Whether a cursor is between the first and the last character of a node. */
const isInside = ({ selection }: EditorState, { from, to }: SyntaxNodeRef): boolean =>
  selection.ranges.some(({ head }) => head > from && head < to)

/** The labels that `[label]: …` defines, of the newest text only. */
let labels: { readonly doc: Text; readonly known: ReadonlySet<string> } | undefined

const normalized = (label: string): string => label.replace(/\s+/g, ' ').trim().toLowerCase()

function isDefined({ doc }: EditorState, label: string): boolean {
  if (labels?.doc !== doc) {
    const found = doc.toString().matchAll(/^[\t >]*\[((?:[^[\]\\]|\\.){1,999})\]:/gm)
    labels = { doc, known: new Set([...found].map(([, one = '']) => normalized(one))) }
  }
  return labels.known.has(normalized(label))
}

/** Whether brackets are a link: those without an address, such as [sic], only if their label is defined somewhere. */
export function isLink(state: EditorState, node: SyntaxNode): boolean {
  if (node.getChild('URL')) return true
  const label = node.getChild('LinkLabel')
  const given = label ? state.sliceDoc(label.from + 1, label.to - 1) : ''
  const [open, close] = node.getChildren('LinkMark')
  return isDefined(state, given || state.sliceDoc(open?.to ?? node.from, close?.from ?? node.to))
}

function lookOfLink(state: EditorState, node: SyntaxNode): Decoration | undefined {
  const isNote = state.sliceDoc(node.from, node.from + 2) === '[^' && !node.getChild('URL')
  if (isNote) return isLink(state, node) ? noteLink : noteMark
  return isLink(state, node) ? inlineDecorations['Link'] : undefined
}

/** The fence lines of a code block. */
function decorateFence(state: EditorState, { from, to }: SyntaxNodeRef, found: Range<Decoration>[]): void {
  const [first, last] = [state.doc.lineAt(from), state.doc.lineAt(to)]
  found.push(lineDecoration('md-block-first').range(first.from))
  if (first.to > from) found.push(mark.range(from, first.to))
  if (last.number > first.number) {
    found.push(lineDecoration('md-block-last').range(last.from))
    if (/^\s*[`~]{3,}\s*$/.test(last.text)) found.push(mark.range(last.from, last.to))
  }
}

/** Hanging indent: the leading spaces and the list mark go into a margin as deep as the list. */
function decorateListItem(state: EditorState, item: SyntaxNode, hasFocus: boolean, found: Range<Decoration>[]): void {
  let depth = 0
  for (let up: SyntaxNode | null = item; up; up = up.parent) if (up.name === 'ListItem') depth += 1
  const sign = item.getChild('ListMark')
  if (!sign) return
  const first = state.doc.lineAt(item.from)
  const look = lineDecoration(`md-item md-item-${Math.min(depth, 6)}`)
  found.push(look.range(first.from))
  const after = /^\s/.test(state.sliceDoc(sign.to, sign.to + 1)) ? sign.to + 1 : sign.to
  found.push(lead.range(first.from, after), mark.range(sign.from, sign.to))
  const isEdited = hasFocus && state.selection.ranges.some(({ head }) => head >= first.from && head < after)
  const shown = isEdited ? undefined : markerOf(state, item, sign, depth)
  if (shown) found.push(shown.range(sign.from, sign.to))
  const inner = item.getChild('BulletList') ?? item.getChild('OrderedList')
  const end = inner ? inner.from - 1 : item.to
  for (let line = first; line.to < end; ) {
    line = state.doc.lineAt(line.to + 1)
    const spaces = /^[\t ]*/.exec(line.text)![0].length
    found.push(look.range(line.from))
    if (spaces > 0) found.push(lead.range(line.from, line.from + spaces))
  }
}

const markers = new Map<string, Decoration>()

/** What stands for a list mark, as readers see it; undefined if that is what was typed. */
function markerOf(state: EditorState, item: SyntaxNode, sign: SyntaxNode, depth: number): Decoration | undefined {
  const typed = state.sliceDoc(sign.from, sign.to)
  const words = /\d/.test(typed) ? `${numberOf(state, item)}${typed.slice(-1)}` : '•◦▪'.charAt(Math.min(depth, 3) - 1)
  if (item.getChild('Task')) return hidden
  if (words === typed) return undefined
  const known = markers.get(words) ?? Decoration.replace({ widget: new MarkerWidget(words) })
  markers.set(words, known)
  return known
}

/** Items are counted from the number of the first one. */
let numbers: { readonly tree: Tree; readonly known: Map<number, number> } | undefined

function numberOf(state: EditorState, item: SyntaxNode): number {
  const tree = syntaxTree(state)
  if (numbers?.tree !== tree) numbers = { tree, known: new Map() }
  const { known } = numbers
  if (!known.has(item.from)) {
    let number: number | undefined
    for (let one = item.parent?.firstChild ?? null; one; one = one.nextSibling) {
      const sign = one.name === 'ListItem' ? one.getChild('ListMark') : null
      if (!sign) continue
      number ??= Number.parseInt(state.sliceDoc(sign.from, sign.to), 10)
      known.set(one.from, number)
      number += 1
    }
  }
  return known.get(item.from) ?? 1
}

export const markdownDecorations = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = buildDecorations(view)
    }
    update(update: ViewUpdate) {
      const isGrown =
        syntaxTree(update.startState) !== syntaxTree(update.state) ||
        update.startState.facet(hidesSigns) !== update.state.facet(hidesSigns)
      if (update.docChanged || update.viewportChanged || update.selectionSet || update.focusChanged || isGrown) {
        this.decorations = buildDecorations(update.view)
      }
    }
  },
  { decorations: ({ decorations }) => decorations },
)
