import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { inTransaction } from '../../testkit/factories.ts'
import { until } from '../../testkit/waiting.ts'
import { openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** Where a writer is on a page, and what they have in view, when they come back or choose something. */

const site = await openDeskSite()

const paragraphs = Array.from(
  { length: 120 },
  (_, at) => `Paragraph ${at} says something of tea, and then a little more.`,
)

/** Pixels; less is not noticed. */
const lineHeight = 30

const topOf = async (line: Locator): Promise<number> => (await line.boundingBox())?.y ?? Number.NaN
const scrolled = (page: Page) => page.evaluate<number>('scrollY')

test('back from the preview, caret, scroll position and undo history are as they were', async () => {
  const { page, go, begin, ask } = await writerAtDesk(site)
  const id = await begin('A long one', paragraphs.join('\n\n'))
  await go(`/desk/edit/pieces/${id}`)
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await text.focus()
  await page.keyboard.press('Control+End')
  await until(async () => (await scrolled(page)) > 2000, 'the end is in view')
  const line = text.getByText('Paragraph 112 says')
  await line.click()
  await page.keyboard.press('End')
  await page.keyboard.type(' First.')
  await page.keyboard.press('Control+s')
  await saved(page)
  const before = await topOf(line)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'A long one' }).waitFor()

  for (const back of [() => page.getByRole('link', { name: 'Back to editor' }).click(), () => page.goBack()]) {
    await back()
    await text.waitFor()
    await until(async () => Math.abs((await topOf(line)) - before) < lineHeight, 'the line is where it was')
    assert.equal(await text.and(page.locator(':focus')).count(), 1, 'the text has the focus')
    await page.goForward().catch(() => undefined)
    if (!page.url().endsWith('/publish')) await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'A long one' }).waitFor()
  }

  await page.getByRole('link', { name: 'Back to editor' }).click()
  await text.waitFor()
  await page.keyboard.type(' Second.')
  await text.getByText('and then a little more. First. Second.').waitFor()
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await until(async () => (await text.getByText('First.').count()) === 0, 'what was typed before is undone')
  await page.keyboard.press('Control+s')
  await saved(page)
  assert.equal((await ask('GET', `/pieces/${id}`)).piece.body_md, paragraphs.join('\n\n'))
})

test('an earlier version chosen in a long history shows its comparison in view, on a desktop and on a phone', async () => {
  const { page, go, begin, ask } = await writerAtDesk(site)
  const id = await begin('Often saved', 'Version 1.')
  for (let version = 2; version <= 30; version += 1) {
    await ask('PATCH', `/pieces/${id}`, { body_md: `Version ${version}.\n\n${paragraphs.join('\n\n')}` })
  }
  // An hour between them: each is an editing session of its own.
  await inTransaction(site.admin, async (client) => {
    await client.query('set local session_replication_role = replica')
    await client.query(
      "update app.recent_revisions set saved_at = saved_at - (31 - revision) * interval '1 hour' where piece_id = $1",
      [id],
    )
  })
  for (const viewport of [
    { width: 1280, height: 860 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    await go(`/desk/edit/pieces/${id}/history`)
    for (const version of [3, 28, 2]) {
      await page.getByRole('button', { name: new RegExp(`Version ${version}$`) }).click()
      const title = page.getByRole('heading', { level: 2, name: `from version ${version - 1} to ${version}` })
      await title.waitFor()
      const isInView = async () => {
        const top = await topOf(title)
        return top >= 0 && top < viewport.height / 2
      }
      await until(isInView, `the changes of version ${version} are in view, ${viewport.width} px wide`)
      await page.evaluate('scrollBy(0, 3000)')
    }
  }
})
