import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { exportOf } from '../../testkit/exports.ts'
import { until } from '../../testkit/waiting.ts'
import { openDeskSite, type Visitor, writerAtDesk } from './desk-site.ts'

/** Imported drafts are published in one batch with their original dates, which can be left, cut off and continued. */

const site = await openDeskSite()

interface Imported {
  readonly total: number
  readonly pieces: readonly { readonly id: string; readonly date: string | null; readonly problem: string | null }[]
}
const imports = ({ ask }: Visitor): Promise<Imported> => ask('GET', '/imports')

async function importDrafts({ ask }: Visitor, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const draft = { headline: `Old post ${number + 1}`, body_md: 'As it was.' }
    const date = new Date(Date.UTC(2015, 0, number + 1)).toISOString()
    await ask('PUT', `/imports/${randomUUID()}`, {
      draft,
      service: 'ghost',
      date,
      notes: number === 0 ? ['A poll'] : [],
    })
  }
}

const chooseSection = ({ page }: Visitor, name = 'Life') =>
  page.getByLabel('Section for all').selectOption({ label: name })
const publish = async ({ page }: Visitor, count: number) => {
  await page.getByRole('button', { name: `Publish ${count} post`, exact: false }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Publish ${count} post`, exact: false })
    .click()
}

test('200 imported posts are published in one batch, and their dates are right on the author page and in the feed', async () => {
  const visitor = await writerAtDesk(site)
  const { page, go, look } = visitor
  await go('/desk/import')
  const { name, bytes } = await exportOf('wordpress', 200, 'https://pictures.example')
  await page
    .getByLabel('Choose file')
    .last()
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: bytes })
  await page.getByRole('checkbox', { name: /^Copy/ }).uncheck()
  await page.getByRole('button', { name: 'Import 200 posts' }).click()
  await page.getByRole('heading', { name: 'Import finished' }).waitFor({ timeout: 600_000 })
  await page.getByRole('link', { name: 'Publish imported posts' }).click()
  await page.getByRole('heading', { level: 1, name: 'Publish imported posts' }).waitFor()
  const { pieces, total } = await imports(visitor)
  assert.equal(total, 200)
  const dated = pieces.filter(({ date }) => date !== null)
  await page.getByRole('heading', { name: new RegExp(`^${dated.length} posts? can be published$`) }).waitFor()
  await look('imported-choose')
  // A busy machine may have no time for some of them: these stay drafts, and are listed again.
  const isPublishable = ({ problem }: Imported['pieces'][number]) => problem === null
  for (let count = dated.length; count > 0; count = (await imports(visitor)).pieces.filter(isPublishable).length) {
    await chooseSection(visitor)
    await publish(visitor, count)
    await page.getByRole('progressbar').waitFor()
    await page.getByRole('heading', { name: /^Publishing (not )?finished$/ }).waitFor({ timeout: 600_000 })
  }
  await look('imported-done')

  const { slug } = visitor.writer
  const feed = await (await page.request.get(`${site.base}/author/${slug}/feed.json`)).json()
  const newest = dated
    .map(({ date }) => date!)
    .sort()
    .toReversed()
  assert.deepEqual(
    feed.items.map(({ date_published }: { date_published: string }) => date_published),
    newest.slice(0, 30),
  )
  await go(`/author/${slug}`)
  await page.locator(`time[datetime="${newest[0]}"]`).first().waitFor()
  assert.equal((await imports(visitor)).total, 200 - dated.length)
})

test('a batch that is cut off keeps what it published, lists the rest, and is finished by keyboard', async () => {
  const visitor = await writerAtDesk(site)
  const { page, go, look } = visitor
  await importDrafts(visitor, 6)
  await go('/desk')
  await page.getByText('6 imported drafts can be published with their original dates.').waitFor()
  await page.getByRole('link', { name: 'Publish imported posts' }).click()
  await page.getByText('1 thing was not carried over').waitFor()
  assert.equal(await page.getByRole('option', { name: 'As set in each draft' }).count(), 0, 'none was chosen')
  await chooseSection(visitor)
  let sent = 0
  const isPublication = /\/desk\/api\/imports\/[\da-f-]{36}\/publish$/
  await page.route(isPublication, (route) => {
    sent += 1
    return sent > 2 ? route.abort() : route.continue()
  })
  await publish(visitor, 6)
  await page.getByRole('heading', { name: 'Publishing not finished' }).waitFor()
  await page.getByText('4 posts are still drafts.', { exact: false }).waitFor()
  await look('imported-cut-off')
  await page.unroute(isPublication)
  await page.reload()
  await page.getByRole('heading', { name: '4 posts can be published' }).waitFor()
  await page.getByRole('checkbox').last().focus()
  await page.keyboard.press('Space')
  // Past what was not carried over of the oldest.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'SELECT')
  await page.keyboard.type('Life')
  await until(async () => (await page.getByLabel('Section for all').inputValue()) === 'life', 'the section is chosen')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish 3 posts' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('3 posts published.').waitFor()
  assert.equal((await imports(visitor)).total, 1)
})

test('a batch that ended with its tab is finished by one press, in the section that was chosen for it', async () => {
  const visitor = await writerAtDesk(site)
  const { page, go, ask } = visitor
  await importDrafts(visitor, 5)
  await go('/desk/import/publish')
  await page.getByRole('checkbox').last().uncheck()
  await chooseSection(visitor)
  let sent = 0
  const isPublication = /\/desk\/api\/imports\/[\da-f-]{36}\/publish$/
  // The tab is closed while the second is on its way.
  await page.route(isPublication, (route) => {
    sent += 1
    return sent > 1 ? undefined : route.continue()
  })
  await publish(visitor, 4)
  await until(() => sent === 2, 'the second is on its way')
  await go('/desk/import/publish')
  await page.unroute(isPublication)
  await page.getByText('Publishing was interrupted. 3 posts are left.').waitFor()
  await page.getByRole('button', { name: 'Publish the remaining 3 posts' }).click()
  await page.getByText('3 posts published.').waitFor()
  await page.getByRole('heading', { name: '1 post can be published' }).waitFor()
  assert.equal(await page.getByText('Publishing was interrupted').count(), 0)
  const { pieces } = await ask('GET', '/pieces?status=approved')
  assert.deepEqual([...new Set(pieces.map(({ category }: { category: string }) => category))], ['life'])
})

test('a new account is told how many it can publish, and only these are selected', async () => {
  const visitor = await writerAtDesk(site)
  const { page, go, look } = visitor
  await importDrafts(visitor, 5)
  await site.admin.query('update app.accounts set signed_up_at = now() where id = $1', [visitor.writer.accountId])
  await go('/desk/import/publish')
  await page.getByText('You can publish 3 now; the others stay drafts until tomorrow.', { exact: false }).waitFor()
  await look('imported-limited')
  await chooseSection(visitor)
  await publish(visitor, 3)
  await page.getByText('3 posts published.').waitFor()
  await page.getByText('You’ve reached today’s limit; come back tomorrow.', { exact: false }).waitFor()
  assert.equal((await imports(visitor)).total, 2)
})
