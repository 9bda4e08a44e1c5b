import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { ReaderEmail } from '../../server/features/followers/reader-emails.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { asDesk, makePiece, makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'
import { readersOf, richText } from '../../testkit/reader-emails.ts'
import { axeViolations, openBrowser, openPage, screenshot } from './browser.ts'
import { hostileTexts } from './hostile-texts.ts'

/** Emails to readers as a mail program shows them: on a phone and beside a list of emails, light and dark. */

const env = { SITE_NAME: 'Tea Site', MEDIA_URL: mediaFolder().url }
const base = 'https://site.test'
const site = await testSite(env)
const { admin, app } = site
const readers = readersOf(site, env)
const browser = await openBrowser()

const emails = new Map<string, ReaderEmail>()

before(async () => {
  const ada = await makeWriter(admin, { slug: 'ada-okafor', name: 'Ada Okafor' })
  await asDesk(admin, ada, (client) =>
    client.query('select app.set_welcome($1)', [
      'Thank you for following.\n\nI write about tea on Sundays. Begin with https://ada.example/the-first-of-all-pieces-about-tea',
    ]),
  )
  const asked = ['author/ada-okafor', 'section/culture']
  const reader = await readers.follow(asked)
  const [daily, arabic] = [
    await readers.follow(asked, { frequency: 'daily' }),
    await readers.follow(['site'], { language: 'ar' }),
  ]
  emails.set('confirm', await readers.written(await readers.ask(asked), 'confirm'))
  emails.set('welcome', await readers.written(reader, 'welcome'))

  const hash = await uploaderOf(app, ada).upload(await photograph(1, { width: 1600, height: 900 }))
  const desk = deskOf(app, ada)
  const id = await desk.begin({
    headline: 'On tea, and the four minutes nobody wants to wait',
    sub: 'A kettle taught me more about patience than ten years of meetings did.',
    category: 'culture',
    body_md: richText(hash),
    cover: { image: `/media/${hash}`, alt: 'A kettle', caption: 'Steam', credit: 'Lin', focus: { x: 50, y: 50 } },
  })
  assert.equal((await desk.act('publish', id)).statusCode, 200)
  emails.set('piece', await readers.written(reader, 'piece'))
  emails.set('piece for an Arabic reader', await readers.written(arabic, 'piece'))
  const noor = await readers.follow(['author/ada-okafor'])
  await makePiece(admin, ada, {
    headline: 'في مديح البطء: أربع دقائق مع إبريق الشاي',
    sub: 'تعلّمت من الإبريق صبراً.',
    locale: 'ar',
    body_md: 'لا يحب أحد الانتظار.\n\n## ما بعد الغليان\n\n- الماء أولاً\n- ثم الصبر\n\n> الصبر مفتاح الفرج.',
  })
  emails.set('Arabic piece', await readers.written(noor, 'piece'))
  emails.set('daily', await readers.written(daily, 'daily'))

  for (const [kind, text] of Object.entries(hostileTexts)) {
    const slug = kind.replaceAll(' ', '-')
    const writer = await makeWriter(admin, { slug, name: [...text].slice(0, 80).join('') })
    const one = await readers.follow([`author/${slug}`])
    await makePiece(admin, writer, {
      headline: text,
      sub: text,
      body_md: `${text}\n\n## ${text}\n\n> ${text}\n\n- ${text}\n\n| ${text} | ${text} |\n|--|--|\n| ${text} | 1 |\n\n\`${text}\`\n\n\`\`\`\n${text}\n\`\`\``,
    })
    emails.set(kind, await readers.written(one, 'piece'))
  }
})

const wcag = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }

test('every email fits its window and can be read by everyone, light and dark', async () => {
  const page = await openPage(browser)
  const shown = `${base}/email`
  let markup = ''
  const foreign: string[] = []
  await page.route('**/*', async (route) => {
    const url = route.request().url()
    if (url === shown) return route.fulfill({ contentType: 'text/html; charset=utf-8', body: markup })
    if (!url.startsWith(`${base}/`)) foreign.push(url)
    const { statusCode, headers, rawPayload } = await app.inject(url.slice(base.length))
    return route.fulfill({ status: statusCode, contentType: String(headers['content-type']), body: rawPayload })
  })
  for (const [name, { html }] of emails) {
    markup = html
    await page.goto(shown)
    await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))')
    for (const width of [390, 700]) {
      await page.setViewportSize({ width, height: 900 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const saying = `${name}, ${width}, ${colorScheme}`
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${saying} is too wide`)
        assert.deepEqual(await axeViolations(page, wcag), [], saying)
        await screenshot(page, `email-${name.replaceAll(' ', '-')}-${width}-${colorScheme}`, { fullPage: true })
      }
    }
  }
  assert.deepEqual(foreign, [])
})
