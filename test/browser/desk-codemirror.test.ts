import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** What the editor does with typed text, and how it is laid out. */

const site = await openDeskSite()
const { page, go, ask, complaints } = await writerAtDesk(site)
const body = page.getByRole('textbox', { name: 'Text', exact: true })

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

/** A piece of this text, opened with the cursor at its end. */
async function opened(body_md: string, headline = 'On tea'): Promise<() => Promise<unknown>> {
  const { id } = (await ask('POST', '/pieces', { headline, body_md })).body.piece
  await go(`/desk/edit/pieces/${id}`)
  await body.focus()
  await press('Control+End')
  return async () => {
    await press('Control+s')
    await saved(page)
    return (await ask('GET', `/pieces/${id}`)).body.piece['body_md']
  }
}

test('paragraphs, lists, line breaks and links are written by the keys a writer tries', async () => {
  const text = await opened('Tea.')
  await press('Enter')
  await page.keyboard.type('- a')
  await press('Enter')
  await page.keyboard.type('b')
  await press('Enter', 'Enter')
  await page.keyboard.type('after')
  await press('Shift+Enter')
  await page.keyboard.type('See ')
  await press('Control+k')
  await page.keyboard.type('this')
  await press('Tab')
  await page.keyboard.type('https://example.org/tea')
  await press('Enter')
  await page.keyboard.type('.')
  await press('Enter', 'Control+z')
  assert.equal(await text(), 'Tea.\n\n- a\n- b\n\nafter\\\nSee [this](https://example.org/tea).')
})

test('the slash menu shows seven rows and scrolls, below the headline even at the foot of a low window', async () => {
  const text = await opened('Tea.')
  await page.setViewportSize({ width: 1280, height: 420 })
  await press('Enter')
  await page.keyboard.type('/')
  const list = page.getByRole('listbox')
  await list.waitFor()
  const headline = (await page.getByRole('textbox', { name: 'Headline' }).boundingBox())!
  const low = (await page.locator('.cm-tooltip-autocomplete').boundingBox())!
  assert.ok(low.y >= headline.y + headline.height, `${low.y} is above the foot of the headline`)
  assert.ok(low.y + low.height <= 420, `${low.y + low.height} is outside the window`)

  await page.setViewportSize({ width: 1280, height: 860 })
  await press('Backspace')
  await page.keyboard.type('/')
  await list.waitFor()
  const row = (await page.getByRole('option').first().boundingBox())!
  const whole = (await list.boundingBox())!
  assert.ok(whole.height < 8 * row.height && whole.height > 6.5 * row.height, `${whole.height / row.height} rows`)
  await page.keyboard.type('code')
  await page.getByRole('option', { name: /Code/ }).waitFor()
  await press('Enter')
  await page.keyboard.type('brew()')
  assert.equal(await text(), 'Tea.\n\n```\nbrew()\n```')
})

test('a headline is seen to its last descender when it is opened again', async () => {
  await opened('Tea.', 'Why gypsy jugglers enjoy quietly sipping jasmine tea by day')
  const cut = await page.evaluate(`(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(
    document.querySelector('[aria-label=Headline]'))`)
  assert.equal(cut, 0)
})

test('an empty sheet asks quietly: its placeholders are lighter than words, and publishing waits for some', async () => {
  await go('/desk/edit/pieces/new')
  const standfirst = page.getByPlaceholder('Standfirst: a sentence or two that makes a reader go on')
  const colours = `(() => {
    const area = document.querySelector('[aria-label=Standfirst]')
    return [getComputedStyle(area, '::placeholder').color, getComputedStyle(area).color]
  })()`
  await standfirst.waitFor()
  const [faint, ink] = (await page.evaluate(colours)) as string[]
  assert.notEqual(faint, ink)
  const ground = () =>
    page.evaluate("getComputedStyle([...document.querySelectorAll('header button')].at(-1)).backgroundColor")
  const quiet = await ground()
  await page.getByRole('textbox', { name: 'Headline' }).fill('On tea')
  assert.notEqual(await ground(), quiet)
  assert.deepEqual(complaints, [])
})
