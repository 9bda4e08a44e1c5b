import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until as waitUntil } from '../../testkit/waiting.ts'
import { until, watchRequests } from './browser.ts'
import { isOf, isPiece, logPlace, openWebhookSite, presencePlace, webhookPart } from './desk-site.ts'

/** The state of deliveries, as their writer sees it. */

const site = await openWebhookSite(3)

test('what fails is said in words, with what came back as text, and is resent by hand, one and many', async () => {
  const receiver = site.receivers[0]!
  const visitor = await site.withWebhook('Noor Haddad', receiver)
  const { page, go, look, email } = visitor
  const hostile = '<script>alert(1)</script><img src=x onerror=alert(2)>'
  receiver.behave((_request, response) => response.writeHead(500, { 'content-type': 'text/html' }).end(hostile))
  await visitor.publish('Bread and weather')
  await receiver.expect(isPiece)
  await go(logPlace)
  const row = page.getByRole('listitem').filter({ hasText: 'Bread and weather' })
  await row.getByText(/^Answered 500; again (tomorrow )?at \d\d:\d\d$/).waitFor()
  await row.getByText('Waiting').waitFor()
  await look('webhook-log')
  await row.getByRole('link', { name: 'Bread and weather' }).click()
  await page
    .getByText(
      /^This address answered 500( twice)?\. We try again (tomorrow )?at \d\d:\d\d; you can also resend now\.$/,
    )
    .waitFor()
  await page.getByText('Look at what your server wrote down at that time.').waitFor()
  assert.equal(await page.locator('pre', { hasText: hostile }).first().textContent(), hostile)
  await look('webhook-delivery-failing')

  receiver.behave(200)
  const before = receiver.delivered.filter(isPiece)
  await page.getByRole('button', { name: 'Resend' }).click()
  await page.getByText(/^This address answered 200 in \d+ ms\.$/).waitFor()
  const again = receiver.delivered.filter(isPiece).at(-1)!
  assert.equal(again.headers['webhook-id'], before[0]!.headers['webhook-id'])
  assert.deepEqual(again.body, before[0]!.body)

  // As after ten attempts, three days later.
  await visitor.publish('The long way home')
  await go(logPlace)
  const second = page.getByRole('listitem').filter({ hasText: 'The long way home' })
  await second.getByText('Delivered').waitFor()
  await site.admin.query(
    `update app.deliveries set state = 'exhausted', resent_at = null, last_status = null, last_problem = 'timeout'
      where event = 'piece.published' and sequence = 2 and ${isOf(email)} and state = 'delivered'`,
  )
  const late = 'The name servers of example.org did not answer in time.'
  await site.admin.query(
    `update app.delivery_attempts set status = null, problem = 'timeout', detail = '${late}'
      where delivery_id = (select id from app.deliveries where state = 'exhausted' and ${isOf(email)})`,
  )
  await go(`${logPlace}?state=exhausted`)
  await page.getByText('Did not answer in time').waitFor()
  await page.getByRole('link', { name: 'The long way home' }).click()
  await page.getByText('This address did not answer in time. We have stopped trying. You can resend it.').waitFor()
  assert.equal(await page.getByText(late).count(), 2, 'as advice, and with the attempt')
  await page.goBack()
  assert.equal(await page.getByRole('list', { name: 'Deliveries, the newest first' }).getByRole('listitem').count(), 1)
  await page.getByRole('button', { name: 'Resend all that failed' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resend all that failed?' })
  await dialog.getByText('One delivery goes out again').waitFor()
  await dialog.getByRole('button', { name: 'Resend' }).click()
  await page.getByText('One delivery is on its way again.').waitFor()
  await page.getByText('None of these').waitFor()

  await site.admin.query(`update app.deliveries set resent_at = null where ${isOf(email)}`)
  await go(logPlace)
  await page.getByRole('button', { name: 'Resend by time' }).click()
  const range = page.getByRole('dialog', { name: 'Resend by time' })
  await range.getByText('Nothing in this time can be resent.').waitFor()
  await range.getByRole('checkbox', { name: 'Only what failed or is held' }).uncheck()
  await range.getByText('2 deliveries go out again').waitFor()
  await look('webhook-resend-range')
  await range.getByLabel('To', { exact: true }).fill('2001-01-01T00:00')
  await range.getByText('Give two times, the earlier one first.').waitFor()
  await page.keyboard.press('Escape')
})

test('a webhook that is stopped, or fails again and again, says what happened and what to do', async () => {
  const visitor = await site.withWebhook('Ito Sanae', site.receivers[1]!)
  const { page, go, look, email } = visitor
  const section = webhookPart(page)
  const become = async (change: string) => {
    await site.admin.query(`update app.webhooks set ${change} where ${isOf(email)}`)
    await page.reload()
  }
  await become("failures = 12, rests_until = now() + interval '1 hour'")
  await section.getByText('Failing').waitFor()
  await section.getByText(/It failed 12 times in a row\..*next (tomorrow )?at \d\d:\d\d\. Nothing is lost/).waitFor()
  await look('webhook-resting')
  await become('failures = 3, rests_until = null')
  await section.getByText('The last 3 attempts failed.').waitFor()
  await become("failures = 0, state = 'disabled', disabled_for = 'gone'")
  await section.getByText('Stopped').waitFor()
  await section.getByText('Its server answered 410, which means: send no more.').waitFor()
  await look('webhook-stopped')
  await become("disabled_for = 'failing'")
  await section.getByText('For five days every attempt failed, so we stopped.').waitFor()
  await visitor.publish('While it was stopped')
  await go(logPlace)
  await page.getByText('Your webhook is stopped. Make it live first: send it a test').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Resend/ }).count(), 0)
  await go(presencePlace)
  await page.reload()
  await section.getByRole('link', { name: 'Held: While it was stopped, just now' }).waitFor()
  await site.letPingsAge(email)
  await section.getByRole('button', { name: 'Send a test again' }).click()
  await section.getByText('Your webhook is live.').waitFor()
  await section.getByText('While it was stopped, one piece was held. Resend it').waitFor()
  await section.getByRole('link', { name: 'See all of them' }).click()
  await page.getByRole('button', { name: 'Resend “While it was stopped”' }).click()
  await page.getByRole('listitem').filter({ hasText: 'While it was stopped' }).getByText('Delivered').waitFor()
})

test('the log invites where it is empty, and goes back page by page where it is long', async () => {
  const { page, go, look, email, ask } = await site.signedIn({ name: 'Per Holm' })
  await go(logPlace)
  await page.getByRole('heading', { name: 'Nothing sent yet' }).waitFor()
  await look('webhook-log-empty')
  await page.getByRole('link', { name: 'Set up a webhook' }).click()
  await webhookPart(page).getByLabel('The address to send to').waitFor()

  await ask('PUT', '/webhook', { url: site.receivers[2]!.url })
  await site.admin.query(
    `insert into app.deliveries (writer_id, event, piece_id, sequence, state, body, created_at, attempts, last_at, last_status)
     select writer_id, 'piece.published', gen_random_uuid(), n, 'delivered', '{}', now() - n * interval '1 hour', 1, now(), 200
       from app.webhooks, generate_series(1, 40) n where ${isOf(email)}`,
  )
  await go(logPlace)
  const rows = page.getByRole('list', { name: 'Deliveries, the newest first' }).getByRole('listitem')
  // With the test that made it live, as in the list.
  await page.getByRole('link', { name: 'Delivered 41' }).click()
  await until(page, 'document.querySelectorAll("main ol > li").length === 30')
  await page.getByRole('button', { name: 'Older deliveries' }).click()
  await until(page, 'document.querySelectorAll("main ol > li").length === 41')
  assert.equal(await page.getByRole('button', { name: 'Older deliveries' }).count(), 0)
  assert.match((await rows.last().textContent()) ?? '', /A piece that is deleted/)

  // A receiver that is backed off: a delivery is due and stays due.
  await site.admin.query(
    `update app.webhooks set failures = 12, rests_until = now() + interval '1 hour', ready_at = null where ${isOf(email)}`,
  )
  await site.admin.query(
    `insert into app.deliveries (writer_id, event, piece_id, sequence, state, body, attempts, last_at, last_problem)
     select writer_id, 'piece.published', gen_random_uuid(), 41, 'pending', '{}', 1, now(), 'timeout'
       from app.webhooks where ${isOf(email)}`,
  )
  await page.clock.install()
  await go(logPlace)
  await page.getByRole('button', { name: 'Older deliveries' }).click()
  await until(page, 'document.querySelectorAll("main ol > li").length > 40')
  // The page's clock runs until paused, and cannot be paused in its past.
  const pause = async () => page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 500)
  await waitUntil(
    () =>
      pause().then(
        () => true,
        () => false,
      ),
    'the clock of the page is paused',
  )
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const answered = watchRequests(page)
  for (let passed = 0; passed < 2_500; passed += 100) {
    await page.clock.runFor(100)
    await answered()
  }
  await page.clock.resume()
  const looks = asked.filter((url) => url.includes('/webhook/deliveries'))
  assert.ok(looks.length >= 1 && looks.length <= 3, `${looks.length} in 2.5 s`)
  assert.deepEqual(
    looks.filter((url) => url.includes('cursor=')),
    [],
    'only the newest page is looked at again',
  )
  await go(`${logPlace}/msg_${'0'.repeat(32)}`)
  await page.getByText('There is no such delivery of yours. They are kept for 30 days.').waitFor()
})
