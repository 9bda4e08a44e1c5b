import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { sendEmailChange } from '../../server/features/accounts/email-change.ts'
import { anyEmail, goodPassword } from '../../testkit/accounts.ts'
import { deleteNow } from '../../testkit/jobs.ts'
import { openDeskSite, pressUntil } from './desk-site.ts'

/** Changing the address, exporting everything, and deleting the account. */

const site = await openDeskSite()

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

async function emailedToken(email: string, about: 'confirm' | 'deletion'): Promise<string> {
  const { rows } = await site.admin.query<{ id: string }>('select id from app.accounts where email = $1', [email])
  let token = ''
  const keep = async (_to: string, { params }: { params: object }) => {
    token = (params as { token: string }).token
  }
  await sendEmailChange(site.worker, keep, { account: rows[0]!.id, email: about })
  return token
}

/** The archive's files, as another program reads them. */
async function filesIn(path: string): Promise<Record<string, string>> {
  const unzip = fileURLToPath(new URL('../../testkit/unzip.py', import.meta.url))
  const { stdout } = await promisify(execFile)('python3', [unzip, path, 'texts'], { maxBuffer: 64_000_000 })
  return JSON.parse(stdout)
}

describe('another address', () => {
  test('is asked for, confirmed by its email’s link with a button, and is the one to sign in with', async () => {
    const visitor = await site.signedIn({ name: 'Mary Anning' })
    const { page, go, look, email } = visitor
    const wanted = anyEmail()
    await go('/desk/account')
    await press(page, 'Change email address')
    await page.getByLabel('New email address').fill('nobody at nowhere')
    await look('account-new-address')
    await page.getByLabel('New email address').fill('mistyped@site.test')
    await inDialog(page, 'Email me a link')
    await press(page, 'Cancel the change to mistyped@site.test')
    await page.getByText('Email address change cancelled.').waitFor()
    await press(page, 'Change email address')
    await page.getByLabel('New email address').fill(wanted)
    await inDialog(page, 'Email me a link')
    await page.getByText('Not confirmed yet').waitFor()
    await look('account-address-asked')

    await go(`/desk/confirm-email#${await emailedToken(email, 'confirm')}`)
    assert.equal(page.url(), `${site.base}/desk/confirm-email`)
    await look('confirm-email')
    await press(page, 'Confirm address')
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await page.getByText(wanted, { exact: true }).waitFor()
    await page.getByText(`you can undo this change with the link we emailed to ${email}`).waitFor()
    await look('account-address-changed')
    await (await site.visit()).ask('POST', '/sign-in', { email: wanted, password: goodPassword })
  })
})

describe('everything to take along', () => {
  test('says so when its line breaks off, and can be begun again', async () => {
    const { page, go } = await site.signedIn({ name: 'Ada Broken' })
    await go('/desk/account')
    await page.evaluate(`void (globalThis.answer = fetch, globalThis.fetch = async (...asked) => {
      const { headers, body } = await answer(...asked)
      globalThis.fetch = answer
      const cut = new TransformStream({ transform: (chunk, line) => {
        line.enqueue(chunk)
        requestAnimationFrame(() => line.error(new TypeError('network error')))
      } })
      return new Response(body.pipeThrough(cut, { preventClose: true }), { headers })
    })`)
    await press(page, 'Download everything')
    await page.getByText('The connection was lost before the download finished. Try again.').waitFor()
    await Promise.all([page.waitForEvent('download'), press(page, 'Download everything')])
  })

  test('arrives as one archive while its progress is shown', async () => {
    const visitor = await site.signedIn({ name: 'Anna Atkins' })
    const { page, go, look, devtools } = visitor
    const noise = () => randomBytes(45_000).toString('base64')
    for (let count = 1; count <= 12; count += 1) {
      await visitor.begin(`Fern ${count}`, `A blue print.\n\n${noise()}`)
    }
    await go('/desk/account')
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: 200_000,
      uploadThroughput: -1,
    })
    await page.evaluate(`void (globalThis.shares = [], new MutationObserver(() => {
      const bar = document.querySelector('progress')
      if (bar) shares.push(bar.value)
    }).observe(document.body, { subtree: true, childList: true, attributes: true }))`)
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download everything')])
    await page.getByText(/is in your downloads/).waitFor()
    await look('account-exported')
    const shares = (await page.evaluate('shares')) as number[]
    assert.ok(new Set(shares).size >= 4, `the bar moved: ${shares}`)
    assert.deepEqual(
      shares,
      shares.toSorted((a, b) => a - b),
      'and only forwards',
    )
    assert.ok(Math.max(...shares) > 0.5)

    assert.match(download.suggestedFilename(), /^standfirst-\d{4}-\d\d-\d\d\.zip$/)
    const files = await filesIn(await download.path())
    const pieces = Object.keys(files).filter((name) => /^pieces\/.*\.md$/.test(name))
    assert.equal(pieces.length, 12)
    assert.match(files[pieces[0]!]!, /^---\n[\s\S]*headline[\s\S]*\n---\n[\s\S]*A blue print\./)
  })

  test('can be stopped, and begun again', async () => {
    const visitor = await site.signedIn()
    const { page, go, devtools } = visitor
    await visitor.begin('Long', randomBytes(60_000).toString('base64'))
    await go('/desk/account')
    await devtools.send('Network.enable')
    const slow = (downloadThroughput: number) =>
      devtools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput,
        uploadThroughput: -1,
      })
    await slow(2000)
    await press(page, 'Download everything')
    await press(page, 'Cancel')
    await page.getByRole('button', { name: 'Download everything' }).waitFor()
    await slow(-1)
    await Promise.all([page.waitForEvent('download'), press(page, 'Download everything')])
    assert.equal(await page.getByRole('alert').count(), 0)
  })
})

describe('leaving', () => {
  test('asks for the name, says the date on every page, and then nothing of the writer is left', async () => {
    const visitor = await site.signedIn({ name: 'Jane Loudon' })
    const { page, go, look, email } = visitor
    const id = await visitor.publish('On mummies', 'They wake.')
    const address = (await visitor.ask('GET', `/pieces/${id}`)).piece.url
    assert.equal((await fetch(address)).status, 200)
    await go('/desk/account')
    await press(page, 'Delete my account')
    await page.getByLabel('Your name').fill('Jane')
    const button = page.getByRole('button', { name: 'Delete account' })
    assert.equal(await button.isDisabled(), true)
    await look('account-leaving')
    await page.getByLabel('Your name').fill('Jane Loudon')
    await button.click()
    await page.getByText(/^Your account and everything you’ve written will be deleted on \d+ \w+ \d{4}/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete my account' }).count(), 0)
    await go('/desk')
    await page.getByText(/^Your account and everything you’ve written will be deleted on/).waitFor()
    await look('desk-to-be-deleted')
    assert.equal((await fetch(address)).status, 200)
    const { rows } = await site.admin.query<{ id: string }>('select id from app.accounts where email = $1', [email])
    await deleteNow(site.admin, site.databaseUrl, rows[0]!.id)

    assert.ok([404, 410].includes((await fetch(address)).status))
    const signIn = await (await site.visit()).context.request.post(`${site.base}/desk/api/sign-in`, {
      headers: { origin: site.base },
      data: { email, password: goodPassword },
    })
    assert.equal(signIn.status(), 401)
    await page.goto(`${site.base}/desk`)
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  })

  test('by keyboard alone: takes everything along, leaves, and stays after all', async () => {
    const { page, go } = await site.signedIn({ name: 'Mary Somerville' })
    const { keyboard } = page
    await go('/desk/account')
    await page.getByText('This browser').waitFor()
    await pressUntil(page, 'Tab', 'Download everything')
    await Promise.all([page.waitForEvent('download'), keyboard.press('Enter')])
    await pressUntil(page, 'Tab', 'Delete my account')
    await keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await keyboard.type('Mary Somerville')
    await keyboard.press('Enter')
    await page.getByText(/^Your account and everything you’ve written will be deleted on/).waitFor()
    await pressUntil(page, 'Tab', 'Keep my account')
    await keyboard.press('Enter')
    await page.getByText('Your account won’t be deleted.').waitFor()
    await page.getByRole('button', { name: 'Delete my account' }).waitFor()
  })

  test('the link in the email keeps the account', async () => {
    const visitor = await site.signedIn({ name: 'Ada Lovelace' })
    const { go, email } = visitor
    await go('/desk/account')
    const asked = await visitor.context.request.delete(`${site.base}/desk/api/account`, {
      headers: { origin: site.base },
      data: { name: 'Ada Lovelace' },
    })
    assert.equal(asked.status(), 202)
    const { page, look, ...other } = await site.visit()
    await other.go(`/desk/keep-account#${await emailedToken(email, 'deletion')}`)
    await look('keep-account')
    await press(page, 'Keep my account')
    await page.getByText('Your account won’t be deleted.').waitFor()
    await go('/desk')
    assert.equal(await visitor.page.getByText(/^Your account and everything you’ve written will be deleted/).count(), 0)
  })
})
