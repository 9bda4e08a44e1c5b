import { redo, undo } from '@codemirror/commands'
import { type EditorState, Facet, type TransactionSpec } from '@codemirror/state'
import type { EditorView, KeyBinding } from '@codemirror/view'
import { modifier } from '../../components/modifier.ts'
import {
  hasLineStyle,
  insertCode,
  insertDivider,
  insertFootnote,
  insertTable,
  isQuote,
  type LineStyle,
  toggleLineStyle,
  toggleQuote,
} from './blocks.ts'
import { hidesSigns } from './hidden-signs.ts'
import { beginLink, bold, isAddress, italic, linkAddress, type Mark, toggleMark } from './marks.ts'
import { isMarkOn, togglePending } from './next-marks.ts'
import { selectedPicture } from './picture-blocks.ts'

/** What can be done to the text, each defined once for keys, the slash menu and the bars. */
export interface Act {
  /** The last part of its message's id. */
  readonly name: ActName
  /** An SVG path of 20 by 20. */
  readonly icon: string
  readonly key?: string
  /** The Markdown it writes, in the slash menu. */
  readonly hint?: string
  /**
   * What finds it in the slash menu besides its name. English in every language: writers know these words from Markdown
   * and from other editors.
   */
  readonly terms?: string
  /** The change of the text; undefined where it can't be made. */
  readonly change?: (state: EditorState) => TransactionSpec | undefined
  /** For what is more than a change. */
  readonly run?: (view: EditorView) => boolean
  /** Whether the selection has it already. */
  readonly isActive?: (state: EditorState) => boolean
}

export type ActName =
  | LineStyle
  | 'bold'
  | 'italic'
  | 'link'
  | 'quote'
  | 'code'
  | 'image'
  | 'table'
  | 'divider'
  | 'footnote'
  | 'comment'
  | 'undo'
  | 'redo'
  | 'find'

/** Opens the file chooser. */
export const pictureChooser = Facet.define<() => void, () => void>({
  combine: ([choose]) => choose ?? (() => undefined),
})

/** Opens find and replace. */
export const findOpener = Facet.define<(isReplacing: boolean) => void>()

/** Begins a comment on the selection. */
export const commentOpener = Facet.define<(view: EditorView) => void>()

/** Opens the form that asks for the address of a link. */
export const linkForm = Facet.define<(view: EditorView) => boolean>()

/** Whether there are words, or a link, to ask the address of. Otherwise the link is typed. */
function hasLinkWords(state: EditorState): boolean {
  const { from, to } = state.selection.main
  return linkAddress(state) !== undefined || (from < to && !isAddress(state.sliceDoc(from, to)))
}

const markAct = (mark: Mark) => ({
  change: (state: EditorState) => toggleMark(state, mark),
  run: (view: EditorView) => togglePending(view, mark),
  isActive: (state: EditorState) => isMarkOn(state, mark),
})
const lineAct = (style: LineStyle) => ({
  change: (state: EditorState) => toggleLineStyle(state, style),
  isActive: (state: EditorState) => hasLineStyle(state, style),
})

export const acts: readonly Act[] = [
  {
    name: 'bold',
    icon: 'M6 4h4.5a3 3 0 0 1 0 6H6zM6 10h5.5a3 3 0 0 1 0 6H6z',
    key: 'Mod-b',
    ...markAct(bold),
  },
  { name: 'italic', icon: 'M8.5 4H14M6 16h5.5M11.5 4l-3 12', key: 'Mod-i', ...markAct(italic) },
  {
    name: 'heading',
    icon: 'M4 4v12M12 4v12M4 10h8M15.5 11.5a1.5 1.5 0 0 1 2.6 1c0 1.5-2.6 2-2.6 3.5h2.8',
    hint: '##',
    terms: 'heading title section',
    ...lineAct('heading'),
  },
  {
    name: 'subheading',
    icon: 'M4 4v12M12 4v12M4 10h8M15.5 11.5h2.6l-1.3 1.7a1.4 1.4 0 1 1-1.4 2.4',
    hint: '###',
    terms: 'subheading smaller',
    ...lineAct('subheading'),
  },
  {
    name: 'list',
    icon: 'M7.5 5H17M7.5 10H17M7.5 15H17M3.5 5h.01M3.5 10h.01M3.5 15h.01',
    hint: '-',
    terms: 'list bullets',
    ...lineAct('list'),
  },
  {
    name: 'numbered_list',
    icon: 'M8.5 5H17M8.5 10H17M8.5 15H17M3 4l1.2-.7V7.5M3 12.4a1.1 1.1 0 0 1 2 .5c0 1-2 1.4-2 2.8h2.2',
    hint: '1.',
    terms: 'numbered ordered',
    ...lineAct('numbered_list'),
  },
  {
    name: 'checklist',
    icon: 'M9.5 5H17M9.5 14H17M3 5l1.5 1.5L7 3.5M3 14l1.5 1.5L7 12.5',
    hint: '- [ ]',
    terms: 'checklist tasks todo',
    ...lineAct('checklist'),
  },
  {
    name: 'quote',
    icon: 'M4 5v10M8 6h8M8 10h8M8 14h5',
    hint: '>',
    terms: 'quote blockquote',
    change: toggleQuote,
    isActive: isQuote,
  },
  { name: 'code', icon: 'M7 6l-4 4 4 4M13 6l4 4-4 4', hint: '```', terms: 'code source', change: insertCode },
  {
    name: 'image',
    icon: 'M3 4.5h14v11H3zM3 13l4-4 4 4 2-2 4 4M13 7.5h.01',
    hint: '![ ]',
    terms: 'image picture photo',
    run(view) {
      view.state.facet(pictureChooser)()
      return true
    },
  },
  {
    name: 'table',
    icon: 'M3 4.5h14v11H3zM3 8.5h14M10 4.5v11',
    hint: '| |',
    terms: 'table',
    change: insertTable,
  },
  {
    name: 'link',
    icon: 'M8.5 11.5a3 3 0 0 0 4.3 0l2.7-2.7a3 3 0 0 0-4.3-4.3L10 5.7M11.5 8.5a3 3 0 0 0-4.3 0l-2.7 2.7a3 3 0 0 0 4.3 4.3l1.2-1.2',
    key: 'Mod-k',
    hint: '[ ]( )',
    terms: 'link address url',
    // Where signs are hidden, an address that is typed would not be seen.
    change: (state) => (state.facet(hidesSigns) ? undefined : beginLink(state)),
    run: (view) =>
      (hasLinkWords(view.state) || view.state.facet(hidesSigns)) &&
      view.state.facet(linkForm).some((open) => open(view)),
    isActive: (state) => linkAddress(state) !== undefined,
  },
  { name: 'divider', icon: 'M3 10h14', hint: '---', terms: 'divider rule line break', change: insertDivider },
  {
    name: 'footnote',
    icon: 'M3 15l4-10 4 10M4.5 11.5h5M14 5.5l1.5-1V10',
    key: 'Mod-Shift-6',
    hint: '[^1]',
    terms: 'footnote note',
    change: insertFootnote,
  },
  {
    name: 'comment',
    icon: 'M3.5 4.5h13v9h-7L6 16.5v-3H3.5z',
    key: 'Mod-Alt-m',
    run(view) {
      for (const begin of view.state.facet(commentOpener)) begin(view)
      return true
    },
  },
  { name: 'undo', icon: 'M7 4L3.5 7.5 7 11M3.5 7.5H12a4 4 0 0 1 0 8H8', run: undo },
  { name: 'redo', icon: 'M13 4l3.5 3.5L13 11M16.5 7.5H8a4 4 0 0 0 0 8h4', run: redo },
  {
    name: 'find',
    icon: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M13 13l4 4',
    run(view) {
      for (const open of view.state.facet(findOpener)) open(false)
      return true
    },
  },
]

/** A key as people type it. */
export const shownKey = (key: string): string =>
  key
    .replace('Mod-', modifier)
    .replace('Shift-', 'Shift+')
    .replace('Alt-', 'Alt+')
    .replace(/[a-z]$/, (sign) => sign.toUpperCase())

/** Does it to the selection. */
export function runAct({ change, run }: Act, view: EditorView): boolean {
  if (view.state.readOnly) return false
  // The marks of words have no meaning around a picture.
  const isPicture = change !== undefined && selectedPicture(view.state) !== undefined
  if (isPicture || run?.(view)) return true
  const spec = change?.(view.state)
  if (spec) view.dispatch(spec)
  return true
}

/** The keys of the acts that have some. */
export const actKeys: readonly KeyBinding[] = acts.flatMap((act) =>
  act.key ? [{ key: act.key, run: (view: EditorView) => runAct(act, view) }] : [],
)
