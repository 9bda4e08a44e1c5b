import type { EditorView } from '@codemirror/view'
import { t } from '../../messages.ts'
import { type Act, type ActName, acts, runAct, shownKey } from './acts.ts'
import { element } from './element.ts'
import { linkAddress, readAddress, removeLink, setLink } from './marks.ts'

/** A bar of acts, with the form that asks for the address of a link. Plain DOM, since it belongs to CodeMirror. */
export interface ActBar {
  readonly element: HTMLElement
  /** Shows which acts the selection has already. */
  refresh(): void
  focus(): void
  askForLink(): void
  closeForm(): void
  isAsking(): boolean
}

interface ActBarOptions {
  readonly names: readonly ActName[]
  readonly className: string
  /** The form is opened or closed, so the bar has another size. */
  readonly onForm: (isOpen: boolean) => void
}

export function iconOf(path: string): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  for (const [name, value] of Object.entries({
    viewBox: '0 0 20 20',
    width: '20',
    height: '20',
    'aria-hidden': 'true',
  })) {
    svg.setAttribute(name, value)
  }
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  shape.setAttribute('d', path)
  svg.append(shape)
  return svg
}

function actButton({ name, icon, key }: Act): HTMLButtonElement {
  const label = t(`desk.editor.act.${name}`)
  const title = key ? `${label} (${shownKey(key)})` : label
  const button = element('button', { type: 'button', ariaLabel: label, title, tabIndex: -1 }, iconOf(icon))
  button.dataset['act'] = name
  return button
}

/** The place of the button that an arrow key leads to. */
export function placeAfter(key: string, at: number, count: number, isRightToLeft: boolean): number | undefined {
  const forward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight'
  if (key === 'ArrowLeft' || key === 'ArrowRight') return (at + (key === forward ? 1 : count - 1)) % count
  return { Home: 0, End: count - 1 }[key]
}

export function createActBar(view: EditorView, { names, className, onForm }: ActBarOptions): ActBar {
  const shown = names.map((name) => acts.find((act) => act.name === name)!)
  const buttons = shown.map(actButton)
  const toolbar = element('div', { role: 'toolbar', ariaLabel: t('desk.editor.toolbar.label') }, ...buttons)
  const form = createLinkForm(view, (isOpen) => {
    buttons[names.indexOf('link')]?.setAttribute('aria-expanded', String(isOpen))
    onForm(isOpen)
  })
  const bar = element('div', { className: `md-bar ${className}`, hidden: true }, form.element, toolbar)

  const moveTo = (place: number, isFocused = true) => {
    for (const [at, button] of buttons.entries()) button.tabIndex = at === place ? 0 : -1
    if (isFocused) buttons[place]?.focus()
  }
  moveTo(0, false)
  const refresh = () => {
    for (const [at, { isActive }] of shown.entries()) {
      if (isActive) buttons[at]!.ariaPressed = String(isActive(view.state))
    }
  }

  // A press of the mouse would take the focus from the text.
  bar.onmousedown = (event) => {
    if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
  }
  toolbar.onclick = (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    const act = shown[buttons.indexOf(button as HTMLButtonElement)]
    if (!act) return
    if (act.name === 'link') return form.isOpen() ? form.close() : form.open()
    runAct(act, view)
    // What is no switch goes on in the text.
    if (!act.isActive && bar.contains(document.activeElement)) view.focus()
    refresh()
  }
  toolbar.onkeydown = (event) => {
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const place = placeAfter(event.key, at, buttons.length, getComputedStyle(toolbar).direction === 'rtl')
    if (place !== undefined) moveTo(place)
    else if (event.key === 'Escape') view.focus()
    else return
    event.preventDefault()
  }
  return {
    element: bar,
    refresh,
    focus: () =>
      moveTo(
        Math.max(
          0,
          buttons.findIndex(({ tabIndex }) => tabIndex === 0),
        ),
      ),
    askForLink: () => form.open(),
    closeForm: () => form.close(),
    isAsking: () => form.isOpen(),
  }
}

interface LinkForm {
  readonly element: HTMLElement
  open(): void
  close(): void
  isOpen(): boolean
}

let count = 0

/** Asks for the address of a link. */
function createLinkForm(view: EditorView, onOpen: (isOpen: boolean) => void): LinkForm {
  const id = `link-address-${++count}`
  const problem = element('p', { id: `${id}-problem`, role: 'alert' })
  const input = element('input', { id, type: 'text', inputMode: 'url', autocomplete: 'off', placeholder: 'https://' })
  input.setAttribute('autocapitalize', 'off')
  input.setAttribute('aria-describedby', problem.id)
  const apply = element('button', { type: 'submit' }, t('desk.editor.toolbar.link_apply'))
  const remove = element('button', { type: 'button' }, t('desk.editor.toolbar.link_remove'))
  const form = element(
    'form',
    { className: 'md-bar-form', hidden: true, noValidate: true },
    element('label', { htmlFor: id }, t('desk.editor.toolbar.link_address')),
    input,
    apply,
    remove,
    problem,
  )
  const say = (text: string) => {
    problem.textContent = text
    if (text === '') input.removeAttribute('aria-invalid')
    else input.setAttribute('aria-invalid', 'true')
  }
  const close = () => {
    if (form.hidden) return
    const hadFocus = form.contains(document.activeElement)
    form.hidden = true
    if (hadFocus) view.focus()
    onOpen(false)
  }
  form.onsubmit = (event) => {
    event.preventDefault()
    const address = readAddress(input.value)
    const spec = address === undefined ? undefined : setLink(view.state, address)
    if (!spec) {
      say(t(address === undefined ? 'desk.editor.toolbar.link_invalid' : 'desk.editor.toolbar.link_impossible'))
      input.focus()
      return
    }
    close()
    view.dispatch(spec)
  }
  remove.onclick = () => {
    const spec = removeLink(view.state)
    close()
    if (spec) view.dispatch(spec)
  }
  input.oninput = () => say('')
  form.onkeydown = (event) => {
    // During IME composition Escape belongs to the input method.
    if (event.key !== 'Escape' || event.isComposing) return
    event.preventDefault()
    close()
  }
  return {
    element: form,
    open() {
      const address = linkAddress(view.state)
      input.value = address ?? ''
      remove.hidden = address === undefined
      say('')
      form.hidden = false
      onOpen(true)
      input.focus()
      input.select()
    },
    close,
    isOpen: () => !form.hidden,
  }
}
