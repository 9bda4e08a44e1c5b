import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { testApp, testSite } from '../../testkit/app.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { until } from '../../testkit/waiting.ts'

/** Names in every script on badges, as outlines. */

const { url, admin, app, ask } = await testSite()
let count = 0

/** Asks again until the fonts are read: under load a badge may show the name in the reader's font first. */
async function badgeOf(name: string): Promise<string> {
  const slug = `writer-${++count}`
  await makeWriter(admin, { slug, name })
  return until(async () => {
    const { statusCode, body } = await ask(`/embed/${slug}/badge.svg`)
    assert.equal(statusCode, 200)
    return !body.includes('<text') && body
  }, `the badge of ${name} has outlines`)
}

/** The outlines of the name, which is set at 14 pixels, without their positions. */
const outlinesIn = (svg: string): string[] =>
  /<path transform="[^"]* scale\(0\.014 [^>]* d="([^"]*)"/
    .exec(svg)![1]!
    .split(/M-?\d+ -?\d+/)
    .slice(1)
    .sort()

for (const name of [
  '村上春樹',
  'カズオ・イシグロ',
  '한강 작가',
  '魯迅 Lu Xun',
  'محمد علي',
  'فاطمة الزهراء (لندن)',
  'דוד גרוסמן',
  'עמוס עוז Oz',
  'महादेवी वर्मा',
  'กฤษณา อโศกสิน',
  'Фёдор Достоевский',
  'Γιώργος Σεφέρης',
  '村上春樹'.repeat(12),
  'ग'.repeat(80),
  'محمد'.repeat(20),
]) {
  test(`a name is drawn inside its pill: ${name.slice(0, 20)}`, async () => {
    const svg = await badgeOf(name)
    assert.ok(svg.includes(`<title>${name} ·`))
    const { data, info } = await sharp(Buffer.from(svg)).flatten({ background: '#fff' }).raw().toBuffer({
      resolveWithObject: true,
    })
    assert.ok(info.width <= 400, `${info.width} wide`)
    const isInk = (x: number, y: number) => data[info.channels * (y * info.width + x)]! < 128
    const columns = Array.from({ length: info.width }, (_, x) => x).filter((x) =>
      Array.from({ length: info.height }, (_, y) => y).some((y) => isInk(x, y)),
    )
    assert.ok(columns[0]! >= 8 && columns.at(-1)! < info.width - 8, `${columns[0]} to ${columns.at(-1)}`)
  })
}

test('Arabic letters join: together they have other outlines than alone', async () => {
  const alone = await Promise.all([...'بيت'].map(badgeOf))
  assert.notDeepEqual(outlinesIn(await badgeOf('بيت')), alone.flatMap(outlinesIn).sort())
  // Characters that do not join to the next are the same alone.
  const apart = await Promise.all([...'دار'].map(badgeOf))
  assert.deepEqual(outlinesIn(await badgeOf('دار')), apart.flatMap(outlinesIn).sort())
})

test('from right to left the name is mirrored, letters and all', async () => {
  const rule = (svg: string) => Number(/<rect x="([\d.]+)" y="21"/.exec(svg)![1])
  assert.ok(rule(await badgeOf('עמוס עוז')) > 40, 'the initial of the site is at the right')
  assert.ok(rule(await badgeOf('Amos עוז')) < 20, 'or at the left, by the first letter of the name')
})

test('a letter that no font has, or emoji, leaves the name to the font of the reader', async () => {
  for (const [slug, name] of [
    ['nino', 'ნინო 茶'],
    ['rocket', '茶 🚀'],
  ] as const) {
    await makeWriter(admin, { slug, name })
    const { body } = await ask(`/embed/${slug}/badge.svg`)
    assert.ok(body.includes(`>${name}</text>`))
  }
})

test('a site whose name is in another script has its initial on badges', async () => {
  await makeWriter(admin, { slug: 'lin', name: 'Lin' })
  const site = await testApp(url, { SITE_NAME: '茶報' })
  const drawn = await until(async () => {
    const { body } = await site.inject('/embed/lin/badge.svg')
    return body.match(/<path transform/g)?.length === 2
  }, 'the initial is drawn')
  assert.ok(drawn)
})

test('Han characters in a name have the forms of the language of the site, on badges and in link pictures', async () => {
  const usual = outlinesIn(await badgeOf('直'))
  const slug = `writer-${count}`
  const site = await testApp(url, { SITE_LANGUAGE: 'ja' })
  const badge = await until(async () => {
    const { body } = await site.inject(`/embed/${slug}/badge.svg`)
    return !body.includes('<text') && body
  }, 'the badge has outlines')
  assert.notDeepEqual(outlinesIn(badge), usual)
  const picture = async (of: typeof app) => (await of.inject(`/image/author/${slug}.png`)).rawPayload
  assert.notDeepEqual(await picture(site), await picture(app))
})
