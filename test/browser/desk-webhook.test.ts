import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook } from '../../sdk/source/index.ts'
import { until as waitUntil } from '../../testkit/waiting.ts'
import { until, watchRequests } from './browser.ts'
import { isOf, isPiece, logPlace, openWebhookSite, presencePlace, pressUntil, webhookPart } from './desk-site.ts'

/** A writer's webhook at the desk: set, tested, changed, removed. */

const site = await openWebhookSite(7)

test('an address is given and asked while one looks on, its secret is shown once, and what is published arrives', async () => {
  const receiver = site.receivers[0]!
  const visitor = await site.signedIn({ name: 'Ada Okafor' })
  const { page, go, look } = visitor
  const id = await visitor.begin('Ferries at dawn')
  await visitor.letSessionAge()
  await go(presencePlace)
  const section = webhookPart(page)
  const field = section.getByLabel('Endpoint URL')
  await field.fill('http://10.0.0.1/hook')
  await section.getByRole('button', { name: 'Save' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await confirm.getByLabel(/^Password/).fill('correct horse battery staple')
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await section.getByText('Use a URL that starts with https://.').waitFor()
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  await look('webhook-refused')

  let answer = () => {}
  receiver.behave((_request, response, body) => {
    answer = () => response.writeHead(200).end(JSON.parse(body.toString('utf8')).challenge)
  })
  await field.fill(receiver.url)
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByText(`Testing ${receiver.url}…`).waitFor()
  await section.getByText('Not live yet').waitFor()
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Your webhook secret')
  const secret = (await section.getByText(/^whsec_[A-Za-z0-9+/]{43}=$/).textContent()) ?? ''
  await section.getByRole('radio', { name: 'Python' }).check()
  assert.match(await section.getByLabel('Sample receiver in Python').inputValue(), /^import base64, hashlib, hmac/)
  await look('webhook-secret')

  const { body, headers } = await receiver.expect(() => true)
  assert.equal((await verifyWebhook({ body, headers, secret })).event, 'webhook.ping')
  answer()
  await section.getByText(/^Your server responded with 200 in [\d,]+ ms\.$/).waitFor()
  await section.getByText('Your webhook is live.').waitFor()
  await section.getByText('Your server returned our challenge').waitFor()
  receiver.behave(204)
  await section.getByRole('button', { name: 'Done' }).click()
  await page.reload()
  await section.getByText('Live', { exact: true }).waitFor()
  assert.ok(!(await page.content()).includes(secret))

  await go(`/desk/edit/pieces/${id}/publish`)
  await page.getByText(`Your webhook at ${receiver.host} will be notified.`).waitFor()
  await page.getByText('Everyone who follows your feeds, or those of its category and tags.').waitFor()
  await look('webhook-publishing')
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('heading', { name: 'Published', exact: true }).waitFor()
  const sent = await receiver.expect(isPiece)
  assert.equal((await verifyWebhook({ ...sent, secret })).event, 'piece.published')

  await go(presencePlace)
  await section.getByRole('link', { name: 'Delivered: Ferries at dawn, just now' }).waitFor()
  await look('webhook-live')
  await section.getByRole('link', { name: 'Delivered: Ferries at dawn, just now' }).click()
  await page.getByText(/^Your server responded with 204 in [\d,]+ ms\.$/).waitFor()
  const shown = await page.getByLabel('Headers').locator('div').allInnerTexts()
  const headerLines = shown.map((line) => line.split('\n') as [string, string]).filter(([name]) => name !== 'POST')
  assert.ok(headerLines.length >= 8, String(shown))
  for (const [name, value] of headerLines) assert.equal(value, sent.headers[name], name)
  await page.getByRole('radio', { name: 'Raw' }).check()
  assert.equal(await page.getByLabel('Request body').inputValue(), sent.body.toString('utf8'))
  await look('webhook-delivery')
})

test('a webhook is rotated, paused, resumed, moved and removed, and each says what follows', async () => {
  const [receiver, other] = [site.receivers[1]!, site.receivers[2]!]
  const visitor = await site.withWebhook('Mara Lind', receiver)
  const { page, go, look, email } = visitor
  const section = webhookPart(page)
  await section.getByRole('button', { name: 'Rotate secret' }).click()
  const rotating = page.getByRole('dialog', { name: 'Rotate secret' })
  await rotating.getByText('During this time we sign each delivery with both secrets').waitFor()
  await look('webhook-rotating')
  await rotating.getByRole('button', { name: 'Create new secret' }).click()
  await section.getByRole('heading', { name: 'Your webhook secret' }).waitFor()
  const secret = (await section.getByText(/^whsec_/).textContent()) ?? ''
  await section.getByRole('button', { name: 'Done' }).click()
  await section.getByText(/^The previous secret also works until tomorrow at \d\d:\d\d\.$/).waitFor()
  await visitor.publish('Signed twice')
  const twice = await receiver.expect(isPiece)
  assert.match(String(twice.headers['webhook-signature']), /^v1,\S+ v1,\S+$/)
  await verifyWebhook({ ...twice, secret })

  await section.getByRole('button', { name: 'Rotate secret' }).click()
  await rotating.getByText('If you rotate again, it stops working immediately.').waitFor()
  await rotating.getByRole('radio', { name: 'No, it was leaked' }).check()
  await rotating.getByText('We sign with the new secret only.').waitFor()
  await rotating.getByRole('button', { name: 'Create new secret' }).click()
  await section.getByRole('button', { name: 'Done' }).click()
  assert.equal(await section.getByText('The previous secret').count(), 0)

  await section.getByRole('button', { name: 'Pause' }).click()
  await section.getByText('Pieces you publish are held and sent when you resume.').waitFor()
  const held = await visitor.begin('For later')
  await go(`/desk/edit/pieces/${held}/publish`)
  await page.getByText(`Your webhook at ${receiver.host} is paused. It’ll be notified when you resume it.`).waitFor()
  const { nonce } = await visitor.ask('POST', `/pieces/${held}/preview`)
  await visitor.ask('POST', `/pieces/${held}/publish`, { nonce })
  await go(presencePlace)
  await section.getByText('1 piece is held.').waitFor()
  await section.getByRole('link', { name: 'Held: For later, just now' }).waitFor()
  await look('webhook-paused')
  await section.getByRole('button', { name: 'Resume' }).click()
  await section.getByRole('link', { name: 'Delivered: For later, just now' }).waitFor()

  other.behave(404)
  await site.admin.query(
    `update app.webhooks set (created_at, url_given_at) = (now() - interval '90 days', now() - interval '90 days')
      where ${isOf(email)}`,
  )
  await section.getByRole('button', { name: 'Change URL' }).click()
  const moving = page.getByRole('dialog', { name: 'Change URL' })
  await moving.getByLabel('New URL').fill(other.url)
  await moving.getByRole('button', { name: 'Save and test' }).click()
  await section.getByText('Your server responded with 404.').waitFor()
  await section.getByText('Added just now. No successful response yet.').waitFor()
  await section.getByText('Check the path of the URL.').waitFor()
  await section.getByText('Pieces you publish until then are held.').waitFor()
  assert.equal(await section.getByText(/^whsec_/).count(), 0)
  await look('webhook-not-answered')
  other.behave(200)
  await site.letPingsAge(email)
  await section.getByRole('button', { name: 'Send test' }).click()
  await section.getByText('Your webhook is live.').waitFor()

  await section.getByRole('button', { name: 'Remove' }).click()
  const removing = page.getByRole('dialog', { name: 'Remove this webhook?' })
  await removing.getByRole('button', { name: 'Remove webhook' }).click()
  await section.getByLabel('Endpoint URL').waitFor()
  await go(logPlace)
  await page.getByRole('link', { name: 'For later' }).waitFor()
})

test('a secret that nobody has kept yet stays on the page while a mistyped address is mended', async () => {
  const receiver = site.receivers[3]!
  const { page, go, email } = await site.signedIn()
  await go(presencePlace)
  const section = webhookPart(page)
  receiver.behave(({ url }, response) => response.writeHead(url === '/hook' ? 200 : 404).end())
  await section.getByLabel('Endpoint URL').fill(`${receiver.url}-mistyped`)
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByText('Your server responded with 404.').waitFor()
  const secret = (await section.getByText(/^whsec_/).textContent()) ?? ''
  await site.letPingsAge(email)
  await section.getByRole('button', { name: 'Change URL' }).click()
  const moving = page.getByRole('dialog', { name: 'Change URL' })
  await moving.getByLabel('New URL').fill(receiver.url)
  await moving.getByRole('button', { name: 'Save and test' }).click()
  await section.getByText('Your webhook is live.').waitFor()
  assert.equal(await section.getByText(/^whsec_/).textContent(), secret)
  const { body, headers } = await receiver.expect((one) => one.path === '/hook')
  await verifyWebhook({ body, headers, secret })
  receiver.behave(200)
})

test('a webhook is given, tested and followed to its delivery by keyboard alone', async () => {
  const receiver = site.receivers[3]!
  const { page, go } = await site.signedIn()
  await go('/desk/edit/online-presence')
  const section = webhookPart(page)
  await pressUntil(page, 'Tab', 'Webhook')
  await page.keyboard.press('Enter')
  await pressUntil(page, 'Tab', 'Endpoint URL')
  await page.keyboard.type(receiver.url)
  await page.keyboard.press('Enter')
  await section.getByText('Your webhook is live.').waitFor()
  await pressUntil(page, 'Tab', 'Done')
  await page.keyboard.press('Enter')
  await pressUntil(page, 'Tab', 'Rotate secret')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Rotate secret' }).waitFor()
  await page.keyboard.press('Escape')
  await until(page, 'document.activeElement.getAttribute("aria-label") === "Rotate secret"')
  await pressUntil(page, 'Tab', 'Delivered: Test, just now')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Test', level: 1 }).waitFor()
  await page.getByText(/^Your server responded with 200 in [\d,]+ ms\.$/).waitFor()
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1')
  await pressUntil(page, 'Tab', 'Request body')
})

/** The state of deliveries, as their writer sees it. */

test('what fails is said in words, with what came back as text, and is resent by hand, one and many', async () => {
  const receiver = site.receivers[4]!
  const visitor = await site.withWebhook('Noor Haddad', receiver)
  const { page, go, look, email } = visitor
  const hostile = '<script>alert(1)</script><img src=x onerror=alert(2)>'
  receiver.behave((_request, response) => response.writeHead(500, { 'content-type': 'text/html' }).end(hostile))
  await visitor.publish('Bread and weather')
  await receiver.expect(isPiece)
  await go(logPlace)
  const row = page.getByRole('listitem').filter({ hasText: 'Bread and weather' })
  await row.getByText('Responded with 500').waitFor()
  await row.getByText(/^Next attempt (tomorrow )?at \d\d:\d\d$/).waitFor()
  await row.getByText('Pending').waitFor()
  await look('webhook-log')
  await row.getByRole('link', { name: 'Bread and weather' }).click()
  await page.getByText('Your server responded with 500.').waitFor()
  await page.getByText(/^We’ll try again (tomorrow )?at \d\d:\d\d\.$/).waitFor()
  await page.getByText('Check your server’s logs.').waitFor()
  assert.equal(await page.locator('pre', { hasText: hostile }).first().textContent(), hostile)
  await look('webhook-delivery-failing')

  receiver.behave(200)
  const before = receiver.delivered.filter(isPiece)
  await page.getByRole('button', { name: 'Resend' }).click()
  await page.getByText(/^Your server responded with 200 in [\d,]+ ms\.$/).waitFor()
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
  const late = 'The name servers of example.org didn’t respond in time.'
  await site.admin.query(
    `update app.delivery_attempts set status = null, problem = 'timeout', detail = '${late}'
      where delivery_id = (select id from app.deliveries where state = 'exhausted' and ${isOf(email)})`,
  )
  await go(`${logPlace}?state=exhausted`)
  await page.getByText('Timed out').waitFor()
  await page.getByRole('link', { name: 'The long way home' }).click()
  await page.getByText('Your server didn’t respond in time.').waitFor()
  await page.getByText('We’ve stopped trying.').waitFor()
  assert.equal(await page.getByText(late).count(), 2, 'as advice, and with the attempt')
  await page.goBack()
  assert.equal(await page.getByRole('list', { name: 'Deliveries, newest first' }).getByRole('listitem').count(), 1)
  await page.getByRole('button', { name: 'Resend all failed' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resend all failed deliveries?' })
  await dialog.getByText('1 delivery will be sent again').waitFor()
  await dialog.getByRole('button', { name: 'Resend' }).click()
  await page.getByText('Resending 1 delivery').waitFor()
  await page.getByText('No deliveries with this status').waitFor()

  await site.admin.query(`update app.deliveries set resent_at = null where ${isOf(email)}`)
  await go(logPlace)
  await page.getByRole('button', { name: 'Resend by date' }).click()
  const range = page.getByRole('dialog', { name: 'Resend by date' })
  await range.getByText('There’s nothing to resend in this period.').waitFor()
  await range.getByRole('checkbox', { name: 'Only failed or held deliveries' }).uncheck()
  await range.getByText('2 deliveries will be sent again').waitFor()
  await look('webhook-resend-range')
  await range.getByLabel('To', { exact: true }).fill('2001-01-01T00:00')
  await range.getByText('Choose a start that’s before the end.').waitFor()
  await page.keyboard.press('Escape')
})

test('a webhook that is stopped, or fails again and again, says what happened and what to do', async () => {
  const visitor = await site.withWebhook('Ito Sanae', site.receivers[5]!)
  const { page, go, look, email } = visitor
  const section = webhookPart(page)
  const become = async (change: string) => {
    await site.admin.query(`update app.webhooks set ${change} where ${isOf(email)}`)
    await page.reload()
  }
  await become("failures = 12, rests_until = now() + interval '1 hour'")
  await section.getByText('Failing').waitFor()
  await section.getByText(/^The last 12 attempts failed\..*Nothing is lost/).waitFor()
  await section.getByText(/^We’ll try again (tomorrow )?at \d\d:\d\d\.$/).waitFor()
  await look('webhook-resting')
  await become('failures = 3, rests_until = null')
  await section.getByText('The last 3 attempts failed.').waitFor()
  await become("failures = 0, state = 'disabled', disabled_for = 'gone'")
  await section.getByText('Stopped', { exact: true }).waitFor()
  await section.getByText('Your server responded with 410 (gone), so we stopped sending.').waitFor()
  await look('webhook-stopped')
  await become("disabled_for = 'failing'")
  await section.getByText('Every attempt failed for 5 days, so we stopped sending.').waitFor()
  await visitor.publish('While it was stopped')
  await go(logPlace)
  await page.getByText('Your webhook is stopped. To resend deliveries, send a test').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Resend/ }).count(), 0)
  await go(presencePlace)
  await page.reload()
  await section.getByRole('link', { name: 'Held: While it was stopped, just now' }).waitFor()
  await site.letPingsAge(email)
  await section.getByRole('button', { name: 'Send test' }).click()
  await section.getByText('Your webhook is live.').waitFor()
  await section.getByText('1 piece was held while your webhook was stopped. Resend it').waitFor()
  await section.getByRole('link', { name: 'View all' }).click()
  await page.getByRole('button', { name: 'Resend “While it was stopped”' }).click()
  await page.getByRole('listitem').filter({ hasText: 'While it was stopped' }).getByText('Delivered').waitFor()
})

test('the log invites where it is empty, and goes back page by page where it is long', async () => {
  const { page, go, look, email, ask } = await site.signedIn({ name: 'Per Holm' })
  await go(logPlace)
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await look('webhook-log-empty')
  await page.getByRole('link', { name: 'Set up a webhook' }).click()
  await webhookPart(page).getByLabel('Endpoint URL').waitFor()

  await ask('PUT', '/webhook', { url: site.receivers[6]!.url })
  await site.admin.query(
    `insert into app.deliveries (writer_id, event, piece_id, sequence, state, body, created_at, attempts, last_at, last_status)
     select writer_id, 'piece.published', gen_random_uuid(), n, 'delivered', '{}', now() - n * interval '1 hour', 1, now(), 200
       from app.webhooks, generate_series(1, 40) n where ${isOf(email)}`,
  )
  await go(logPlace)
  const rows = page.getByRole('list', { name: 'Deliveries, newest first' }).getByRole('listitem')
  // With the test that made it live, as in the list.
  await page.getByRole('link', { name: 'Delivered 41' }).click()
  await until(page, 'document.querySelectorAll("main ol > li").length === 30')
  await page.getByRole('button', { name: 'Show older deliveries' }).click()
  await until(page, 'document.querySelectorAll("main ol > li").length === 41')
  assert.equal(await page.getByRole('button', { name: 'Show older deliveries' }).count(), 0)
  assert.match((await rows.last().textContent()) ?? '', /Deleted piece/)

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
  await page.getByRole('button', { name: 'Show older deliveries' }).click()
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
  const looks = () => asked.filter((url) => url.includes('/webhook/deliveries'))
  const pass = async (ms: number, isEnough = () => false) => {
    for (let passed = 0; passed < ms && !isEnough(); passed += 100) {
      await page.clock.runFor(100)
      await answered()
    }
  }
  // The longer nothing changes, the longer until it looks again: 15 s at the most.
  await pass(15_100, () => looks().length > 0)
  assert.equal(looks().length, 1)
  await pass(2_500)
  await page.clock.resume()
  assert.ok(looks().length <= 3, `${looks().length} in 2.5 s`)
  assert.deepEqual(
    looks().filter((url) => url.includes('cursor=')),
    [],
    'only the newest page is looked at again',
  )
  await go(`${logPlace}/msg_${'0'.repeat(32)}`)
  await page.getByText('Delivery not found. We keep deliveries for 30 days.').waitFor()
})
