import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  openSearchPanel,
  replaceAll,
  replaceNext,
  SearchQuery,
  search,
  searchPanelOpen,
  setSearchQuery,
} from '@codemirror/search'
import type { EditorState, Text } from '@codemirror/state'
import { EditorView, keymap, type Panel, type ViewUpdate } from '@codemirror/view'
import { t } from '../../messages.ts'
import { element } from './element.ts'

/** Find and replace: a bar above the text. Loaded when it is first opened. */

/** Matches that are counted; further ones are found, too. */
const mostCounted = 10_000

/** Counting waits for a pause in typing (milliseconds). */
const countDelay = 100

interface Match {
  readonly from: number
  readonly to: number
}

function matchesOf(state: EditorState, query: SearchQuery): Match[] {
  const found: Match[] = []
  if (!query.valid) return found
  const cursor = query.getCursor(state)
  for (let { value, done } = cursor.next(); !done && found.length < mostCounted; { value, done } = cursor.next()) {
    found.push({ from: value.from, to: value.to })
  }
  return found
}

class FindBar implements Panel {
  readonly view: EditorView
  readonly dom: HTMLElement
  readonly top = true
  readonly field = inputOf('find')
  readonly replacement = inputOf('replace_with')
  readonly matchCase = element('input', { type: 'checkbox' })
  readonly wholeWord = element('input', { type: 'checkbox' })
  readonly status = element('span', { className: 'md-find-count', role: 'status' })
  readonly replacing: HTMLElement
  counted: { readonly doc: Text; readonly query: SearchQuery; readonly matches: readonly Match[] } | undefined
  timer: ReturnType<typeof setTimeout> | undefined

  constructor(view: EditorView) {
    this.view = view
    this.field.setAttribute('main-field', 'true')
    const button = (words: string, run: (view: EditorView) => boolean, shown = words) =>
      element('button', { type: 'button', ariaLabel: words, title: words, onclick: () => run(view) }, shown)
    const choice = (input: HTMLInputElement, words: string) =>
      element('label', { className: 'md-find-choice' }, input, words)
    this.replacing = element(
      'div',
      {},
      this.replacement,
      button(t('desk.editor.find.replace'), replaceNext),
      button(t('desk.editor.find.replace_all'), replaceAll),
    )
    this.dom = element(
      'search',
      { className: 'md-find', ariaLabel: t('desk.editor.find.find') },
      element(
        'div',
        {},
        this.field,
        this.status,
        button(t('desk.editor.find.previous'), findPrevious, '↑'),
        button(t('desk.editor.find.next'), findNext, '↓'),
        button(t('desk.common.close'), closeSearchPanel, '×'),
      ),
      this.replacing,
      element(
        'div',
        {},
        choice(this.matchCase, t('desk.editor.find.match_case')),
        choice(this.wholeWord, t('desk.editor.find.by_word')),
      ),
    )
    for (const input of [this.field, this.matchCase, this.wholeWord]) {
      input.addEventListener('input', () => this.ask(true))
    }
    this.replacement.addEventListener('input', () => this.ask(false))
    this.dom.onkeydown = (event) => this.onKey(event)
    this.show(getSearchQuery(view.state))
    this.count()
  }

  mount() {
    this.field.select()
  }

  destroy() {
    clearTimeout(this.timer)
  }

  update(update: ViewUpdate) {
    for (const effect of update.transactions.flatMap(({ effects }) => effects)) {
      if (effect.is(setSearchQuery) && !this.isShown(effect.value)) this.show(effect.value)
    }
    this.replacing.hidden = update.state.readOnly
    if (!update.docChanged && !update.selectionSet && getSearchQuery(update.state) === this.counted?.query) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.count(), countDelay)
  }

  query(): SearchQuery {
    return new SearchQuery({
      search: this.field.value,
      replace: this.replacement.value,
      caseSensitive: this.matchCase.checked,
      wholeWord: this.wholeWord.checked,
      // A backslash is a backslash.
      literal: true,
    })
  }

  isShown(query: SearchQuery): boolean {
    return this.query().eq(query)
  }

  show(query: SearchQuery) {
    this.field.value = query.search
    this.replacement.value = query.replace
    this.matchCase.checked = query.caseSensitive
    this.wholeWord.checked = query.wholeWord
    this.replacing.hidden = this.view.state.readOnly
  }

  /** Looks for what is entered, and selects the first match from where the writer is. */
  ask(isMoving: boolean) {
    const query = this.query()
    this.view.dispatch({ effects: setSearchQuery.of(query) })
    if (!isMoving || !query.valid) return
    const { state } = this.view
    const next = query.getCursor(state, state.selection.main.from).next()
    const match = next.done ? query.getCursor(state).next() : next
    if (match.done) return
    const { from, to } = match.value
    this.view.dispatch({ selection: { anchor: from, head: to }, userEvent: 'select.search', scrollIntoView: true })
  }

  count() {
    const { state } = this.view
    const query = getSearchQuery(state)
    if (this.counted?.doc !== state.doc || this.counted.query !== query) {
      this.counted = { doc: state.doc, query, matches: matchesOf(state, query) }
    }
    const { matches } = this.counted
    const { main } = state.selection
    const place = matches.findIndex(({ from, to }) => from === main.from && to === main.to)
    const total = matches.length
    this.status.textContent =
      query.search === ''
        ? ''
        : place >= 0
          ? t('desk.editor.find.place', { place: place + 1, total })
          : t('desk.editor.find.total', { total })
  }

  onKey(event: KeyboardEvent) {
    // During IME composition these keys belong to the input method.
    if (event.isComposing) return
    const isField = event.target === this.field
    if (event.key === 'Escape') closeSearchPanel(this.view)
    else if (event.key === 'Enter' && isField) (event.shiftKey ? findPrevious : findNext)(this.view)
    else if (event.key === 'Enter' && event.target === this.replacement) replaceNext(this.view)
    else if ((event.ctrlKey || event.metaKey) && /^[fh]$/i.test(event.key) && !event.altKey) {
      if (event.key.toLowerCase() === 'f') this.field.select()
      else this.replacement.select()
    } else return
    event.preventDefault()
  }
}

function inputOf(name: 'find' | 'replace_with'): HTMLInputElement {
  const words = t(`desk.editor.find.${name}`)
  return element('input', {
    type: 'text',
    ariaLabel: words,
    placeholder: words,
    autocomplete: 'off',
    spellcheck: false,
  })
}

/** Between the bar and what it found. */
const gap = 24

export const find = [
  search({ top: true, literal: true, createPanel: (view) => new FindBar(view) }),
  EditorView.scrollMargins.of((view) => {
    const bar = searchPanelOpen(view.state) ? view.dom.querySelector('.md-find') : null
    return bar ? { top: bar.getBoundingClientRect().bottom + gap } : null
  }),
  keymap.of([
    { key: 'F3', run: findNext, shift: findPrevious },
    { key: 'Mod-g', run: findNext, shift: findPrevious },
    { key: 'Escape', run: closeSearchPanel },
  ]),
]

/** Opens the bar; with `isReplacing`, its second field has the focus if there is something to look for. */
export function openFind(view: EditorView, isReplacing: boolean): void {
  openSearchPanel(view)
  if (isReplacing && getSearchQuery(view.state).search !== '') {
    view.dom.querySelectorAll<HTMLInputElement>('.md-find input[type="text"]')[1]?.select()
  }
}
