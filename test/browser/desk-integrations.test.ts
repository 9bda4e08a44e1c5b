import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWebsite, websiteLimits } from '../../server/features/profiles/website.ts'
import { urlsFor } from '../../server/features/urls.ts'
import { createOutbound } from '../../server/platform/outbound/outbound.ts'
import { readAllowList } from '../../server/platform/outbound/rules.ts'
import { mediaFolder } from '../../testkit/media.ts'
import { serve } from '../../testkit/network.ts'
import { until } from './browser.ts'
import { openDeskSite, pressUntil } from './desk-site.ts'

/** A writer's profile and their integrations. */

const site = await openDeskSite({ MEDIA_URL: mediaFolder().url })

const sendDraft = (key: string) =>
  fetch(`${site.base}/api/v1/pieces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ headline: 'By a program', body_md: 'Words.' }),
  })

test('a key is made after a confirmation, shown once with a command, used, and revoked', async () => {
  const visitor = await site.signedIn({ name: 'Ada Okafor' })
  const { page, go, look } = visitor
  await visitor.publish('Ferries at dawn')
  await visitor.letSessionAge()
  await go('/desk/edit/online-presence#api-keys')
  await page.getByLabel('Key name').fill('Night train')
  assert.ok(await page.getByRole('radio', { name: 'In 1 year' }).isChecked())
  await page.getByRole('radio', { name: 'In 90 days' }).check()
  await page.getByRole('checkbox', { name: 'Read all drafts' }).check()
  await page.getByRole('checkbox', { name: 'Delete all drafts' }).check()
  await look('presence-key-form')
  await page.getByRole('button', { name: 'Create key' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await confirm.getByLabel(/^Password/).fill('correct horse battery staple')
  await confirm.getByRole('button', { name: 'Confirm' }).click()

  const box = page.getByRole('heading', { name: 'Your new API key' })
  await box.waitFor()
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Your new API key')
  const key = (await page.getByText(/^pk_live_[0-9a-f]{64}$/).textContent()) ?? ''
  const command = (await page.locator('pre', { hasText: 'curl' }).textContent()) ?? ''
  assert.ok(command.includes(`Authorization: Bearer ${key}`) && command.includes(`${site.base}/api/v1/pieces`))
  await look('presence-key-shown')
  assert.equal((await sendDraft(key)).status, 201)
  await page.getByRole('button', { name: 'Done' }).click()
  assert.equal(await page.getByText(key).count(), 0)

  await page.reload()
  const row = page.getByRole('listitem').filter({ hasText: 'Night train' })
  assert.match(
    (await row.textContent()) ?? '',
    /pk_live_[0-9a-f]+….*Its own drafts.*Read all drafts.*Delete all drafts.*Last used just now.*Expires /,
  )
  await look('presence')
  await row.getByRole('button', { name: 'Revoke Night train' }).click()
  await page.getByRole('dialog', { name: 'Revoke “Night train”?' }).getByRole('button', { name: 'Revoke key' }).click()
  await page.getByText('1 inactive key').waitFor()
  assert.equal((await sendDraft(key)).status, 403)
  await go('/desk')
  await page.getByRole('link', { name: 'By a program' }).waitFor()
})

test('a key is made and revoked by keyboard alone', async () => {
  const { page, go } = await site.signedIn()
  await go('/desk/edit/online-presence')
  const press = (key: string) => page.keyboard.press(key)
  await pressUntil(page, 'Tab', 'API keys')
  await press('Enter')
  await pressUntil(page, 'Tab', 'Key name')
  await page.keyboard.type('By hand')
  await press('Enter')
  await page.getByRole('heading', { name: 'Your new API key' }).waitFor()
  await pressUntil(page, 'Tab', 'Done')
  await press('Enter')
  await pressUntil(page, 'Tab', 'Revoke By hand')
  await press('Enter')
  await page.getByRole('dialog', { name: 'Revoke “By hand”?' }).waitFor()
  await press('Escape')
  await until(page, 'document.activeElement.getAttribute("aria-label") === "Revoke By hand"')
  await press('Enter')
  await pressUntil(page, 'Tab', 'Revoke key')
  await press('Enter')
  await page.getByText('1 inactive key').waitFor()
})

test('a website is proven by the line the page offers, and its evidence is shown', async () => {
  let shown = '<p>Nothing here.</p>'
  const server = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(shown),
  )
  const host = `127.0.0.1:${server.port}`
  const outbound = createOutbound({ ownHosts: ['localhost'], allow: readAllowList(host)!, limits: websiteLimits })
  const { page, go, look, email } = await site.signedIn({ name: 'Noor Haddad' })
  const { rows } = await site.admin.query(
    'select w.id from app.writers w join app.accounts a on a.id = w.account_id where a.email = $1',
    [email],
  )
  /** Does the worker's part. */
  const workerLooks = () => checkWebsite({ db: site.worker, outbound, urls: urlsFor(site.base) }, rows[0].id)

  await go('/desk/edit/online-presence')
  const website = page.getByRole('region', { name: 'Website' })
  await website.getByLabel('Website address').fill('ftp://nowhere')
  await website.getByRole('button', { name: 'Save' }).click()
  await website.getByText('Enter a full web address').waitFor()
  await website.getByLabel('Website address').fill(`http://${host}`)
  await website.getByRole('button', { name: 'Save' }).click()
  await website.getByText('is shown as unverified').waitFor()
  const line = (await website.locator('pre').last().textContent()) ?? ''
  assert.match(line, /^<meta name="standfirst-verification" content="[\w-]{32}">$/)

  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/profile/website/check')),
    website.getByRole('button', { name: 'Check now' }).click(),
  ])
  await workerLooks()
  await website.getByText(`There’s no link or meta tag on ${host} yet`).waitFor()
  // As if half a minute had passed: a website is not fetched more often.
  await site.admin.query("update app.website_checks set asked_at = now() - interval '1 minute'")
  await look('presence-website-not-proven')
  shown = `<head>${line}</head>`
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/profile/website/check')),
    website.getByRole('button', { name: 'Check now' }).click(),
  ])
  await workerLooks()
  await website.getByText(`${host} is verified`).waitFor()
  await look('presence-website-proven')
})

test('other places, feeds and widgets are shown as they are, the widgets live', async () => {
  const visitor = await site.signedIn({ name: 'Mara Lind' })
  const { page, go, look, ask } = visitor
  await visitor.publish('Ferries at dawn')
  await go('/desk/edit/online-presence')
  const { profile } = await ask('GET', '/profile')
  const socialLinks = page.getByRole('region', { name: 'Social links' })
  await socialLinks.getByLabel('LinkedIn').fill('linkedin.com/in/mara')
  await socialLinks.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.equal(await socialLinks.getByLabel('LinkedIn').inputValue(), 'https://linkedin.com/in/mara')
  for (const address of [profile.urls.feed_json, profile.urls.feed_xml]) {
    assert.equal((await fetch(address)).status, 200)
    await page.getByRole('link', { name: address }).waitFor()
  }
  const widget = page.frameLocator('iframe')
  for (const kind of ['Badge', 'List', 'Bio', 'Card']) {
    await page.getByRole('radio', { name: kind }).check()
    await widget.getByText('Mara Lind').first().waitFor()
  }
  await page.getByRole('radio', { name: 'Dark' }).check()
  await page.locator('pre', { hasText: 'data-theme="dark"' }).waitFor()
  await look('presence-embeds-dark')
})

test('how AI clients find a writer is said with an address that answers, and a line to paste', async () => {
  const visitor = await site.signedIn({ name: 'Nell Gray' })
  const { page, go, look } = visitor
  await visitor.publish('Ferries at dawn')
  await go('/desk/edit/online-presence')
  const tools = page.getByRole('region', { name: 'AI clients' })
  const address = `${site.base}/api/mcp`
  await tools.getByText(address, { exact: true }).waitFor()
  assert.equal(await tools.locator('pre').textContent(), `claude mcp add --transport http standfirst ${address}`)
  const listed = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_authors', arguments: { query: 'Nell Gray' } },
    }),
  })
  assert.match(await listed.text(), /Nell Gray/)
  await look('presence-ai-clients')
})

test('a profile is filled in, shown as readers see it, and its address changes with the old one leading there', async () => {
  const visitor = await site.signedIn({ name: 'Ida Brandt' })
  const { page, go, look, ask } = visitor
  await visitor.publish('Ferries at dawn')
  await go('/desk/edit/profile')
  const card = page.getByRole('region', { name: 'How readers see you' })
  await page.getByLabel('Role').fill('Ferry captain')
  await page.getByLabel('Location').fill('Bergen')
  await page.getByLabel('About you').fill('Thirty years between two shores.\n\nMore when I am ashore.')
  await card.getByText('Ferry captain · Bergen').waitFor()
  await card.getByText('Thirty years between two shores.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Ida ✓ Brandt')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('[aria-invalid]').waitFor()
  await look('profile-refused')
  await page.getByLabel('Name', { exact: true }).fill('Ida Brandt')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. Readers can see it now.').waitFor()
  const { profile } = await ask('GET', '/profile')
  const known = await fetch(`${site.base}/api/public/authors/${profile.slug}`)
  assert.match(await known.text(), /"role":"Ferry captain"/)

  const picture = { name: 'me.png', mimeType: 'image/png', buffer: await page.screenshot() }
  await page.getByLabel('Photo', { exact: true }).setInputFiles({ ...picture, mimeType: 'text/plain', name: 'me.txt' })
  await card.getByText('This file type isn’t supported.').waitFor()
  await page.getByLabel('Photo', { exact: true }).setInputFiles(picture)
  await page.getByText('Photo updated.').waitFor()
  await until(page, 'document.querySelector("main img").naturalWidth === 512')

  await page.getByRole('button', { name: 'Change', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Change your page address' })
  await dialog.getByLabel('Last part of your address').fill('ida-ø')
  await dialog.getByText('“ø” can’t be used.').waitFor()
  await dialog.getByLabel('Last part of your address').fill('search')
  await dialog.getByRole('button', { name: 'Change address' }).click()
  await dialog.getByText('This address isn’t available.').waitFor()
  await dialog.getByLabel('Last part of your address').fill('captain ida')
  await dialog.getByText('The old address will redirect').waitFor()
  await look('profile-renaming')
  await dialog.getByRole('button', { name: 'Change address' }).click()
  await page.getByText('Address changed. The old one redirects to it.').waitFor()
  await page.getByText(`${site.base}/author/captain-ida`, { exact: true }).waitFor()
  const led = await fetch(profile.urls.profile, { redirect: 'manual' })
  assert.equal(led.headers.get('location'), `${site.base}/author/captain-ida`)
  await look('profile')
  await card.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Photo removed.').waitFor()
  assert.equal(await card.getByRole('img').count(), 0)
})
