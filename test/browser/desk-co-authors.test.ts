import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../testkit/waiting.ts'
import { painted } from './browser.ts'
import { openDeskSite, writerAtDesk } from './desk-site.ts'

/** Co-authors: inviting, reading, agreeing, ordering, withdrawing and removing, by mouse and by keyboard. */

const site = await openDeskSite()

const namesOf = async (id: string): Promise<string[]> => {
  const answer = await fetch(`${site.base}/api/public/pieces/${id}`)
  const { piece } = (await answer.json()) as { piece: { authors: readonly { name: string }[] } }
  return piece.authors.map(({ name }) => name)
}

/** In the narrowest window that pages are made for; a dialog covers the page, so it alone is measured. */
async function fitsNarrow(page: Page): Promise<void> {
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 320, height: 640 })
  await painted(page)
  const overflow = await page.evaluate(`(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
    document.querySelector('dialog[open]') ?? document.documentElement)`)
  await page.setViewportSize(size)
  assert.ok(Number(overflow) <= 0, `${page.url()}: ${overflow} px wider than the window`)
}

test('a writer invites two others, who read and agree; readers see the names in order until one withdraws', async () => {
  const ada = await writerAtDesk(site, 'Ada Okafor')
  const berta = await writerAtDesk(site, 'Berta Lindqvist')
  const cem = await writerAtDesk(site, 'Cem Yıldız')
  await berta.publish('A piece of her own', 'So her profile is public.')
  const { page } = ada
  const id = await ada.begin('On slow tea', 'Tea takes four minutes.', { sub: 'A defence of patience.' })

  await cem.go('/desk/co-authors')
  await cem.page.getByRole('heading', { name: 'No invitations yet' }).waitFor()
  await cem.look('co-authors-none')

  // One is found by name and invited with the mouse, the other by the whole address and with the keyboard.
  await ada.go(`/desk/edit/pieces/${id}`)
  await page.getByRole('button', { name: 'Details' }).click()
  const field = page.getByRole('searchbox', { name: 'Find a writer by name or address' })
  await field.fill('bert')
  await page.getByRole('button', { name: 'Invite Berta Lindqvist' }).click()
  const list = page.getByRole('list', { name: 'Co-authors' })
  await list.getByText('Invited, no answer yet').waitFor()
  await field.fill('nobody at all')
  await page.getByText('No other writer matches “nobody at all”.').waitFor()
  await field.fill(cem.writer.slug)
  await page.getByRole('button', { name: 'Invite Cem Yıldız' }).waitFor()
  await field.press('Tab')
  await page.keyboard.press('Enter')
  await until(async () => (await list.getByText('Invited, no answer yet').count()) === 2, 'both are invited')
  await ada.look('co-authors-invited')
  await fitsNarrow(page)

  // Berta finds the invitation, reads the draft, and agrees with the keyboard.
  const reader = berta.page
  await berta.go('/desk')
  await reader.getByText('You’re invited to be a co-author of a piece.').waitFor()
  await berta.look('co-authors-notice')
  await reader.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Co-authored 1' }).click()
  const waiting = reader.getByRole('list', { name: 'Waiting for your answer' })
  await waiting.getByText('By Ada Okafor').waitFor()
  await berta.look('co-authors-waiting')
  await waiting.getByRole('button', { name: 'Read “On slow tea”' }).click()
  const frame = reader.frameLocator('iframe[title*="On slow tea"]')
  await frame.getByText('Tea takes four minutes.').waitFor()
  await berta.look('co-authors-reading')
  await fitsNarrow(reader)
  await waiting.getByRole('button', { name: 'Agree to “On slow tea”' }).press('Enter')
  await reader.getByText('Readers will see your name with Ada Okafor’s').waitFor()
  await berta.look('co-authors-agree')
  await reader.getByRole('dialog').getByRole('button', { name: 'Agree', exact: true }).press('Enter')
  const answered = reader.getByRole('list', { name: 'Answered' })
  await answered.getByText('You agreed').waitFor()
  await berta.look('co-authors-answered')

  // Cem declines, and may change the answer.
  await cem.go('/desk/co-authors')
  await cem.page.getByRole('button', { name: 'Decline “On slow tea”' }).click()
  await cem.page.getByRole('dialog').getByRole('button', { name: 'Decline', exact: true }).click()
  await cem.page.getByText('You declined', { exact: true }).waitFor()
  assert.equal(await cem.page.getByRole('button', { name: 'Read “On slow tea”' }).count(), 0)
  await cem.page.getByRole('button', { name: 'Change answer about “On slow tea”' }).click()
  await cem.page.getByRole('dialog').getByRole('button', { name: 'Agree', exact: true }).click()
  await cem.page.getByText('You agreed', { exact: true }).waitFor()

  // Ada orders them with the keyboard and publishes.
  await page.reload()
  await page.getByRole('button', { name: 'Details' }).click()
  await until(async () => (await list.getByText('Agreed').count()) === 2, 'both have agreed')
  await list.getByRole('button', { name: 'Move “Cem Yıldız” up' }).press('Enter')
  await until(
    async () => (await ada.ask('GET', `/pieces/${id}/co-authors`)).authors[0].name === 'Cem Yıldız',
    'the order is saved',
  )
  await ada.look('co-authors-agreed')
  await page.getByRole('button', { name: 'Done' }).click()
  const { nonce } = await ada.ask('POST', `/pieces/${id}/preview`)
  await ada.ask('POST', `/pieces/${id}/publish`, { nonce })
  assert.deepEqual(await namesOf(id), ['Ada Okafor', 'Cem Yıldız', 'Berta Lindqvist'])
  await ada.go(`/p/${id}`)
  await page.getByText('Ada Okafor, Cem Yıldız and Berta Lindqvist').waitFor()
  await ada.look('co-authors-page')
  await fitsNarrow(page)

  // Berta withdraws: her name is gone at once, and the piece stays.
  await berta.go('/desk/co-authors')
  await reader.getByRole('button', { name: 'Withdraw my name from “On slow tea”' }).click()
  await reader.getByText('Your name disappears from the piece at once.').waitFor()
  await reader.getByRole('dialog').getByRole('button', { name: 'Withdraw my name', exact: true }).click()
  await answered.getByText('You withdrew your name').waitFor()
  assert.deepEqual(await namesOf(id), ['Ada Okafor', 'Cem Yıldız'])
  await fitsNarrow(reader)

  // Ada removes the other, after a question.
  await ada.go(`/desk/edit/pieces/${id}`)
  await page.getByRole('button', { name: 'Details' }).click()
  await list.getByText('Withdrew their name').waitFor()
  await list.getByRole('button', { name: 'Remove “Cem Yıldız”' }).click()
  await page.getByRole('heading', { name: 'Remove Cem Yıldız?' }).waitFor()
  await ada.look('co-authors-remove')
  await page.getByRole('dialog', { name: 'Remove Cem Yıldız?' }).getByRole('button', { name: 'Remove' }).click()
  await until(async () => (await namesOf(id)).length === 1, 'the name is gone')
})
