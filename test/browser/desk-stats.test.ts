import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDeskSite, pressUntil } from './desk-site.ts'

/** Read statistics of a writer's pieces, as charts and as numbers. */

const site = await openDeskSite()

/** As if this many people had read it on each of the last days, today first. */
async function readOn(piece: string, reads: readonly number[]): Promise<void> {
  const writer = '(select writer_id from app.pieces where id = $1)'
  await site.admin.query(`insert into app.piece_reads (piece_id, author_id, reads) values ($1, ${writer}, $2)`, [
    piece,
    reads.reduce((sum, one) => sum + one, 0),
  ])
  await site.admin.query(
    `insert into app.piece_reads_daily (piece_id, author_id, day, reads)
     select $1, ${writer}, (now() at time zone 'UTC')::date - (place::integer - 1), reads
       from unnest($2::integer[]) with ordinality as days (reads, place) where reads > 0`,
    [piece, reads],
  )
}

const cameFrom = (piece: string, source: string, visits: number) =>
  site.admin.query(
    `insert into app.piece_sources (piece_id, author_id, day, source, visits)
     select id, writer_id, (now() at time zone 'UTC')::date, $2, $3 from app.pieces where id = $1`,
    [piece, source, visits],
  )

const dayInWords = (back: number): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    Date.now() - back * 86_400_000,
  )

/** Many days with uneven numbers. */
const someDays = Array.from({ length: 80 }, (_, back) => Math.round(40 + 30 * Math.sin(back / 4) + ((back * 7) % 11)))

test('without any read the page says when there will be one', async () => {
  const { page, go, look } = await site.signedIn()
  await go('/desk/stats')
  await page.getByRole('heading', { level: 2, name: 'No reads yet' }).waitFor()
  await look('stats-none')
  await page.getByRole('link', { name: 'Go to your pieces' }).click()
  await page.getByRole('heading', { level: 1, name: 'Pieces' }).waitFor()
})

test('reads are drawn by day, for 30 and for 90 days, beside what is read most and where readers came from', async () => {
  const visitor = await site.signedIn()
  const { page, go, look } = visitor
  const tea = await visitor.publish('The long boil')
  const second = await visitor.publish('Seven doors')
  await readOn(tea, someDays)
  await readOn(second, [1, 0, 2])
  await cameFrom(tea, 'news.example', 12)
  await cameFrom(second, 'letter', 3)
  await cameFrom(tea, '', 5)

  await go('/desk/stats')
  const lately = someDays.slice(0, 30).reduce((sum, one) => sum + one, 3)
  await page.getByText(`${lately.toLocaleString('en-GB')} reads in 30 days`).waitFor()
  const chart = page.getByRole('slider', { name: 'Reads per day' })
  assert.equal(await chart.locator('rect').count(), 30)
  const most = page.getByRole('list', { name: 'Your pieces, most read first' })
  assert.match((await most.textContent()) ?? '', /^The long boil[\d,]+ readsSeven doors3 reads$/)
  const sources = page.getByRole('list', { name: /^Sources/ })
  assert.equal(await sources.textContent(), 'news.example12 visitsletter3 visitsOther5 visits')
  await page.getByText('this is a sample, not a full count').waitFor()
  await look('stats')

  const box = (await chart.boundingBox())!
  await page.mouse.move(box.x + (box.width / 30) * 27.5, box.y + box.height / 2)
  await page.getByText(`${dayInWords(2)}: ${someDays[2]! + 2} reads`).waitFor()
  await page.mouse.move(0, 0)
  await page.getByText(/^Busiest day: /).waitFor()

  await page.getByRole('link', { name: '90 days' }).click()
  await page.waitForURL('**/desk/stats?days=90')
  await page.getByText('reads in 90 days').waitFor()
  assert.equal(await chart.locator('rect').count(), 90)
  await page.getByText('Show as a table').click()
  const rows = page.getByRole('table', { name: /^Reads per day/ }).getByRole('row')
  assert.equal(await rows.count(), 91)
  assert.equal(await rows.nth(1).textContent(), `${dayInWords(0)}${someDays[0]! + 1}`)
  assert.equal(await rows.last().textContent(), `${dayInWords(89)}0`)
  await page.getByText('Show as a table').click()
  await look('stats-90')
})

test('by touch: the day that was tapped or drawn to stays when the finger is lifted', async () => {
  const visitor = await site.signedIn({}, { hasTouch: true, viewport: { width: 390, height: 844 } })
  const { page, go, devtools } = visitor
  const tea = await visitor.publish('The long boil')
  await readOn(tea, [4, 1, 0, 9])
  await go('/desk/stats')
  await page.getByText('14 reads in 30 days').waitFor()
  const chart = page.getByRole('slider', { name: 'Reads per day' })
  await chart.scrollIntoViewIfNeeded()
  const box = (await chart.boundingBox())!
  const at = (back: number) => ({ x: box.x + (box.width / 30) * (29.5 - back), y: box.y + box.height / 2 })
  await page.touchscreen.tap(at(3).x, at(3).y)
  await page.getByText(`${dayInWords(3)}: 9 reads`).waitFor()
  assert.equal(await chart.getAttribute('aria-valuetext'), `${dayInWords(3)}: 9 reads`)
  await page.touchscreen.tap(at(1).x, at(1).y)
  await page.getByText(`${dayInWords(1)}: 1 read`).waitFor()

  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', back?: number) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: back === undefined ? [] : [at(back)] })
  await touch('touchStart', 9)
  for (const back of [8, 7, 6, 5, 4, 3]) await touch('touchMove', back)
  await touch('touchEnd')
  await page.getByText(`${dayInWords(3)}: 9 reads`).waitFor()
})

test('by keyboard alone: each day is reached and said, and the numbers of one piece are opened', async () => {
  const visitor = await site.signedIn()
  const { page, go, look } = visitor
  const tea = await visitor.publish('The long boil')
  await readOn(tea, [4, 1, 0, 9])
  await go('/desk/stats')
  await page.getByText('14 reads in 30 days').waitFor()
  const { keyboard } = page
  await pressUntil(page, 'Tab', 'Reads per day')
  const chart = page.getByRole('slider', { name: 'Reads per day' })
  const said = () => chart.getAttribute('aria-valuetext')
  for (const [key, back, reads] of [
    ['End', 0, '4 reads'],
    ['ArrowLeft', 1, '1 read'],
    ['ArrowLeft', 2, '0 reads'],
    ['ArrowLeft', 3, '9 reads'],
    ['PageDown', 10, '0 reads'],
    ['Home', 29, '0 reads'],
    ['ArrowLeft', 29, '0 reads'],
    ['PageUp', 22, '0 reads'],
    ['End', 0, '4 reads'],
  ] as const) {
    await keyboard.press(key)
    assert.equal(await said(), `${dayInWords(back)}: ${reads}`)
    await page.getByText(`${dayInWords(back)}: ${reads}`).waitFor()
  }
  await look('stats-focused')
  await pressUntil(page, 'Tab', 'The long boil')
  await keyboard.press('Enter')
  await page.waitForURL(`**/desk/stats/${tea}`)
  await page.getByRole('heading', { level: 1, name: 'The long boil' }).waitFor()
  await page.getByText('14 reads in 30 days').waitFor()
  await page.getByText('No sources in this period.').waitFor()
  await look('stats-piece')
  await pressUntil(page, 'Tab', '90 days')
  await keyboard.press('Enter')
  await page.waitForURL(`**/desk/stats/${tea}?days=90`)
  await page.getByText('14 reads in 90 days').waitFor()
  await pressUntil(page, 'Shift+Tab', '← All statistics')
  await keyboard.press('Enter')
  await page.waitForURL('**/desk/stats?days=90')
})

test('somebody who opens a public piece is counted at the desk, and where they came from', async () => {
  const visitor = await site.signedIn()
  const { page, go, ask } = visitor
  const piece = await visitor.publish('Seen by one')
  const { url } = (await ask('GET', `/pieces/${piece}`)).piece
  const reader = await site.visit({
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  })
  const seen = reader.page.waitForResponse(/\/r\/[0-9a-f-]{36}\.gif$/)
  await reader.page.goto(url, { referer: 'https://news.example/today' })
  await seen
  await go(`/desk/stats/${piece}`)
  const counted = page.getByText('1 read in 30 days')
  // Counts come in batches, a few seconds late.
  while (!(await counted.isVisible())) {
    await page.reload()
    await page.getByText(/reads? in 30 days/).waitFor()
  }
  await page.getByText('news.example').waitFor()
})

test('the numbers of another’s piece are not shown, and of one that is no longer public it is said', async () => {
  const ada = await site.signedIn()
  const piece = await ada.publish('Hers alone')
  await readOn(piece, [3])
  const { page, go } = await site.signedIn()
  await go(`/desk/stats/${piece}`)
  await page.getByText('This piece doesn’t exist or has been deleted.').waitFor()
  assert.equal(await page.getByText('Hers alone').count(), 0)

  await ada.ask('POST', `/pieces/${piece}/unpublish`)
  await ada.go(`/desk/stats/${piece}`)
  await ada.page.getByText('Not published, so reads aren’t counted.').waitFor()
  await ada.page.getByText('3 reads in 30 days').waitFor()
})
