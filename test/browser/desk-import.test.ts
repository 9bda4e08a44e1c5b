import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { filesIn } from '../../server/sync/imports/export-files.ts'
import { readExport, type Service, services } from '../../server/sync/imports/read-export.ts'
import { type Export, exportOf, titleOf, zipped } from '../../testkit/exports.ts'
import { photograph } from '../../testkit/media.ts'
import { startReceiver } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'
import { openDeskSite, type Visitor, writerAtDesk } from './desk-site.ts'

/** Imports at the desk: exports are read in the browser and become drafts, once. */

const other = await startReceiver()
const site = await openDeskSite({ OUTBOUND_ALLOW: other.host })
const picture = await photograph(5)
const host = 'https://pictures.example'
for (let at = 0; at < 5; at += 1)
  other.behave(
    (_request, response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture),
    `/pictures/${at}.png`,
  )

async function importer(): Promise<Visitor> {
  const visitor = await writerAtDesk(site)
  // The desk asks for https, and the test has a server without.
  await visitor.page.route('**/desk/api/media/copy*', (route) =>
    route.continue({
      postData: route
        .request()
        .postData()!
        .replace(/https:\/\/(pictures|tea)\.example/, `http://${other.host}`),
    }),
  )
  await visitor.go('/desk/import')
  return visitor
}

const choose = ({ page }: Visitor, { name, bytes }: Export) =>
  page.getByLabel('Choose file').last().setInputFiles({ name, mimeType: 'application/octet-stream', buffer: bytes })

const start = ({ page }: Visitor, count: number) => page.getByRole('button', { name: `Import ${count} post` }).click()

interface Piece {
  readonly id: string
  readonly headline: string
  readonly status: string
}

async function pieces(visitor: Visitor): Promise<Piece[]> {
  const found: Piece[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: { pieces: Piece[]; next_cursor: string | null } = await visitor.ask('GET', `/pieces?limit=100${more}`)
    found.push(...page.pieces)
    cursor = page.next_cursor
  }
  return found
}

const bodyOf = async (visitor: Visitor, headline: string): Promise<string> => {
  const { id } = (await pieces(visitor)).find((one) => one.headline === headline)!
  return (await visitor.ask('GET', `/pieces/${id}`)).piece.body_md
}

test('200 posts become drafts with their pictures, and none twice when the same file is imported again', async () => {
  const visitor = await importer()
  const { page } = visitor
  const file = await exportOf('wordpress', 200, host)
  await choose(visitor, file)
  await page.getByRole('heading', { name: '200 posts from WordPress' }).waitFor()
  await page.getByText('172 published, 28 drafts.', { exact: false }).waitFor()
  assert.equal((await pieces(visitor)).length, 0, 'nothing is made before')
  assert.equal(other.delivered.length, 0, 'nothing is fetched before')
  await visitor.look('import-found')
  await start(visitor, 200)
  await page.getByRole('heading', { name: 'Import finished' }).waitFor({ timeout: 120_000 })
  await page.getByText('200 drafts created, 0 already imported.').waitFor()
  await page.getByText('nav_menu_item (1 item)').waitFor()
  await page.getByText('The shortcode [gallery]').first().waitFor()
  await visitor.look('import-done')
  const made = await pieces(visitor)
  assert.equal(made.length, 200)
  assert.ok(made.every(({ status }) => status === 'draft'))
  assert.equal(new Set(made.map(({ headline }) => headline)).size, 200)
  assert.match(await bodyOf(visitor, titleOf(0)), /!\[A pot\]\(\/media\/[\da-f]{64} "Mine"\)/)
  assert.equal(other.delivered.length, 5, 'each picture is fetched once')

  const { id } = made.find(({ headline }) => headline === titleOf(3))!
  await visitor.ask('PATCH', `/pieces/${id}`, { body_md: 'Written since.' }, { 'if-match': '"1"' })
  await page.reload()
  await choose(visitor, file)
  await start(visitor, 200)
  await page.getByText('0 drafts created, 200 already imported.').waitFor({ timeout: 120_000 })
  assert.equal((await pieces(visitor)).length, 200)
  assert.equal(await bodyOf(visitor, titleOf(3)), 'Written since.')
})

/** For each format; 200 in the nightly run. */
const posts = Number(process.env['IMPORT_POSTS'] ?? 8)

describe('each format', () => {
  for (const service of services.filter((one) => one !== 'wordpress')) {
    test(`a file of ${service} gives the same texts here as at the command line`, async () => {
      const visitor = await importer()
      const { page } = visitor
      const file = await exportOf(service, posts, host)
      await choose(visitor, file)
      await page.getByRole('heading', { name: new RegExp(`^${posts} posts from`) }).waitFor()
      const old = page.getByLabel('Address of the old site')
      if (await old.count()) {
        await old.fill('tea.example')
        await page.getByRole('button', { name: 'Use this address' }).click()
        await page.getByRole('heading', { name: new RegExp(`^${posts} posts from`) }).waitFor()
      }
      const copies = page.getByRole('checkbox', { name: /^Copy \d pictures? to this site$/ })
      if (service !== 'markdown') await copies.uncheck()
      await start(visitor, posts)
      await page.getByText(`${posts} drafts created, 0 already imported.`).waitFor()
      const { posts: exported } = await read(service, file)
      assert.equal(exported.length, posts)
      for (const { draft } of exported) {
        const body = await bodyOf(visitor, draft.headline)
        if (service === 'markdown') assert.match(body, /!\[A pot\]\(\/media\/[\da-f]{64} "Mine"\)/)
        else assert.equal(body, draft.body_md)
      }
    })
  }
})

const read = (service: Service, { name, bytes }: Export) =>
  readExport(service, filesIn(name, new Uint8Array(bytes)), { site: 'https://tea.example', siteOption: '' })

test('an import that is cut off says so, and goes on where it ended', async () => {
  const visitor = await importer()
  const { page } = visitor
  await choose(visitor, await exportOf('devto', 10, host))
  await page.getByRole('checkbox', { name: /^Copy/ }).uncheck()
  let posted = 0
  const isCreation = /\/desk\/api\/imports\/[\da-f-]{36}$/
  await page.route(isCreation, (route) => {
    posted += 1
    return posted > 4 ? route.abort() : route.continue()
  })
  await start(visitor, 10)
  await page.getByRole('heading', { name: 'Import not finished' }).waitFor()
  await page.getByText('6 posts are left.', { exact: false }).waitFor()
  await visitor.look('import-cut-off')
  await page.unroute(isCreation)
  await page.getByRole('button', { name: 'Continue' }).click()
  await start(visitor, 10)
  await page.getByText('6 drafts created, 4 already imported.').waitFor()
  assert.equal((await pieces(visitor)).length, 10)
})

test('a file that is no export is refused in a sentence, and a post without text or in the trash is named', async () => {
  const visitor = await importer()
  const { page } = visitor
  await visitor.look('import')
  await choose(visitor, { name: 'x.zip', bytes: Buffer.from('PK nothing') })
  await page.getByText('Can’t unpack x.zip: it is damaged, or not a zip archive.', { exact: false }).waitFor()
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    data.items.add(new File(['nothing'], 'photo.bin'))
    const [target] = [...document.querySelectorAll('p')].filter((one) => one.textContent === 'or drop it here')
    target.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
  })()`)
  await page.getByText('This file doesn’t look like an export', { exact: false }).waitFor()
  const file = {
    name: 'x.zip',
    bytes: await zipped([
      ['a.md', '# Kept\n\nText.'],
      ['b.md', '---\ntitle: Empty\n---\n'],
    ]),
  }
  await choose(visitor, file)
  await start(visitor, 2)
  await page.getByText('Empty: It has no text.').waitFor()
  const [kept] = await pieces(visitor)
  await visitor.ask('DELETE', `/pieces/${kept!.id}`)
  await page.reload()
  await choose(visitor, file)
  await start(visitor, 2)
  await page.getByText('1 post was imported before and is in the trash.', { exact: false }).waitFor()
})

test('the empty list of pieces and the account lead to the import', async () => {
  const visitor = await writerAtDesk(site)
  const { page } = visitor
  await visitor.go('/desk')
  await page.getByRole('link', { name: 'Import your posts' }).click()
  await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor()
  await visitor.go('/desk/account')
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await until(() => page.url().endsWith('/desk/import'), 'the page of imports')
})
