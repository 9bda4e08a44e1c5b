import { shownAt } from './pictures.ts'

/** Sends a picture and says how far it has come; rejects with an Error whose message is for people. */
export type Sending = (file: File, onProgress: (words: string, share: number) => void) => Promise<string>

interface Acts {
  readonly put: (markdown: string) => void
  readonly leave: () => void
  readonly grown: () => void
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

let count = 0

/** A picture on its way: how far it is, what it shows in words, and where it goes. Plain elements: it lives in the text. */
export function uploadCard(file: File, send: Sending, { put, leave, grown }: Acts): HTMLElement {
  const id = `picture-${++count}`
  const said = element('p', { className: 'md-upload-said', role: 'status' })
  const bar = element('progress', { max: 1, value: 0, ariaLabel: `Sending ${file.name}` })
  const words = element('input', { id, type: 'text', autocomplete: 'off', maxLength: 1000 })
  const decorative = element('input', { id: `${id}-none`, type: 'checkbox' })
  const again = element('button', { type: 'button', hidden: true }, 'Try again')
  const done = element('button', { type: 'button', className: 'md-upload-main' }, 'Put it in the text')
  const out = element('button', { type: 'button' }, 'Leave it out')
  const card = element(
    'div',
    { className: 'md-upload', role: 'group', ariaLabel: `Picture ${file.name}` },
    said,
    bar,
    element('label', { htmlFor: id }, 'What does it show, for those who cannot see it?'),
    words,
    element(
      'div',
      { className: 'md-upload-choice' },
      decorative,
      element('label', { htmlFor: `${id}-none` }, 'Nothing the text does not say: it is only decoration'),
    ),
    element('div', { className: 'md-upload-acts' }, out, again, done),
  )

  let address: string | undefined
  let isWanted = false
  const say = (text: string) => {
    said.textContent = text
    grown()
  }
  const finish = () => {
    const alt = decorative.checked ? '' : words.value.trim()
    if (alt === '' && !decorative.checked) {
      say('Describe it in a few words, or say that it is only decoration.')
      words.setAttribute('aria-invalid', 'true')
      words.focus()
      return
    }
    isWanted = true
    if (address) put(`![${alt.replace(/[[\]\\]/g, '\\$&').replace(/\s+/g, ' ')}](${address})`)
    else say('It is put in as soon as it has arrived.')
  }

  async function start() {
    again.hidden = true
    bar.hidden = false
    try {
      address = await send(file, (text, share) => {
        bar.value = share
        say(text)
      })
      bar.hidden = true
      say('It has arrived.')
      const image = element('img', { src: shownAt(address), alt: '', onload: grown })
      card.prepend(image)
      if (isWanted) finish()
    } catch (error) {
      isWanted = false
      bar.hidden = true
      again.hidden = false
      say(error instanceof Error ? error.message : 'It could not be sent. Try again.')
    }
  }

  words.onkeydown = (event) => {
    // While a word of an input method is chosen, both keys are its own.
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    // The text has the focus a moment later, and would take the key for its own.
    event.preventDefault()
    if (event.key === 'Enter') finish()
    else leave()
  }
  words.oninput = () => words.removeAttribute('aria-invalid')
  decorative.onchange = () => {
    words.disabled = decorative.checked
  }
  again.onclick = () => void start()
  done.onclick = finish
  out.onclick = leave
  void start()
  return card
}
