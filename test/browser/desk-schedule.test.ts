import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeSchedulesDue } from '../../testkit/desk.ts'
import { testWorker } from '../../testkit/jobs.ts'
import { until } from '../../testkit/waiting.ts'
import { textOf } from './desk-piece.ts'
import { openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** Scheduling a piece at the desk, by mouse and by keyboard; its notices; and its time. */

const site = await openDeskSite()
const scheduledFor = (page: Page) => page.getByText(/^Scheduled for .+ at .+|^Scheduled for .+, .+/).first()

test('a piece is scheduled by mouse, listed in the order of times, cancelled by a change with a notice, and scheduled again', async () => {
  const { page, go, look, ask, begin } = await writerAtDesk(site)
  const id = await begin('Tomorrow’s tea', 'It will be green.')
  const later = await begin('Next week’s tea', 'It will be black.')
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  const { nonce } = await ask('POST', `/pieces/${later}/preview`)
  await ask('POST', `/pieces/${later}/schedule`, { nonce, at: inDays(7).toISOString() })

  await go(`/desk/edit/pieces/${id}/publish`)
  await page.getByText('At a time', { exact: true }).click()
  await page.getByText(/^Your time zone: /).waitFor()
  const chosen = `${inDays(1).toISOString().slice(0, 11)}08:30`
  await page.getByLabel('Date and time').fill(chosen)
  await look('publish-at-a-time')
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Scheduled', exact: true }).waitFor()
  await scheduledFor(page).waitFor()
  const { schedule, status } = (await ask('GET', `/pieces/${id}`)).piece
  assert.deepEqual([status, schedule.problem], ['draft', null])
  assert.equal(await page.evaluate((local) => new Date(local).toISOString(), chosen), schedule.at)
  await look('publish-scheduled')

  await go('/desk')
  await page.getByRole('link', { name: /^Scheduled/ }).click()
  const entries = page.getByRole('list', { name: 'Scheduled' }).getByRole('heading')
  const inOrder = 'Tomorrow’s tea, Next week’s tea'
  await until(async () => (await entries.allTextContents()).join(', ') === inOrder, inOrder)
  await scheduledFor(page).waitFor()
  await look('pieces-scheduled')

  await page.getByRole('link', { name: 'Tomorrow’s tea' }).click()
  await page.getByText('If you change it, the schedule is cancelled.').waitFor()
  await look('editor-scheduled')
  await textOf(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Or white.')
  await saved(page)
  await page.getByText(/The schedule for .+ was cancelled\. It was changed after you scheduled it/).waitFor()
  await look('editor-schedule-cancelled')
  await page.getByRole('link', { name: 'Publish or schedule' }).click()
  await page.getByText(/The schedule for .+ was cancelled/).waitFor()
  await look('publish-schedule-cancelled')
  await page.getByText('At a time', { exact: true }).click()
  await page.getByLabel('Date and time').fill(chosen)
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Scheduled', exact: true }).waitFor()
  assert.equal((await ask('GET', `/pieces/${id}`)).piece.schedule.problem, null)

  await go(`/desk/edit/pieces/${id}/publish`)
  await page.getByRole('button', { name: 'Cancel schedule' }).click()
  await page.getByRole('heading', { level: 1, name: 'Schedule cancelled', exact: true }).waitFor()
  assert.equal((await ask('GET', `/pieces/${id}`)).piece.schedule, null)
})

test('a piece is scheduled by keyboard alone, and is public once its time has come and a worker runs', async () => {
  const { page, go, ask, begin } = await writerAtDesk(site)
  const id = await begin('By the keys', 'No mouse.')
  await go(`/desk/edit/pieces/${id}/publish`)
  await page.getByRole('radio', { name: 'Now' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByLabel('Date and time').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { level: 1, name: 'Scheduled', exact: true }).waitFor()
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Scheduled', 'the heading has the focus')

  await makeSchedulesDue(site.admin, [id])
  await testWorker(site.databaseUrl)
  await site.admin.query("select jobs.add('schedules.publish', '{}')")
  await until(async () => (await ask('GET', `/pieces/${id}`)).piece.status === 'approved', 'it is public')
  await go(`/desk/edit/pieces/${id}/history`)
  await page.getByText('You scheduled this piece').waitFor()
  const { url } = (await ask('GET', `/pieces/${id}`)).piece
  await go(new URL(url).pathname)
  await page.getByRole('heading', { name: 'By the keys' }).waitFor()
})
