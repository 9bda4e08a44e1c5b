import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction, makeKey } from '../../testkit/factories.ts'
import { openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** An agent drafts, a person revises: the desk shows what each of them wrote. */

const site = await openDeskSite()

test('what an agent wrote stands against what its writer changed, both ways round', async () => {
  const { page, go, look, complaints, writer, context } = await writerAtDesk(site)
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
  await page.getByText(/^The key “.+” wrote this\.$/).waitFor()
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await text.getByText('Tea takes two minutes.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' No: four.')
  await page.keyboard.press('Control+s')
  await saved(page)
  await page.getByText(/^The key “.+” wrote revision 1\./).waitFor()
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

  await page.getByRole('link', { name: 'What you changed since' }).click()
  await page.getByText(/^These are your changes to what the key “.+” wrote\.$/).waitFor()
  await page.locator('ins').filter({ hasText: 'No: four.' }).waitFor()
  await page.locator('del').filter({ hasText: 'an agent' }).waitFor()
  await look('history-by-key')
  await page.getByRole('button', { name: /^You · just now/ }).click()
  await page.getByRole('button', { name: /^What you changed since the key/ }).waitFor()
  assert.equal(await page.locator('ins').filter({ hasText: 'No: four.' }).count(), 0)

  const { revision } = await call('get_draft', { id })
  await call('update_draft', { id, revision, sub: 'An agent says so.' })
  await go(`/desk/edit/pieces/${id}`)
  await page.getByRole('link', { name: 'What it changed' }).click()
  await page.getByText(/^The key “.+” wrote it\.$/).waitFor()
  await page.locator('ins').filter({ hasText: 'An agent says so.' }).waitFor()
  assert.equal(await page.locator('ins').filter({ hasText: 'No: four.' }).count(), 0)
  assert.deepEqual(complaints, [])
})

test('a piece that no key ever wrote says nothing of keys', async () => {
  const { page, go, ask } = await writerAtDesk(site)
  const { id } = (await ask('POST', '/pieces', { headline: 'Mine', body_md: 'Alone.' })).body.piece
  await go(`/desk/edit/pieces/${id}`)
  await page.getByText('1 word').waitFor()
  assert.equal(await page.getByText(/The key|A key/).count(), 0)
})
