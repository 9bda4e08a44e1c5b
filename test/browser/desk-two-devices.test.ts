import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '../../testkit/waiting.ts'
import { type OpenPiece, openPiece, textOf } from './desk-piece.ts'
import { openDeskSite, saved } from './desk-site.ts'

/** One piece on two devices: both change it, and nothing is lost, doubled or asked without need. */

const site = await openDeskSite()

const first = 'One.\n\nTwo is here.\n\nThree.'
const theirs = 'One.\n\nTwo is here, by a key.\n\nThree.'

/** As another device or a key would. */
async function savedElsewhere({ ask, id }: OpenPiece, changes: object): Promise<void> {
  const { revision } = (await ask('GET', `/pieces/${id}`)).piece
  await ask('PATCH', `/pieces/${id}`, changes, { 'if-match': `"${revision}"` })
}

async function revisions({ ask, id }: OpenPiece): Promise<string[]> {
  const { revisions } = await ask('GET', `/pieces/${id}/history`)
  return Promise.all(
    revisions.map(
      async ({ revision }: { revision: number }) =>
        (await ask('GET', `/pieces/${id}/revisions/${revision}`)).revision.body_md,
    ),
  )
}

const shownText = async ({ page }: OpenPiece): Promise<string> =>
  (await textOf(page).locator('.cm-line').allTextContents()).join('\n')

describe('edits of different paragraphs', () => {
  test('are both saved, nothing is asked, and caret and undo are as before', async () => {
    const writer = await openPiece(site, first)
    const { page } = writer
    await page.keyboard.type(' Mine')
    await saved(page)
    await savedElsewhere(writer, { body_md: `${theirs} Mine` })
    await page.keyboard.type(' too.')
    await page.getByText('Changes from another device added.').waitFor()
    await saved(page)
    assert.equal(await writer.body(), `${theirs} Mine too.`)
    assert.equal(await shownText(writer), `${theirs} Mine too.`)
    await page.keyboard.type(' On.')
    await saved(page)
    assert.equal(await writer.body(), `${theirs} Mine too. On.`, 'the caret is where it was')
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Control+z')
    await saved(page)
    assert.equal(await writer.body(), theirs, 'undo takes back what was typed here, and only that')
  })

  test('and of the headline: both are kept, and nothing is asked', async () => {
    const writer = await openPiece(site, first)
    await savedElsewhere(writer, { headline: 'On slow tea', tags: ['tea'] })
    await writer.page.keyboard.type(' Mine.')
    await saved(writer.page)
    assert.equal(await writer.page.getByRole('textbox', { name: 'Headline' }).inputValue(), 'On slow tea')
    const { piece } = await writer.ask('GET', `/pieces/${writer.id}`)
    assert.deepEqual([piece['body_md'], piece['tags']], [`${first} Mine.`, ['tea']])
  })
})

describe('an editor that nobody writes in', () => {
  test('has what the other device saved when its window gets the focus', async () => {
    const writer = await openPiece(site, first)
    await savedElsewhere(writer, { body_md: theirs, headline: 'On slow tea' })
    await writer.page.evaluate("dispatchEvent(new Event('focus'))")
    await until(async () => (await shownText(writer)) === theirs, 'the text is the other device’s')
    assert.equal(await writer.page.getByRole('textbox', { name: 'Headline' }).inputValue(), 'On slow tea')
    await writer.page.keyboard.type(' Mine.')
    await saved(writer.page)
    assert.deepEqual(await revisions(writer), [`${theirs} Mine.`, theirs, first])
  })

  test('has it after a while, too', async () => {
    const writer = await openPiece(site, first)
    await writer.page.clock.install()
    await writer.page.reload()
    await textOf(writer.page).waitFor()
    await savedElsewhere(writer, { body_md: theirs })
    await writer.page.clock.fastForward(31_000)
    await until(async () => (await shownText(writer)) === theirs, 'the text is the other device’s')
  })
})

describe('the same sentence, changed on both', () => {
  const mine = 'One.\n\nTwo is here.\n\nThree, mine.'
  const other = 'One, by a key.\n\nTwo is here.\n\nThree, by a key.'
  const merged = 'One, by a key.\n\nTwo is here.\n\nThree, mine.'

  async function contested() {
    const writer = await openPiece(site, first)
    await savedElsewhere(writer, { body_md: other })
    await writer.page.keyboard.press('Backspace')
    await writer.page.keyboard.type(', mine.')
    await writer.page.getByRole('heading', { name: 'Edited elsewhere' }).waitFor()
    assert.equal(await writer.body(), other, 'nothing is overwritten')
    return writer
  }

  test('is asked about alone, and this version kept: the other is in the history', async () => {
    const writer = await contested()
    assert.equal(await shownText(writer), merged, `${mine} with what is no conflict`)
    await writer.look('editor-contested')
    await writer.page.getByRole('button', { name: 'Keep this version' }).click()
    await saved(writer.page)
    assert.deepEqual(await revisions(writer), [merged, other, first])
  })

  test('and the other version used: this one is in the history', async () => {
    const writer = await contested()
    await writer.page.getByRole('button', { name: 'Use the other version' }).click()
    await until(async () => (await shownText(writer)) === other, 'the text is the other device’s')
    await saved(writer.page)
    assert.deepEqual(await revisions(writer), [other, merged, other, first])
  })

  test('and both kept: what nobody changed is there once', async () => {
    const writer = await contested()
    await writer.page.getByRole('button', { name: 'Keep both' }).click()
    await saved(writer.page)
    assert.equal(await writer.body(), 'One, by a key.\n\nTwo is here.\n\nThree, mine.\n\nThree, by a key.')
  })
})
