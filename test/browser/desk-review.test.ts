import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { until } from './browser.ts'
import { openDeskSite, pressUntil, type Visitor } from './desk-site.ts'

/** Review: the queue, the diff, the decision, and identity checks. */

const site = await openDeskSite()

/** The emails queued for the account of this address, in order, without sign-in notices. */
async function emailsTo(email: string): Promise<string[]> {
  const { rows } = await site.admin.query<{ letter: string }>(
    `select coalesce(j.data ->> 'letter', j.name) as letter from jobs.job j
       left join app.decisions d on j.name = 'decision.email' and d.id::text = j.data ->> 'decision'
       left join app.pieces p on j.name = 'review.email' and p.id::text = j.data ->> 'piece'
       left join app.writers w on w.id in (d.writer_id, p.writer_id)
       join app.accounts a on a.id::text = coalesce(w.account_id::text, j.data -> 'to' ->> 'account')
      where j.name in ('mail', 'decision.email', 'review.email') and a.email = $1 and j.data ->> 'letter' is distinct from 'new-sign-in'
      order by j.created_on, j.id`,
    [email],
  )
  return rows.map(({ letter }) => letter)
}

async function submit({ ask }: Visitor, id: string, act: 'submit' | 'resubmit' = 'submit'): Promise<void> {
  const { nonce } = await ask('POST', `/pieces/${id}/preview`)
  await ask('POST', `/pieces/${id}/${act}`, { nonce })
}

const first = 'The tide comes in twice a day.\n\nNobody asked it to.\n\nThe pier holds, mostly.'
const second = 'The tide comes in twice a day, and I counted.\n\nThe pier holds, mostly.\n\nSo do we.'

const decide = async (page: Page, button: string, dialog: string | RegExp, words?: string) => {
  await page.getByRole('button', { name: button, exact: true }).click()
  const asked = page.getByRole('dialog', { name: dialog })
  if (words) await asked.getByRole('textbox').fill(words)
  await asked.getByRole('button', { name: button, exact: true }).click()
}

test('a piece goes to a moderator, back with a note, and is public when it comes again', async () => {
  const writer = await site.signedIn({ name: 'Ada Okafor' })
  const moderator = await site.signedIn({ role: 'moderator', name: 'Mo Reader' })
  const { page, go, look } = moderator
  await go('/desk')
  await page.waitForURL('**/desk/review')
  await page.getByRole('heading', { name: 'Nothing to review' }).waitFor()
  await look('review-nobody')
  const id = await writer.begin('Against the tide', first, { sub: 'A short history of standing still' })
  await submit(writer, id)
  await page.reload()
  await page.getByRole('link', { name: 'Queue 1' }).waitFor()
  await look('review')
  await page.getByRole('link', { name: 'Against the tide' }).click()
  await page.getByText('This piece hasn’t been reviewed before.').waitFor()
  const text = page.frameLocator('iframe[title*="Against the tide"]')
  await text.getByText('Nobody asked it to.').waitFor()
  const frame = page.frames().find((one) => one !== page.mainFrame())
  assert.ok(frame)
  await until(frame, 'getComputedStyle(document.querySelector("h1")).fontFamily.includes("Standfirst Serif")')
  await look('reviewing-new')
  await decide(page, 'Request changes', 'Request changes', 'Say how often you counted.')
  await page.waitForURL('**/desk/review')
  await page.getByRole('heading', { name: 'Nothing to review' }).waitFor()

  const { piece } = await writer.ask('GET', `/pieces/${id}`)
  assert.deepEqual([piece.status, piece.note], ['changes_requested', 'Say how often you counted.'])
  await writer.ask('PATCH', `/pieces/${id}`, { headline: 'With the tide', body_md: second })
  await submit(writer, id, 'resubmit')

  await go(`/desk/review/${id}`)
  const rows = page.getByRole('list', { name: /Before and now/ })
  await rows.waitFor()
  const marked = async (tag: 'ins' | 'del') => (await rows.locator(tag).allTextContents()).map((words) => words.trim())
  assert.deepEqual(await marked('del'), ['Against', 'Nobody asked it to.'])
  assert.deepEqual(await marked('ins'), ['With', ', and I counted', 'So do we.'])
  await look('reviewing-changed')
  const refused: string[] = []
  page.on('response', (answer) => answer.status() >= 400 && refused.push(`${answer.status()} ${answer.url()}`))
  await decide(page, 'Approve', 'Approve this piece?')
  await page.getByText('Piece approved and published').waitFor()
  const shown = await fetch(`${site.base}/api/public/pieces/${id}`)
  assert.equal(shown.status, 200)
  assert.deepEqual(await emailsTo(writer.email), ['changes-requested', 'approved'])

  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByText('Mo Reader approved With the tide by Ada Okafor').waitFor()
  await page.getByText('Say how often you counted.').waitFor()
  await look('review-decisions')
  assert.deepEqual(refused, [], 'nothing is asked for that is no longer there')
})

test('a moderator reads a piece without asking for a picture of another server, and sees where it lies', async () => {
  const writer = await site.signedIn({ name: 'Ines Portrait' })
  const { page, go, look } = await site.signedIn({ role: 'moderator', name: 'Un Seen' })
  const id = await writer.begin(
    'A cup of tea',
    'Look:\n\n![A cup](https://pictures.example/cup.png)\n\nNice, is it not?',
  )
  await submit(writer, id)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).host))
  await go(`/desk/review/${id}`)
  const text = page.frameLocator('iframe[title*="A cup of tea"]')
  await text.getByText('[Picture not loaded: https://pictures.example/cup.png]').waitFor()
  await look('reviewing-picture-elsewhere')
  assert.deepEqual([...new Set(asked)], [new URL(site.base).host])
  // Clears the queue, since other tests count it.
  await decide(page, 'Reject', /Reject/, 'No more tea.')
  await page.waitForURL('**/desk/review')
})

test('a half-written note is there again after cancelling and reloading, and gone once it was sent', async () => {
  const writer = await site.signedIn({ name: 'Ed Ited' })
  const { page, go } = await site.signedIn({ role: 'moderator', name: 'Ha Lf' })
  const [id, other] = [await writer.begin('A long read'), await writer.begin('A short read')]
  for (const one of [id, other]) await submit(writer, one)
  const note = page.getByRole('dialog').getByRole('textbox')
  const openNote = async (piece: string) => {
    await go(`/desk/review/${piece}`)
    await page.getByRole('button', { name: 'Request changes', exact: true }).click()
    return note.inputValue()
  }
  assert.equal(await openNote(id), '')
  await note.fill('The second part says the same as')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Request changes', exact: true }).click()
  assert.equal(await note.inputValue(), 'The second part says the same as')
  assert.equal(await openNote(other), '', 'a note belongs to its piece')
  assert.equal(await openNote(id), 'The second part says the same as')
  await note.fill('Shorten it.')
  await page.getByRole('dialog').getByRole('button', { name: 'Request changes' }).click()
  await page.waitForURL('**/desk/review')
  assert.equal((await writer.ask('GET', `/pieces/${id}`)).piece.note, 'Shorten it.')
  await submit(writer, id, 'resubmit')
  assert.equal(await openNote(id), '')
  // Clears the queue, since other tests count it.
  for (const one of [id, other]) await writer.ask('POST', `/pieces/${one}/withdraw`)
})

test('a piece is rejected by keyboard alone', async () => {
  const writer = await site.signedIn()
  const { page, go } = await site.signedIn({ role: 'moderator', name: 'Key Board' })
  const id = await writer.begin('Cheap watches', 'Buy one.')
  await submit(writer, id)
  await go('/desk/review')
  await page.getByRole('link', { name: 'Cheap watches' }).waitFor()
  await pressUntil(page, 'Tab', 'Cheap watches')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Reject' }).waitFor()
  await pressUntil(page, 'Tab', 'Reject')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Reject this piece?' }).waitFor()
  await page.keyboard.type('Spam')
  await page.keyboard.press('Tab')
  await page.keyboard.type('It sells something.')
  await pressUntil(page, 'Tab', 'Reject')
  await page.keyboard.press('Enter')
  await page.getByText('Piece rejected').waitFor()
  const { piece } = await writer.ask('GET', `/pieces/${id}`)
  assert.deepEqual([piece.status, piece.note], ['rejected', 'It sells something.'])
  assert.deepEqual(await emailsTo(writer.email), ['decision.email'])
  assert.equal((await writer.ask('GET', `/decisions?about=${id}`)).decisions[0].category, 'spam')
})

test('what a moderator had before them is approved, and nothing that came after', async () => {
  const writer = await site.signedIn()
  const { page, go } = await site.signedIn({ role: 'moderator' })
  const id = await writer.begin('A moving target', 'As it was.')
  await submit(writer, id)
  await go(`/desk/review/${id}`)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await writer.ask('POST', `/pieces/${id}/withdraw`)
  await writer.ask('PATCH', `/pieces/${id}`, { body_md: 'As it is now.' })
  await submit(writer, id)
  await decide(page, 'Approve', 'Approve this piece?')
  await page.getByRole('button', { name: 'Show latest version' }).click()
  await page.frameLocator('iframe[title*="moving target"]').getByText('As it is now.').waitFor()
  assert.equal((await writer.ask('GET', `/pieces/${id}`)).piece.status, 'pending')
  await writer.ask('POST', `/pieces/${id}/withdraw`)
})

test('a reported piece is read with what was said of it, and dismissed or taken down', async () => {
  const writer = await site.signedIn({ name: 'Bo Salt' })
  const { page, go, look } = await site.signedIn({ role: 'moderator' })
  const id = await writer.publish('Loud words', 'Said too often.')
  const report = (note: string) =>
    fetch(`${site.base}/desk/report/${id}`, {
      method: 'POST',
      headers: { origin: site.base, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ reason: 'copyright', note, email: 'reader@site.test' }),
    })
  assert.ok((await report('It is from my book, page 12.')).ok)
  await go('/desk/review?list=reports')
  await page.getByText('It is from my book, page 12.').waitFor()
  await look('review-reports')
  await page.getByRole('button', { name: 'Dismiss reports about “Loud words”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('heading', { name: 'No open reports' }).waitFor()

  assert.ok((await report('Page 13 too.')).ok)
  await page.reload()
  await page.getByRole('link', { name: 'Queue' }).click()
  await page.getByText('Readers have reported 1 item.').waitFor()
  assert.equal(await page.getByText('There are no open reports either.').count(), 0)
  await page.getByRole('link', { name: 'See reports' }).click()
  await page.getByRole('link', { name: 'Review piece' }).click()
  await page.getByRole('heading', { name: 'Published version' }).waitFor()
  await page.getByRole('heading', { name: 'Reports', level: 2 }).waitFor()
  await page.getByText('Copyright: Page 13 too.').waitFor()
  await look('reviewing-reported')
  await page.getByRole('button', { name: 'Dismiss reports' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Take down' }).click()
  const dialog = page.getByRole('dialog', { name: 'Take down this piece?' })
  assert.equal(await dialog.getByLabel('Reason').inputValue(), 'copyright', 'what readers said')
  await dialog.getByLabel('Explanation').fill('It is not yours.')
  await dialog.getByRole('radio', { name: 'Allow a revised version' }).check()
  await look('reviewing-take-down')
  await dialog.getByRole('button', { name: 'Take down' }).click()
  await page.getByText('Piece taken down').waitFor()
  await page.getByRole('heading', { name: 'No open reports' }).waitFor()
  assert.equal((await fetch(`${site.base}/api/public/pieces/${id}`)).status, 404)
  assert.deepEqual(await emailsTo(writer.email), ['decision.email'])
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByText('took down Loud words by Bo Salt').waitFor()
  await page.getByRole('link', { name: 'Queue' }).click()
  await page.getByText('There are no open reports either.').waitFor()
})

test('an identity is verified with a note, and taken back', async () => {
  const writer = await site.signedIn({ name: 'Selma Ferry' })
  const { page, go, look } = await site.signedIn({ role: 'moderator' })
  await go('/desk/review/writers')
  // The answer of before the verification arrives after it.
  const read = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  const keepWaiting = async (route: Route) => {
    const response = await route.fetch()
    read.resolve()
    await late.promise
    await route.fulfill({ response })
  }
  await page.route('**/desk/api/review/writers?q=selma', keepWaiting, { times: 1 })
  await page.getByLabel('Find a writer').fill('selma')
  await read.promise
  const row = page.getByRole('listitem').filter({ hasText: 'Selma Ferry' })
  await row.getByText('Identity not verified').waitFor()
  await row.getByRole('button', { name: 'Verify Selma Ferry' }).click()
  const dialog = page.getByRole('dialog', { name: 'Verify Selma Ferry?' })
  await dialog.getByLabel('Evidence').fill('Passport seen on a call.')
  await dialog.getByRole('button', { name: 'Verify' }).click()
  await dialog.waitFor({ state: 'detached' })
  late.resolve()
  await row.getByText('✓ Identity verified').waitFor()
  assert.equal((await writer.ask('GET', '/profile')).profile.identity_verified, true)
  await look('review-writers')
  await row.getByRole('button', { name: 'Remove verification' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('The name was sold.')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove verification' }).click()
  await row.getByText('Identity not verified').waitFor()
  assert.deepEqual(await emailsTo(writer.email), ['identity-verified', 'identity-withdrawn'])
})

test('a writer is suspended with a reason, sees it at their desk, and is restored', async () => {
  const writer = await site.signedIn({ name: 'Pim Carrow' })
  const { page, go, look } = await site.signedIn({ role: 'moderator' })
  await go('/desk/review/writers')
  await page.getByLabel('Find a writer').fill('pim')
  const row = page.getByRole('listitem').filter({ hasText: 'Pim Carrow' })
  await row.getByRole('button', { name: 'Suspend Pim Carrow' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suspend Pim Carrow?' })
  await dialog.getByText('disappear from the site immediately').waitFor()
  await look('review-suspending')
  await dialog.getByLabel('Reason').fill('Sixty pieces that sell the same watch.')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await row.getByText('Suspended: “Sixty pieces that sell the same watch.”').waitFor()
  await look('review-suspended')
  await writer.go('/desk')
  await writer.page.getByText('Your account is suspended.').waitFor()
  await writer.look('suspended')
  await row.getByRole('button', { name: 'Restore Pim Carrow' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('It was another Pim.')
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await row.getByRole('button', { name: 'Suspend Pim Carrow' }).waitFor()
  await writer.page.reload()
  await writer.page.getByRole('heading', { name: 'Pieces', exact: true }).waitFor()
  assert.equal(await writer.page.getByText('Your account is suspended.').count(), 0)
})

test('an invitation is made as a link and by email, used, and revoked', async () => {
  const site = await openDeskSite({ SIGN_UP: 'invited' })
  const { page, go, look } = await site.signedIn({ role: 'moderator', name: 'Mo Reader' })
  const guest = await site.visit()
  await guest.go('/desk/sign-up')
  await guest.page.getByRole('heading', { name: 'You need an invitation' }).waitFor()
  await guest.look('sign-up-invited')
  await go('/desk/review')
  await page.getByRole('link', { name: 'Invitations' }).click()
  await page.getByRole('heading', { name: 'No invitations yet' }).waitFor()
  await look('invitations-none')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByRole('dialog').locator('code').textContent()
  await look('invitations-link')
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('dialog').getByLabel('Email address').fill('guest@example.org')
  await page.getByRole('dialog').getByRole('button', { name: 'Send invitation' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'guest@example.org' })
  await row.waitFor()
  await look('invitations')
  await row.getByRole('button', { name: 'Revoke' }).click()
  await row.waitFor({ state: 'detached' })
  await guest.page.goto(link!)
  await guest.page.getByLabel('Email address').fill('new@example.org')
  await guest.page.getByRole('button', { name: 'Email me a link' }).click()
  await guest.page.getByRole('heading', { name: 'Check your email' }).waitFor()
})

test('where sign-up is closed, its page says so', async () => {
  const site = await openDeskSite({ SIGN_UP: 'closed' })
  const { page, go, look } = await site.visit()
  await go('/desk/sign-up')
  await page.getByRole('heading', { name: 'Sign-up is closed' }).waitFor()
  await look('sign-up-closed')
})

test('a writer who is no moderator is told so, and sees nothing', async () => {
  const { page, go } = await site.signedIn()
  await go('/desk/review')
  await page.getByRole('alert').first().waitFor()
  assert.equal(await page.getByRole('list', { name: /Pieces to review/ }).count(), 0)
  assert.equal(await page.getByRole('navigation', { name: 'Desk' }).getByText('Review').count(), 0)
})
