import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeModerator } from '../../testkit/desk.ts'
import { openDeskSite, saved, writerAtDesk } from './desk-site.ts'

const site = await openDeskSite()

test('a piece is submitted, withdrawn, sent back with a note, changed and resubmitted, as its states allow', async () => {
  const { page, go, look, ask, complaints } = await writerAtDesk(site)
  const moderator = await makeModerator(site.admin)
  const { context } = await site.visit()
  await context.addCookies([{ name: 'desk', value: moderator.sessionToken, url: site.base }])
  const { id } = (await ask('POST', '/pieces', { headline: 'On review', body_md: 'Read me first.' })).body.piece
  const statusNow = async () => (await ask('GET', `/pieces/${id}`)).body.piece['status']
  const act = async (button: string, done: string) => {
    await page.getByRole('button', { name: button, exact: true }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: done, exact: true }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.textContent'), done, 'the heading has the focus')
  }

  await go(`/desk/edit/pieces/${id}/publish`)
  await act('Submit for review', 'It is with the moderators')
  assert.equal(await statusNow(), 'pending')
  await go(`/desk/edit/pieces/${id}`)
  await page.getByText('A moderator is reading this piece, so it stays as it was sent.').waitFor()
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  assert.equal(await text.getAttribute('contenteditable'), 'false')
  await look('editor-pending')

  await page.getByRole('link', { name: 'Withdraw it' }).click()
  await act('Withdraw', 'It is a draft again')
  assert.equal(await statusNow(), 'draft')
  await page.getByRole('button', { name: 'Publish or share' }).click()
  await act('Submit for review', 'It is with the moderators')

  const sentBack = await context.request.post(`${site.base}/desk/api/review/${id}/request-changes`, {
    headers: { origin: site.base },
    data: { note: 'Say where you were.' },
  })
  assert.equal(sentBack.status(), 200, await sentBack.text())
  await go(`/desk/edit/pieces/${id}`)
  await page.getByText('Say where you were.').waitFor()
  await text.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' I was at sea.')
  await saved(page)
  await page.getByRole('button', { name: 'Resubmit' }).click()
  await page.getByText('The moderator’s words:').waitFor()
  await look('publishing-sent-back')
  await act('Resubmit', 'It is with the moderators again')
  assert.equal(await statusNow(), 'pending')
  assert.deepEqual(complaints, [])
})

test('where the site asks for a passkey, Publish asks for it once and then goes on by itself', async () => {
  const strict = await openDeskSite({ PUBLISH_PROOF: 'passkey' })
  const { page, go, look, ask, complaints } = await writerAtDesk(strict)
  await go('/desk/account')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: /^Rename/ }).waitFor()
  const { id } = (await ask('POST', '/pieces', { headline: 'By my hand', body_md: 'Nobody else’s.' })).body.piece
  await go(`/desk/edit/pieces/${id}/publish`)
  await page.getByRole('button', { name: 'Publish', exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('heading', { name: 'Confirm with your passkey' }).waitFor()
  await look('publishing-passkey')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'It is public', exact: true }).waitFor()
  // Chromium logs the 403 that asked for the passkey.
  assert.deepEqual(
    complaints.filter((one) => !one.includes('403')),
    [],
  )
})
