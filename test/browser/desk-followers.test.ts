import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { applyImport } from '../../server/features/followers/imports.ts'
import { goodPassword } from '../../testkit/accounts.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { followSite, makeFollower } from '../../testkit/followers.ts'
import { focused, openDeskSite, pressUntil, type Visitor } from './desk-site.ts'

/** Followers at the desk: numbers, the welcome, and the download of addresses. */

const site = await openDeskSite()
const readers = followSite({ url: site.databaseUrl, admin: site.admin })

const slugOf = async ({ ask }: Visitor): Promise<string> => (await ask('GET', '/account')).account.writer.slug

/** As if the writer had won and lost this many on each of the days before today. */
async function grew(visitor: Visitor, days: readonly (readonly [gained: number, lost: number])[]): Promise<void> {
  const slug = await slugOf(visitor)
  await site.admin.query(
    `insert into app.follower_days (subject, day, gained, lost)
     select 'author:' || a.id, (now() at time zone 'UTC')::date - place::integer, gained, lost
       from pub.authors a, unnest($2::integer[], $3::integer[]) with ordinality as days (gained, lost, place)
      where a.slug = $1`,
    [slug, days.map(([gained]) => gained), days.map(([, lost]) => lost)],
  )
  const count = days.reduce((sum, [gained, lost]) => sum + gained - lost, 0)
  await site.admin.query(
    `with reader as (
       insert into app.readers (id, address_hash, sealed_address, domain_hash, language)
       select gen_random_uuid(), sha256(convert_to($1 || n, 'UTF8')), '\\x00', '\\x0000000000000000', 'en'
         from generate_series(1, $2::integer) n
       returning id
     )
     insert into app.follows
     select r.id, 'author:' || a.id, 'each', now(), '/', '\\x00', 'Yes.', now(), '\\x00' from reader r, pub.authors a where a.slug = $1`,
    [slug, count],
  )
}

test('without followers the page shows where readers find the form', async () => {
  const visitor = await site.signedIn({ name: 'Mary Anning' })
  const { page, go, look, publish } = visitor
  await publish('The long boil')
  await go('/desk/stats')
  await page.getByRole('main').getByRole('link', { name: 'Followers' }).click()
  await page.getByRole('heading', { level: 1, name: 'Followers' }).waitFor()
  await page.getByRole('heading', { level: 2, name: 'Nobody follows you by email yet' }).waitFor()
  const profile = page.getByRole('link', { name: 'See your profile' })
  assert.match((await profile.getAttribute('href')) ?? '', new RegExp(`/author/${await slugOf(visitor)}$`))
  assert.equal(await page.getByRole('button', { name: 'Download list (CSV)' }).count(), 0)
  await look('followers-none')
})

test('followers are counted and drawn, and no address is on the page', async () => {
  const visitor = await site.signedIn({ name: 'Anna Atkins' })
  const { page, go, look, publish } = visitor
  await publish('Blue prints')
  await grew(
    visitor,
    Array.from({ length: 60 }, (_, back) => [(back * 7) % 5, back % 9 === 4 ? 2 : 0] as const),
  )
  await makeFollower(readers, 'today@reader.test', `author/${await slugOf(visitor)}`)
  const { total, days } = await visitor.ask('GET', '/followers')
  await go('/desk')
  await page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Followers' }).click()
  await page.getByText(`${total} followers`).waitFor()
  const sum = (name: string) =>
    days.slice(-30).reduce((all: number, day: Record<string, number>) => all + day[name]!, 0)
  await page.getByText(`+${sum('gained')} in the last 30 days, ${sum('lost')} stopped`).waitFor()
  const chart = page.getByRole('img', { name: `Followers over the last 90 days: from 0 to ${total}.` })
  assert.equal((await chart.locator('path').last().getAttribute('d'))?.split('L').length, 90)
  assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /reader\.test/)
  await look('followers')
})

test('by keyboard: a welcome is written, kept from being lost, saved and removed', async () => {
  const visitor = await site.signedIn({ name: 'Ada Okafor' })
  const { page, go, look } = visitor
  await go('/desk/followers')
  const field = page.getByRole('textbox', { name: 'Your text' })
  await field.waitFor()
  await pressUntil(page, 'Tab', 'Your text')
  await page.keyboard.type('Thank you for following.\n\nAda')
  await look('followers-welcome')

  await page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Pieces' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await field.focus()
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Save')
  await page.keyboard.press('Enter')
  await page.getByText('Saved. New followers get this text.').waitFor()
  await page.reload()
  assert.equal(await field.inputValue(), 'Thank you for following.\n\nAda')

  await field.fill('x'.repeat(5001))
  await page.getByText('1 character too long.').waitFor()
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  await field.fill(' ')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. New followers get no welcome.').waitFor()
  assert.equal((await visitor.ask('GET', '/followers')).welcome, null)
})

test('the list is downloaded after the writer confirms who it is, and that is in the security history', async () => {
  const visitor = await site.signedIn({ name: 'Ida Wells' })
  const { page, go, publish } = visitor
  await publish('The free speech')
  await makeFollower(readers, 'one@reader.test', `author/${await slugOf(visitor)}`)
  await go('/desk/followers')
  await page.getByText('1 follower', { exact: true }).waitFor()
  await visitor.letSessionAge()
  await page.getByRole('button', { name: 'Download list (CSV)' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByLabel(/^Password/).fill(goodPassword)
  const downloaded = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  const file = await downloaded
  assert.match(file.suggestedFilename(), /^followers-\d{4}-\d\d-\d\d\.csv$/)
  assert.match(readFileSync(await file.path(), 'utf8'), /^email,.*\r\none@reader\.test,each,/)
  await page.getByText(/^followers-.*\.csv is in your downloads\.$/).waitFor()
  await go('/desk/account')
  await page.getByText('List of 1 follower downloaded').waitFor()
})

test('the publish sheet counts followers before a first publication, and only where there are any', async () => {
  const visitor = await site.signedIn({ name: 'Vera Rubin' })
  const { page, go, publish, begin } = visitor
  const published = await publish('Dark matter')
  const draft = await begin('Galaxies turn')
  const line = page.getByText(/^2 followers by email/)
  const feeds = page.getByText('Everyone who follows your feeds')
  await go(`/desk/edit/pieces/${draft}/publish`)
  await feeds.waitFor()
  assert.equal(await line.count(), 0)
  for (const name of ['one', 'two']) {
    await makeFollower(readers, `${name}@vera.test`, `author/${await slugOf(visitor)}`)
  }
  await page.reload()
  await line.waitFor()
  await go(`/desk/edit/pieces/${published}/publish`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await line.count(), 0)
})

test('on a phone a list is uploaded, previewed, agreed to and imported, and the page follows how far it is', async () => {
  const visitor = await site.signedIn({ name: 'Lise Meitner' })
  const { page, go, look, publish } = visitor
  await page.setViewportSize({ width: 360, height: 760 })
  await publish('On fission')
  await go('/desk/followers')
  const choose = async (name: string, lines: readonly string[]) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose a file' }).click()
    await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
  }
  await choose('notes.csv', ['name', 'Otto'])
  await page.getByText('This file has no column with email addresses.', { exact: false }).waitFor()
  const people = Array.from({ length: 30 }, (_, at) => `reader-${at}@lise.test,2024-01-02`)
  await choose('old-list.csv', ['Email Address;OPTIN_TIME', ...people.map((line) => line.replace(',', ';')), 'nobody;'])
  await page.getByRole('heading', { name: 'What old-list.csv would change' }).waitFor()
  assert.equal(await focused(page), 'What old-list.csv would change')
  const counts = async () => (await page.locator('dl').textContent()) ?? ''
  assert.match(await counts(), /New followers30Left out: no valid address1$/)
  assert.equal((await visitor.ask('GET', '/followers')).total, 0)
  const overflow = () => page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  assert.equal(await overflow(), false)
  await look('followers-import')

  const agree = page.getByRole('button', { name: 'Import', exact: true })
  assert.equal(await agree.isDisabled(), true)
  await page.getByRole('checkbox', { name: /^These people agreed/ }).check()
  await agree.click()
  await page.getByText('Importing: 1 of 31').waitFor()
  const [{ id }] = (await visitor.ask('GET', '/followers')).imports
  await applyImport(workerDatabase(site.databaseUrl), { import: id }, new AbortController().signal)
  await page.getByText(/^List imported on /).click()
  assert.match(await counts(), /New followers30/)
  await page.getByText('30 followers', { exact: true }).waitFor()
  await go('/desk/account')
  await page.getByText('List imported as followers (rows: 31)').waitFor()
})
