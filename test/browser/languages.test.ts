import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDeskSite } from './desk-site.ts'

/** The desk in long words, in a script without spaces, and from right to left: nothing overflows, nothing is left out. */

const site = await openDeskSite()

const screens = [
  ['pieces', '/desk'],
  ['editor', '/desk/edit/pieces/:id'],
  ['publish', '/desk/edit/pieces/:id/publish'],
  ['history', '/desk/edit/pieces/:id/history'],
  ['profile', '/desk/edit/profile'],
  ['integrations', '/desk/edit/online-presence'],
  ['shop', '/desk/shop'],
  ['stats', '/desk/stats'],
  ['followers', '/desk/followers'],
  ['trash', '/desk/trash'],
  ['translations', '/desk/translations'],
  ['account', '/desk/account'],
] as const

for (const [locale, dir, pieces] of [
  ['de-DE', 'ltr', 'Beiträge'],
  ['ja-JP', 'ltr', '記事'],
  ['ar-EG', 'rtl', 'المقالات'],
] as const) {
  const language = locale.slice(0, 2)

  test(`a writer's desk speaks ${language}`, async () => {
    const { page, go, look, publish, sell } = await site.signedIn({ name: 'Ada Okafor' }, { locale })
    const id = await publish('Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz und في مديح البطء')
    await sell('A brass lamp')
    for (const [name, path] of screens) {
      await go(path.replace(':id', id))
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      assert.deepEqual(
        await page.evaluate('[document.documentElement.lang, getComputedStyle(document.body).direction]'),
        [language, dir],
      )
      if (name === 'pieces') assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), pieces)
      await look(`${language}-${name}`)
    }
  })

  test(`a moderator's desk speaks ${language}`, async () => {
    const { page, go, look } = await site.signedIn({ role: 'moderator', name: 'Mo Reader' }, { locale })
    for (const [name, path] of [
      ['review', '/desk/review'],
      ['reports', '/desk/review?list=reports'],
      ['writers', '/desk/review/writers'],
    ] as const) {
      await go(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await look(`${language}-${name}`)
    }
  })
}

test('the desk of an American is in American English', async () => {
  const { page, go } = await site.signedIn({ name: 'Ada Okafor' }, { locale: 'en-US' })
  await go('/desk/account')
  await page.getByText('Don’t recognize something? Sign it out, then change your password.').waitFor()
  assert.equal(await page.evaluate('document.documentElement.lang'), 'en-US')
  // "Signed in Mar 14, 2026" or "… 5:05 PM": no 24-hour clock.
  assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /recognise|cancelled|\b(?:1[3-9]|2[0-3]):\d\d/)
})
