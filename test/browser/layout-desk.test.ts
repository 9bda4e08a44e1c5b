import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import { messagesPlugin } from '../../desk/messages-plugin.ts'
import { addPseudoLanguages, pseudoLanguages } from '../../server/messages/pseudo.ts'
import { screenshot, watchRequests } from './browser.ts'
import { openDeskSite, type Visitor } from './desk-site.ts'
import { countReads, hostileTexts } from './hostile-texts.ts'
import { layoutProblems, strayMarks } from './layout-check.ts'

/** Every screen of the desk in 40 % longer words, from left and from right, with headlines made to break it. */

addPseudoLanguages()
const site = await openDeskSite({ REVIEW: 'off', SIGN_UP: 'open' })
const widths = [320, 390, 768, 1280]

interface Chunk {
  readonly file: string
}
const manifest = JSON.parse(readFileSync(new URL('../../desk/dist/manifest.json', import.meta.url), 'utf8'))
const [, english] = Object.entries<Chunk>(manifest).find(([name]) => name.endsWith('virtual:messages/en'))!

/** The desk as built has no pseudo-language, so its English messages are answered by the plugin that builds them. */
async function speak(context: BrowserContext, language: string): Promise<void> {
  await context.addCookies([{ name: 'language', value: language, url: site.base }])
  const load = (path: string): string =>
    messagesPlugin.load(`\0virtual:${path}`)!.replaceAll('"virtual:messages/', '"/desk/messages/')
  const contentType = 'text/javascript'
  await context.route(`**/desk/${english.file}`, (route) =>
    route.fulfill({ contentType, body: load(`messages/${language}`) }),
  )
  await context.route('**/desk/messages/**', (route) =>
    route.fulfill({ contentType, body: load(new URL(route.request().url()).pathname.replace('/desk/', '')) }),
  )
}

/** What is found on these pages. */
async function lookAt({ page, go }: Visitor, language: string, paths: readonly string[]): Promise<void> {
  const found: string[] = []
  const answered = watchRequests(page)
  for (const path of paths) {
    await go(path)
    assert.equal(await page.evaluate('document.documentElement.lang'), language)
    await answered()
    found.push(...(await layoutProblems(page, path, { widths })))
    await screenshot(page, `layout-${language}-${path.replace(/\W+/g, '-')}`, { fullPage: true })
  }
  assert.deepEqual(found, [])
}

const texts = Object.values(hostileTexts)
const short = (text: string, most: number): string => [...text].slice(0, most).join('')

for (const language of pseudoLanguages) {
  describe(`in ${language}, nothing at the desk is cut off or overlaps:`, () => {
    test('the pages of visitors', async () => {
      const visitor = await site.visit()
      await speak(visitor.context, language)
      const paths = ['sign-in', 'sign-in/recovery-code', 'sign-up', 'forgot-password', 'reset-password', 'verify-email']
      const more = ['confirm-email', 'keep-account']
      await lookAt(
        visitor,
        language,
        [...paths, ...more].map((path) => `/desk/${path}`),
      )
    })

    test('the pages of a writer', async () => {
      const writer = await site.signedIn({ name: hostileTexts['one long word'] })
      await speak(writer.context, language)
      const pieces: string[] = []
      const listings: string[] = []
      for (const text of texts) {
        const more = { sub: text, tags: [short(text, 32)] }
        pieces.push(await writer.publish(text, `${text}\n\n${text}`, more))
        await writer.ask('DELETE', `/pieces/${await writer.begin(text, text, more)}`, undefined, { 'if-match': '*' })
        listings.push(
          await writer.sell(short(text, 100), { summary: text, description: text, category: short(text, 30) }),
        )
      }
      const series = randomUUID()
      const words = { title: short(texts[0]!, 120), description: texts.join(' ').slice(0, 500) }
      await writer.ask('PUT', `/series/${series}`, { ...words, pieces, revision: null })
      await writer.ask('POST', '/keys', { name: hostileTexts['one long word'], scopes: ['pieces:write'] })
      await countReads(site.admin)
      const lists = [
        '/desk',
        '/desk?status=draft',
        '/desk?q=nothing-at-all',
        '/desk/shop',
        '/desk/stats',
        '/desk/followers',
        '/desk/trash',
        '/desk/series',
        `/desk/series/${series}`,
      ]
      const presence = ['/desk/edit/online-presence', '/desk/edit/online-presence/deliveries']
      await lookAt(writer, language, [...lists, ...presence, '/desk/edit/profile', '/desk/account', '/desk/welcome'])
      await lookAt(
        writer,
        language,
        pieces.flatMap((id) => [`/desk/edit/pieces/${id}`, `/desk/edit/pieces/${id}/publish`]),
      )
      const [, , , one] = pieces
      const [, two] = listings
      await lookAt(writer, language, [`/desk/edit/pieces/${one}/history`, `/desk/stats/${one}`, `/desk/shop/${two}`])
      const found: string[] = []
      const answered = watchRequests(writer.page)
      for (const path of [
        '/desk',
        '/desk/shop',
        '/desk/stats',
        '/desk/trash',
        `/desk/edit/pieces/${pieces[6]}/publish`,
      ]) {
        await writer.go(path)
        await writer.page.locator('main', { hasText: /\p{M}{5}/u }).waitFor()
        await answered()
        found.push(...(await strayMarks(writer.page, path)))
      }
      assert.deepEqual(found, [])
    })

    test('the pages of a moderator', async () => {
      const writer = await site.signedIn({ name: hostileTexts['one long word'] })
      const moderator = await site.signedIn({ role: 'moderator', name: 'Mo Reader' })
      await speak(moderator.context, language)
      const pending: string[] = []
      for (const text of texts) {
        const id = await writer.begin(text, text, { sub: text })
        const { nonce } = await writer.ask('POST', `/pieces/${id}/preview`)
        await writer.ask('POST', `/pieces/${id}/submit`, { nonce })
        pending.push(id)
      }
      const pinned = [await writer.publish(hostileTexts['one long word']), await writer.publish(texts.at(-1)!)]
      const { version } = await moderator.ask('GET', '/front-page')
      const ends_at = new Date(Date.now() + 86_400_000).toISOString()
      const note = { text: short(hostileTexts['one long word'], 280), ends_at }
      await moderator.ask('PUT', '/front-page', { version, pins: pinned.map((id) => ({ id, ends_at })), note })
      await lookAt(moderator, language, ['/desk/front-page'])
      const lists = ['', '?list=reports', '?list=appeals', '?list=log', '/writers', '/invitations']
      await lookAt(
        moderator,
        language,
        [...lists, ...pending.map((id) => `/${id}`)].map((path) => `/desk/review${path}`),
      )
    })
  })
}
