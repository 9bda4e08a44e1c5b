import { readdirSync, rmSync } from 'node:fs'
import { mock, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { seedSite } from '../../../server/seed/seed.ts'
import { makePiece, makeWriter } from '../../../testkit/factories.ts'
import { until } from '../browser.ts'
import { isPiece, logPlace, openWebhookSite, type Visitor } from '../desk-site.ts'

/** A piece for the pictures: on one screen a quotation, a table and a footnote. */
const essay = {
  headline: 'What the tide table leaves out',
  sub: 'For forty years a harbour clerk wrote one line a day about the water. The lines nobody asked for turned out to be the useful ones.',
  category: 'society',
  style: 'essay',
  tags: ['tides', 'archives', 'weather'],
  body_md: `The tide table is a promise made a year ahead. It knows the moon, the shape of the bay and the depth of the
channel, and it is right to within a hand’s breadth on most days of the year.

It does not know the wind.

Between 1961 and 2001 **Marit Solheim** wrote down every morning what the water did instead. One line, in pencil, in
notebooks that the harbour office threw away and she took home.[^1]

## One line a day

> Table 2.14, water 2.40. South-west since Sunday. Boats tied twice.

There are fourteen thousand such lines. Read one after the other they say little. Sorted by the wind, they say how high
the quay has to be:

| Wind | Days | Above the table |
|---|---:|---:|
| north | 3,102 | −4 cm |
| south-west | 5,870 | +17 cm |
| south-west, third day | 641 | +31 cm |

The third day is the one that matters. No formula in the office had it, *because no formula had been asked*.

[^1]: Forty notebooks, now in the town library, where anyone may read them.
`,
} as const

/** What is being written at the desk. */
export const draft = {
  headline: 'The kettle tells the truth',
  sub: 'Four minutes is not a rule. It is what is left when every other rule has been tried.',
  category: 'culture',
  body_md: `Put the kettle on before you sit down to write. Not for the tea: for the *four minutes*.

## What fits into them

- The sentence you were avoiding.
- The name of the person you write it for.
- One honest answer to **why now**.

> I have never finished a page while it boiled, and never begun one without.

When it whistles, you know whether there is anything to say. If there is, let the tea go cold. The [old hands](https://example.org/tea) at the paper
called this being *on the boil*.
`,
} as const

/** Deliveries to the writer's server, newest last. */
const deliveries = [
  'A short history of the queue',
  'The bridge that was built twice',
  'Letters to a lighthouse',
  'Notes from the night ferry',
] as const

/** `npm run pictures`: takes the screenshots of docs/pictures, light and dark, on a seeded site with a fixed date. */

const folder = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))

const morning = new Date('2026-11-12T08:40:20Z')
const minutesAgo = (minutes: number): Date => new Date(morning.getTime() - minutes * 60_000)

const reader = { timezoneId: 'UTC', locale: 'en-GB' } as const
const wide = { ...reader, viewport: { width: 1280, height: 860 } } as const
const tall = { ...reader, viewport: { width: 1280, height: 1080 } } as const
const phone = { ...reader, viewport: { width: 390, height: 700 }, deviceScaleFactor: 1.6 } as const

const site = await openWebhookSite(1)
const receiver = site.receivers[0]!
await seedSite(site.databaseUrl, { authors: 12, pieces: 120, rng: 7, until: minutesAgo(600) })
const writer = await makeWriter(site.admin, {
  slug: 'ada-okafor-2', // The seeded site already has an Ada.
  name: 'Ada Okafor',
  bio: 'Writes about harbours, ledgers and other slow machines.',
  verified: true,
})
const essayId = await makePiece(site.admin, writer, { ...essay, publishedAt: minutesAgo(70) })

async function take(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate('document.fonts.ready')
    await sharp(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
      .webp({ quality: 82, effort: 6 })
      .toFile(`${folder}${name}-${colorScheme}.webp`)
  }
}

async function atTheDesk(options: BrowserContextOptions): Promise<Visitor> {
  const visitor = await site.visit(options)
  await visitor.context.addCookies([{ name: 'desk', value: writer.sessionToken, url: site.base, httpOnly: true }])
  return visitor
}

/** PostgreSQL has its own clock, so times sent to the page are shifted to that morning, and so is the page's clock. */
async function moveClock({ page }: Visitor, path: string): Promise<void> {
  const away = Date.now() - morning.getTime()
  await page.clock.setFixedTime(morning)
  await page.route(`**/desk/api${path}*`, async (route) => {
    const answer = await route.fetch()
    const moved = (await answer.text()).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) =>
      new Date(Date.parse(time) - away).toISOString(),
    )
    await route.fulfill({ response: answer, body: moved })
  })
}

async function publish(visitor: Visitor, headline: string): Promise<void> {
  await visitor.publish(headline, 'It was there before us.')
  await receiver.expect((one) => isPiece(one) && one.body.includes(headline))
}

for (const name of readdirSync(folder)) if (name.endsWith('.webp')) rmSync(folder + name)

test('what readers and AI clients see', async () => {
  mock.timers.enable({ apis: ['Date'], now: morning })
  const { page: piece } = await site.visit(wide)
  await piece.goto(`${site.base}/p/${essayId}`)
  await take(piece, 'piece')

  const { page: home } = await site.visit(phone)
  await home.goto(site.base)
  await take(home, 'home')

  const { page: tools } = await site.visit(tall)
  await tools.goto(`${site.base}/developers/tools`)
  await tools.getByLabel('query').fill('tide')
  await tools.getByLabel('limit').fill('2')
  // Twice: the picture shows how long a call took, and the first warms the site.
  for (const _ of ['first', 'shown']) {
    await tools.getByRole('button', { name: 'Run' }).click()
    await tools.getByText('2 results').waitFor()
  }
  await until(tools, 'document.activeElement.id === "shown"')
  await tools.mouse.move(0, 0)
  await tools.evaluate('document.querySelector("#console").scrollIntoView()')
  await take(tools, 'tools')
  mock.timers.reset()
})

test('what a writer sees', async () => {
  const visitor = await atTheDesk(wide)
  const { id } = (await visitor.ask('POST', '/pieces', draft)).piece
  await visitor.go(`/desk/edit/pieces/${id}`)
  await take(visitor.page, 'editor')

  await visitor.ask('PUT', '/webhook', { url: receiver.url })
  await receiver.expect(() => true)
  for (const headline of deliveries.slice(0, -1)) await publish(visitor, headline)
  receiver.behave(503)
  await publish(visitor, deliveries.at(-1)!)
  await site.admin.query(
    `update app.deliveries set created_at = created_at - (5 - coalesce(sequence, 0)) * interval '26 hours'
      where writer_id = $1 and state = 'delivered'`,
    [writer.id],
  )
  await moveClock(visitor, '/webhook/deliveries')
  await visitor.go(logPlace)
  await visitor.page.getByText('Responded with 503').waitFor()
  await take(visitor.page, 'deliveries')
  await visitor.page.unrouteAll({ behavior: 'wait' })
})
