import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPiece } from './desk-piece.ts'
import { openDeskSite, saved } from './desk-site.ts'

/** Find and replace in the editor. */

// The browser complains of a picture that isn't there.
const site = await openDeskSite({}, { isQuiet: false })

async function finding(body: string) {
  const writer = await openPiece(site, body)
  const { page } = writer
  await page.keyboard.press('Control+Home')
  const bar = page.getByRole('search', { name: 'Find' })
  const button = (name: string) => bar.getByRole('button', { name, exact: true })
  return {
    ...writer,
    bar,
    button,
    field: bar.getByRole('textbox', { name: 'Find', exact: true }),
    count: (words: string) => bar.getByRole('status').getByText(words, { exact: true }).waitFor(),
    now: async () => {
      await page.keyboard.press('Control+s')
      await saved(page)
      return writer.body()
    },
  }
}

test('what is entered is counted and found from the cursor on, forward and back, by case and whole word', async () => {
  const { page, bar, button, field, count, look } = await finding('Tea and tea.\n\nSteam and Tea.')
  await page.keyboard.press('Control+f')
  await field.fill('tea')
  await count('1 of 4')
  await page.keyboard.press('Enter')
  await count('2 of 4')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.press('Shift+Enter')
  await count('4 of 4')
  await button('Next').click()
  await count('1 of 4')
  await bar.getByLabel('Whole words').check()
  await count('1 of 3')
  await look('editor-find')
  await bar.getByLabel('Match case').check()
  await count('1 of 1')
  await field.fill('coffee')
  await count('No results')
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate("document.activeElement.matches('.cm-content')"), true)
})

test('one match is replaced, then all the others in one step that undo takes back', async () => {
  const { page, bar, button, field, count, now } = await finding('a.b a.b\n\na.b\n\nThe rest\\n.')
  await page.keyboard.press('Control+h')
  await field.fill('a.b')
  await count('1 of 3')
  await bar.getByRole('textbox', { name: 'Replace with' }).fill('$1\\n')
  await button('Replace').click()
  await count('1 of 2')
  assert.equal(await now(), '$1\\n a.b\n\na.b\n\nThe rest\\n.')
  await button('Replace all').click()
  await count('No results')
  assert.equal(await now(), '$1\\n $1\\n\n\n$1\\n\n\nThe rest\\n.')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+z')
  assert.equal(await now(), '$1\\n a.b\n\na.b\n\nThe rest\\n.')
})

test('it is opened by its button too, and what it finds in a picture shows the Markdown of the picture', async () => {
  const { page, field, count } = await finding('One.\n\n![A harbour](/media/abc "The quay")\n\nTwo.')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await field.fill('quay')
  await count('1 of 1')
  await page.getByText('![A harbour](/media/abc "The quay")').waitFor()
})
