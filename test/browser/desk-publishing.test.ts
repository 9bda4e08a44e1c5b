import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeModerator } from '../../testkit/desk.ts'
import { inTransaction, makeKey } from '../../testkit/factories.ts'
import { openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** A piece on its way to readers: its states, the proof that is asked for, and what an agent wrote of it. */

const site = await openDeskSite()

test('a piece is submitted, withdrawn, sent back with a note, changed and resubmitted, as its states allow', async () => {
  const { page, go, look, ask, begin } = await writerAtDesk(site)
  const moderator = await makeModerator(site.admin)
  const { context } = await site.visit()
  await context.addCookies([{ name: 'desk', value: moderator.sessionToken, url: site.base }])
  const id = await begin('On review', 'Read me first.')
  const statusNow = async () => (await ask('GET', `/pieces/${id}`)).piece.status
  const act = async (button: string, done: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: done, exact: true }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.textContent'), done, 'the heading has the focus')
  }

  await go(`/desk/edit/pieces/${id}/publish`)
  await act('Submit for review', 'Submitted for review')
  assert.equal(await statusNow(), 'pending')
  await go(`/desk/edit/pieces/${id}`)
  await page.getByText('This piece is in review, so you can’t edit it.').waitFor()
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  assert.equal(await text.getAttribute('contenteditable'), 'false')
  await look('editor-pending')

  await page.getByRole('link', { name: 'Withdraw' }).click()
  await act('Withdraw', 'Withdrawn from review')
  assert.equal(await statusNow(), 'draft')
  await page.getByRole('button', { name: 'More options' }).click()
  await act('Submit for review', 'Submitted for review')

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
  await page.getByText('Note from the moderator:').waitFor()
  await look('publishing-sent-back')
  await act('Resubmit', 'Resubmitted for review')
  assert.equal(await statusNow(), 'pending')
})

test('where the site asks for a passkey, Publish asks for it once and then goes on by itself', async () => {
  const strict = await openDeskSite({ PUBLISH_PROOF: 'passkey' })
  const { page, go, look, begin } = await writerAtDesk(strict)
  await go('/desk/account')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: /^Rename/ }).waitFor()
  const id = await begin('By my hand', 'Nobody else’s.')
  await go(`/desk/edit/pieces/${id}/publish`)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('heading', { name: 'Confirm with your passkey' }).waitFor()
  await look('publishing-passkey')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Published', exact: true }).waitFor()
})

test('what an agent wrote stands against what its writer changed, both ways round', async () => {
  const { page, go, look, writer, context } = await writerAtDesk(site)
  const { key } = await makeKey(site.admin, writer)
  const call = async (name: string, given: object) => {
    const answer = await context.request.post(`${site.base}/api/v1/mcp`, {
      headers: { authorization: `Bearer ${key}` },
      data: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
    })
    const { result } = await answer.json()
    assert.equal(result.isError, false, result.content[0].text)
    return result.structuredContent
  }
  const body_md = 'The first paragraph.\n\nTea takes two minutes.\n\nThe end.'
  const { id, edit_url } = await call('create_draft', { headline: 'By an agent', body_md })

  await go(new URL(edit_url).pathname)
  await page.getByText(/^Drafted by “.+”\.\s*$/).waitFor()
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await text.getByText('Tea takes two minutes.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' No: four.')
  await page.keyboard.press('Control+s')
  await saved(page)
  await page.getByText(/^Drafted by “.+”\. See your changes since$/).waitFor()
  await look('editor-by-key')
  await page.getByRole('textbox', { name: 'Headline' }).fill('By a person')
  await page.keyboard.press('Control+s')
  await saved(page)
  // A later editing session: the diff covers every change since the agent's, not only the last.
  await inTransaction(site.admin, async (client) => {
    await client.query('set local session_replication_role = replica')
    await client.query("update app.recent_revisions set saved_at = saved_at - interval '1 hour' where piece_id = $1", [
      id,
    ])
  })

  await page.getByRole('link', { name: 'See your changes since' }).click()
  await page.getByText(/^These are your changes since “.+” wrote the text\.$/).waitFor()
  await page.locator('ins').filter({ hasText: 'No: four.' }).waitFor()
  await page.locator('del').filter({ hasText: 'an agent' }).waitFor()
  await look('history-by-key')
  await page.getByRole('button', { name: /^You · just now/ }).click()
  await page.getByRole('button', { name: /^See all your changes since “.+” wrote the text$/ }).waitFor()
  assert.equal(await page.locator('ins').filter({ hasText: 'No: four.' }).count(), 0)

  const { revision } = await call('get_draft', { id })
  await call('update_draft', { id, revision, sub: 'An agent says so.' })
  await go(`/desk/edit/pieces/${id}`)
  await page.getByRole('link', { name: 'See what changed' }).click()
  await page.getByText(/^Written by “.+”$/).waitFor()
  await page.locator('ins').filter({ hasText: 'An agent says so.' }).waitFor()
  assert.equal(await page.locator('ins').filter({ hasText: 'No: four.' }).count(), 0)
})

test('a piece that no key ever wrote says nothing of keys', async () => {
  const { page, go, begin } = await writerAtDesk(site)
  const id = await begin('Mine', 'Alone.')
  await go(`/desk/edit/pieces/${id}`)
  await page.getByText('1 word').waitFor()
  assert.equal(await page.getByText(/Drafted|edited (by|with)|API key|was written/).count(), 0)
})
