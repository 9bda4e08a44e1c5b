import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook } from '../../sdk/source/index.ts'
import { until } from './browser.ts'
import { isOf, isPiece, logPlace, openWebhookSite, presencePlace, pressUntil, webhookPart } from './desk-site.ts'

/** A writer's webhook at the desk: set, tested, changed, removed. */

const site = await openWebhookSite(4)

/** Makes the session too old for actions that need a recent sign-in. */
const letSessionsAge = () =>
  site.admin.query(
    "update app.sessions set authenticated_at = now() - interval '11 minutes', created_at = now() - interval '1 hour'",
  )

test('an address is given and asked while one looks on, its secret is shown once, and what is published arrives', async () => {
  const receiver = site.receivers[0]!
  const visitor = await site.signedIn({ name: 'Ada Okafor' })
  const { page, go, look } = visitor
  const id = await visitor.begin('Ferries at dawn')
  await letSessionsAge()
  await go(presencePlace)
  const section = webhookPart(page)
  const field = section.getByLabel('The address to send to')
  await field.fill('http://10.0.0.1/hook')
  await section.getByRole('button', { name: 'Save' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await confirm.getByLabel(/^Password/).fill('correct horse battery staple')
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await section.getByText('Use an address that begins with https://.').waitFor()
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  await look('webhook-refused')

  let answer = () => {}
  receiver.behave((_request, response, body) => {
    answer = () => response.writeHead(200).end(JSON.parse(body.toString('utf8')).challenge)
  })
  await field.fill(receiver.url)
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByText(`Asking ${receiver.url} …`).waitFor()
  await section.getByText('Not live yet').waitFor()
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Your webhook’s secret, shown only now')
  const secret = (await section.getByText(/^whsec_[A-Za-z0-9+/]{43}=$/).textContent()) ?? ''
  await section.getByRole('radio', { name: 'Python' }).check()
  assert.match(await section.getByLabel('A receiver in Python').inputValue(), /^import base64, hashlib, hmac/)
  await look('webhook-secret')

  const { body, headers } = await receiver.expect(() => true)
  assert.equal((await verifyWebhook({ body, headers, secret })).event, 'webhook.ping')
  answer()
  await section.getByText(/^It answered 200 in \d+ ms\.$/).waitFor()
  await section.getByText('Your webhook is live.').waitFor()
  await section.getByText('It sent our challenge back').waitFor()
  receiver.behave(204)
  await section.getByRole('button', { name: 'I have kept it' }).click()
  await page.reload()
  await section.getByText('Live', { exact: true }).waitFor()
  assert.ok(!(await page.content()).includes(secret))

  await go(`/desk/edit/pieces/${id}/publish`)
  await page.getByText(`Whoever follows your feeds, and your webhook at ${receiver.host}.`).waitFor()
  await look('webhook-publishing')
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('heading', { name: 'It is public' }).waitFor()
  const sent = await receiver.expect(isPiece)
  assert.equal((await verifyWebhook({ ...sent, secret })).event, 'piece.published')

  await go(presencePlace)
  await section.getByRole('link', { name: 'Delivered: Ferries at dawn, just now' }).waitFor()
  await look('webhook-live')
  await section.getByRole('link', { name: 'Delivered: Ferries at dawn, just now' }).click()
  await page.getByText(/^This address answered 204 in \d+ ms\.$/).waitFor()
  const shown = await page.getByLabel('Headers').locator('div').allInnerTexts()
  const headerLines = shown.map((line) => line.split('\n') as [string, string]).filter(([name]) => name !== 'POST')
  assert.ok(headerLines.length >= 8, String(shown))
  for (const [name, value] of headerLines) assert.equal(value, sent.headers[name], name)
  await page.getByRole('radio', { name: 'Exactly as sent' }).check()
  assert.equal(await page.getByLabel('The body').inputValue(), sent.body.toString('utf8'))
  await look('webhook-delivery')
})

test('a webhook is rotated, paused, resumed, moved and removed, and each says what follows', async () => {
  const [receiver, other] = [site.receivers[1]!, site.receivers[2]!]
  const visitor = await site.withWebhook('Mara Lind', receiver)
  const { page, go, look, email } = visitor
  const section = webhookPart(page)
  await section.getByRole('button', { name: 'Rotate the secret' }).click()
  const rotating = page.getByRole('dialog', { name: 'Rotate the secret' })
  await rotating.getByText('For 24 hours each delivery carries two signatures').waitFor()
  await look('webhook-rotating')
  await rotating.getByRole('button', { name: 'Make a new secret' }).click()
  await section.getByRole('heading', { name: 'Your webhook’s secret, shown only now' }).waitFor()
  const secret = (await section.getByText(/^whsec_/).textContent()) ?? ''
  await section.getByRole('button', { name: 'I have kept it' }).click()
  await section.getByText(/The one before it signs too, until tomorrow at \d\d:\d\d\./).waitFor()
  await visitor.publish('Signed twice')
  const twice = await receiver.expect(isPiece)
  assert.match(String(twice.headers['webhook-signature']), /^v1,\S+ v1,\S+$/)
  await verifyWebhook({ ...twice, secret })

  await section.getByRole('button', { name: 'Rotate the secret' }).click()
  await rotating.getByText('If you rotate again, that one ends at once.').waitFor()
  await rotating.getByRole('radio', { name: 'Not at all: it leaked' }).check()
  await rotating.getByText('From now on only the new secret signs.').waitFor()
  await rotating.getByRole('button', { name: 'Make a new secret' }).click()
  await section.getByRole('button', { name: 'I have kept it' }).click()
  assert.equal(await section.getByText('The one before it').count(), 0)

  await section.getByRole('button', { name: 'Pause' }).click()
  await section.getByText('What you publish is held, and sent when you resume.').waitFor()
  const held = await visitor.begin('For later')
  await go(`/desk/edit/pieces/${held}/publish`)
  await page.getByText(`your webhook at ${receiver.host} when you resume it.`).waitFor()
  const { nonce } = await visitor.ask('POST', `/pieces/${held}/preview`)
  await visitor.ask('POST', `/pieces/${held}/publish`, { nonce })
  await go(presencePlace)
  await section.getByText('One piece is held now.').waitFor()
  await section.getByRole('link', { name: 'Held: For later, just now' }).waitFor()
  await look('webhook-paused')
  await section.getByRole('button', { name: 'Resume' }).click()
  await section.getByRole('link', { name: 'Delivered: For later, just now' }).waitFor()

  other.behave(404)
  await site.admin.query(
    `update app.webhooks set (created_at, url_given_at) = (now() - interval '90 days', now() - interval '90 days')
      where ${isOf(email)}`,
  )
  await section.getByRole('button', { name: 'Change the address' }).click()
  const moving = page.getByRole('dialog', { name: 'Change the address' })
  await moving.getByLabel('Its new address').fill(other.url)
  await moving.getByRole('button', { name: 'Save and test it' }).click()
  await section.getByText('It answered 404.').waitFor()
  await section.getByText('Given just now; it has not answered yet.').waitFor()
  await section.getByText('Look at the path of the address. Then send a test again.').waitFor()
  await section.getByText('What you publish until then is held for it.').waitFor()
  assert.equal(await section.getByText(/^whsec_/).count(), 0)
  await look('webhook-not-answered')
  other.behave(200)
  await site.letPingsAge(email)
  await section.getByRole('button', { name: 'Send a test again' }).click()
  await section.getByText('Your webhook is live.').waitFor()

  await section.getByRole('button', { name: 'Remove' }).click()
  const removing = page.getByRole('dialog', { name: 'Remove the webhook?' })
  await removing.getByRole('button', { name: 'Remove the webhook' }).click()
  await section.getByLabel('The address to send to').waitFor()
  await go(logPlace)
  await page.getByRole('link', { name: 'For later' }).waitFor()
})

test('a secret that nobody has kept yet stays on the page while a mistyped address is mended', async () => {
  const receiver = site.receivers[3]!
  const { page, go, email } = await site.signedIn()
  await go(presencePlace)
  const section = webhookPart(page)
  receiver.behave(({ url }, response) => response.writeHead(url === '/hook' ? 200 : 404).end())
  await section.getByLabel('The address to send to').fill(`${receiver.url}-mistyped`)
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByText('It answered 404.').waitFor()
  const secret = (await section.getByText(/^whsec_/).textContent()) ?? ''
  await site.letPingsAge(email)
  await section.getByRole('button', { name: 'Change the address' }).click()
  const moving = page.getByRole('dialog', { name: 'Change the address' })
  await moving.getByLabel('Its new address').fill(receiver.url)
  await moving.getByRole('button', { name: 'Save and test it' }).click()
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
  await pressUntil(page, 'Tab', 'The address to send to')
  await page.keyboard.type(receiver.url)
  await page.keyboard.press('Enter')
  await section.getByText('Your webhook is live.').waitFor()
  await pressUntil(page, 'Tab', 'I have kept it')
  await page.keyboard.press('Enter')
  await pressUntil(page, 'Tab', 'Rotate the secret')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Rotate the secret' }).waitFor()
  await page.keyboard.press('Escape')
  await until(page, 'document.activeElement.getAttribute("aria-label") === "Rotate the secret"')
  await pressUntil(page, 'Tab', 'Delivered: Test, just now')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Test', level: 1 }).waitFor()
  await page.getByText(/^This address answered 200 in \d+ ms\.$/).waitFor()
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1')
  await pressUntil(page, 'Tab', 'The body')
})
