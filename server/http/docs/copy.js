/** Adds a copy button to every sample of code. */

/** From the catalogue, see routes.ts. @type {any} */
const copyWords = JSON.parse(document.currentScript?.dataset['words'] ?? '{}')

for (const frame of document.querySelectorAll('.sample')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = copyWords.copy
  button.addEventListener('click', async () => {
    const sample = frame.querySelector('pre')
    if (!sample) return
    try {
      await navigator.clipboard.writeText((sample.textContent ?? '').trimEnd())
      button.textContent = copyWords.copied
    } catch {
      // No clipboard permission: select the text so that the keyboard can copy it.
      getSelection()?.selectAllChildren(sample)
      button.textContent = copyWords.selected
    }
    setTimeout(() => {
      button.textContent = copyWords.copy
    }, 2000)
  })
  frame.append(button)
}
