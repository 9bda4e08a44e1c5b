import { syntaxTree } from '@codemirror/language'
import type { EditorState, Range } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { setterFor } from '../../../../server/platform/text/typography.ts'
import { isLink } from './decorations.ts'
import { element } from './element.ts'

/**
 * Quotation marks, apostrophes, dashes and ellipses are shown as pages set them, by the same function. The text keeps
 * what was typed, and shows it where the caret is.
 */

/** A sign in the place of what was typed. */
interface Sign {
  readonly from: number
  readonly to: number
  readonly sign: string
}

/** Blocks whose words a page sets as one. */
const blocks = /^(?:Paragraph|Task|TableCell|ATXHeading\d|SetextHeading\d)$/

/** Inline nodes that are elements of the page: a tag ends a run of text. */
const elements = new Set(['Emphasis', 'StrongEmphasis', 'Strikethrough', 'Autolink', 'URL'])

/** Not in the page, or only in an attribute. */
const unseen = new Set([
  'EmphasisMark',
  'StrikethroughMark',
  'LinkMark',
  'LinkTitle',
  'LinkLabel',
  'HeaderMark',
  'QuoteMark',
  'TaskMarker',
  'Comment',
  'ProcessingInstruction',
])

/** A longer block is shown as it was typed: it is set again at each key. */
const longestBlock = 20_000

/** The text of a block in runs, as its tags on the page divide it. */
class Runs {
  readonly state: EditorState
  readonly found: Sign[] = []
  readonly setter
  text = ''
  /** Where the run's characters are in the document: from which place of the run on, by how much moved. */
  places: { readonly at: number; readonly moved: number }[] = []
  /** HTML, of which no sign is changed. */
  exact: { readonly from: number; readonly to: number }[] = []

  constructor(state: EditorState, locale: string) {
    this.state = state
    this.setter = setterFor(locale, (from, to, sign) => {
      // A space that is set narrower looks the same here.
      if (sign.trim() === '') return
      const place = { from: this.inDocument(from), to: this.inDocument(to - 1) + 1 }
      if (!this.exact.some((one) => one.from < place.to && one.to > place.from)) this.found.push({ ...place, sign })
    })
  }

  inDocument(at: number): number {
    return at + this.places.findLast((place) => place.at <= at)!.moved
  }

  add(from: number, to: number) {
    if (from >= to) return
    this.places.push({ at: this.text.length, moved: from - this.text.length })
    this.text += this.state.sliceDoc(from, to)
  }

  addExact(from: number, to: number) {
    this.exact.push({ from, to })
    this.add(from, to)
  }

  /** A tag of the page begins or ends. `between` is what it stands for, if anything. */
  tag(between = '') {
    const { text } = this
    if (text !== '') this.setter.run(text)
    this.text = ''
    this.places = []
    this.exact = []
    if (between !== '') this.setter.run(between)
  }
}

function addBlock(runs: Runs, state: EditorState, block: SyntaxNode): void {
  const addInside = (node: SyntaxNode) => {
    let at = node.from
    for (let child = node.firstChild; child; child = child.nextSibling) {
      runs.add(at, child.from)
      at = child.to
      addNode(child)
    }
    runs.add(at, node.to)
  }

  const addNode = (node: SyntaxNode) => {
    const { name, from, to } = node
    if (unseen.has(name)) return
    if (name === 'HTMLTag') return runs.addExact(from, to)
    if (name === 'InlineCode') {
      runs.tag()
      return runs.tag('x')
    }
    if (name === 'Image') return runs.tag()
    if (name === 'HardBreak') {
      runs.tag()
      return runs.tag(' ')
    }
    if (name === 'Escape') return runs.add(from + 1, to)
    if (name === 'Link' ? isLink(state, node) : elements.has(name)) {
      // An address after the words of a link is an attribute.
      if (name === 'URL' && node.parent?.name === 'Link') return
      runs.tag()
      addInside(node)
      return runs.tag()
    }
    if (name === 'Link') runs.add(from, to)
    else addInside(node)
  }

  addInside(block)
  runs.tag()
  runs.setter.end()
}

/** The signs that are set in the blocks of a range. */
export function signsIn(state: EditorState, from: number, to: number, locale: string): readonly Sign[] {
  const runs = new Runs(state, locale)
  syntaxTree(state).iterate({
    from,
    to,
    enter(node) {
      if (!blocks.test(node.name)) return
      if (node.to - node.from <= longestBlock) addBlock(runs, state, node.node)
      return false
    },
  })
  return runs.found
}

class SignWidget extends WidgetType {
  readonly sign: string
  constructor(sign: string) {
    super()
    this.sign = sign
  }
  override eq({ sign }: SignWidget): boolean {
    return sign === this.sign
  }
  toDOM(): HTMLElement {
    return element('span', {}, this.sign)
  }
  override ignoreEvent(): boolean {
    return false
  }
}

const widgets = new Map<string, Decoration>()
function widgetOf(sign: string): Decoration {
  const known = widgets.get(sign) ?? Decoration.replace({ widget: new SignWidget(sign) })
  widgets.set(sign, known)
  return known
}

/** For the language of the text. */
export const punctuation = (locale: string) =>
  ViewPlugin.fromClass(
    class {
      signs: readonly Sign[] = []
      isBehind = false
      decorations: DecorationSet = Decoration.none
      constructor(view: EditorView) {
        this.find(view)
      }
      update(update: ViewUpdate) {
        const { docChanged, viewportChanged, selectionSet, focusChanged, view } = update
        // An input method loses what it composes if the page changes around it.
        if (view.composing) {
          this.decorations = this.decorations.map(update.changes)
          this.isBehind = true
          return
        }
        const isGrown = syntaxTree(update.startState) !== syntaxTree(update.state)
        if (docChanged || viewportChanged || isGrown || this.isBehind) this.find(view)
        else if (selectionSet || focusChanged) this.show(view)
      }
      find(view: EditorView) {
        this.isBehind = false
        this.signs = view.visibleRanges.flatMap(({ from, to }) => signsIn(view.state, from, to, locale))
        this.show(view)
      }
      show(view: EditorView) {
        const { ranges } = view.state.selection
        const hasFocus = view.dom.contains(document.activeElement)
        const isTouched = ({ from, to }: Sign) =>
          hasFocus && ranges.some(({ anchor, head }) => [anchor, head].some((at) => at >= from && at <= to))
        const shown: Range<Decoration>[] = []
        for (const one of this.signs) if (!isTouched(one)) shown.push(widgetOf(one.sign).range(one.from, one.to))
        this.decorations = Decoration.set(shown, true)
      }
    },
    { decorations: ({ decorations }) => decorations },
  )
