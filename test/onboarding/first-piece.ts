import assert from 'node:assert/strict'
import type { Browser, Locator } from 'playwright-core'
import { anyEmail } from '../../testkit/desk-browser.ts'
import type { Mailbox } from '../../testkit/mailbox.ts'
import { authenticator } from '../browser/desk-site.ts'
import { saved } from '../browser/desk-writing.ts'
import type { Site } from './newcomer.ts'

/** From the front page of a site that one has never seen to a public piece of one's own; how many clicks it took. */
export async function firstPiece(browser: Browser, { base }: Site, mailbox: Mailbox): Promise<number> {
  let clicks = 0
  const click = async (what: Locator): Promise<void> => {
    await what.click()
    clicks += 1
  }
  const context = await browser.newContext()
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: authenticator })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const link = (name: string) => page.getByRole('link', { name })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

  await page.goto(base)
  await click(link('Write here'))
  await click(link('Begin to write'))
  const email = anyEmail()
  await page.getByLabel('E-mail address').fill(email)
  await click(button('Send me the letter'))
  const { html } = await mailbox.waitForLetter(email, undefined, 30_000)
  // As a mail program shows it: the link is pressed in the letter.
  await page.goto('about:blank')
  await page.setContent(html)
  await click(page.locator(`a[href^="${base}/desk/verify-email"]`).first())

  await page.getByLabel('Your name').fill('Mary Anning')
  await click(button('Make a passkey'))
  await heading('Welcome, Mary Anning')
  await page.getByLabel('A line about you').fill('Looks for bones on the beach at Lyme.')
  await click(button('Save it'))
  await click(link('Begin to write'))
  await page.waitForURL(/\/desk\/edit\/pieces\/new/)
  // The editor takes the focus when it is ready.
  await page.getByRole('textbox', { name: 'Headline' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('On bones\n\nThey lie where the cliff gave way.')
  await saved(page)
  await click(button('Publish'))
  await page.waitForURL(/\/publish$/)
  await click(button('Publish'))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Publish' }))
  await heading('It is public')
  const live = await page.locator('main a[href*="/author/"]').first().getAttribute('href')
  assert.match(await (await fetch(live!)).text(), /They lie where the cliff gave way\./)
  await context.close()
  return clicks
}
