import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkReceipt } from '../../server/features/pieces/receipts/check.ts'
import { sendTranslationEmail } from '../../server/features/pieces/translations.ts'
import { testSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { inTransaction, makeKey, makeWriter } from '../../testkit/factories.ts'
import { waitForLockWait } from '../../testkit/waiting.ts'
import { asking } from '../mcp/site.ts'

/** A piece is published as the translation of another only if the authors of both agree at the desk. */

const { url, admin, app } = await testSite()
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const berta = await makeWriter(admin, { slug: 'berta', name: 'Berta' })
const desk = deskOf(app, ada)
const other = deskOf(app, berta)
const { key } = await makeKey(admin, berta)
const worker = workerDatabase(url)

const save = (by: typeof desk, id: string, changes: object) =>
  by.ask('PATCH', `pieces/${id}`, changes, { 'if-match': '*' })
const pieceOf = async (id: string) => (await app.inject(`/api/public/pieces/${id}`)).json().piece
const translationsOf = async (id: string) =>
  ((await pieceOf(id)).translations ?? []).map((one: { title: string; language: string; is_original: boolean }) => [
    one.title,
    one.language,
    one.is_original,
  ])
const answer = async (by: typeof desk, id: string, agreed: boolean, original?: string) => {
  const { rows } = await admin.query("select fields ->> 'translation_of' as id from app.pieces where id = $1", [id])
  return by.ask('POST', `translations/${id}/answer`, { original: original ?? rows[0].id, agreed })
}

async function published(by: typeof desk, given: object): Promise<string> {
  const id = await by.begin(given)
  const answered = await by.act('publish', id)
  assert.equal(answered.statusCode, 200, answered.body)
  return id
}

/** Jobs of this kind for this piece, as the worker would take them. */
const emailsFor = async (piece: string): Promise<{ piece: string; original: string; about: 'asked' | 'answered' }[]> =>
  (
    await admin.query(
      `select data from jobs.job where name = 'translation.email' and data ->> 'piece' = $1 order by created_on`,
      [piece],
    )
  ).rows.map(({ data }) => data)

test('a writer publishes a translation of their own piece, and each names the other and no third', async () => {
  const original = await published(desk, { headline: 'On tea', locale: 'en' })
  const german = await published(desk, { headline: 'Über Tee', locale: 'de', translation_of: original })
  const french = await published(desk, { headline: 'Du thé', locale: 'fr', translation_of: original })
  assert.deepEqual(await translationsOf(original), [
    ['Über Tee', 'de', false],
    ['Du thé', 'fr', false],
  ])
  assert.deepEqual(await translationsOf(german), [
    ['On tea', 'en', true],
    ['Du thé', 'fr', false],
  ])
  assert.equal((await pieceOf(await published(desk, { headline: 'Alone' }))).translations, undefined)

  await desk.ask('POST', `pieces/${german}/unpublish`)
  assert.deepEqual(await translationsOf(original), [['Du thé', 'fr', false]])
  await desk.ask('POST', `pieces/${original}/unpublish`)
  assert.deepEqual(await translationsOf(french), [])
  await desk.act('publish', original)
  assert.deepEqual(await translationsOf(french), [['On tea', 'en', true]])
})

test('a translation of another author’s piece cannot be published before they agree', async () => {
  const original = await published(desk, { headline: 'On patience', locale: 'en' })
  const id = await other.begin({ headline: 'Über Geduld', locale: 'de', translation_of: original })
  const refused = await other.act('publish', id)
  assert.equal(refused.statusCode, 409, refused.body)
  assert.match(refused.json().detail ?? refused.json().message ?? refused.body, /has not agreed/)
  assert.equal((await other.act('submit', id)).statusCode, 409)
  assert.equal((await answer(desk, id, true)).statusCode, 404, 'nobody asked yet')

  const asked = await other.ask('POST', `pieces/${id}/ask-author`)
  assert.equal(asked.json().piece.translation_of.consent, 'asked')
  await other.ask('POST', `pieces/${id}/ask-author`)
  assert.deepEqual(await emailsFor(id), [{ piece: id, original, about: 'asked' }], 'asking twice tells once')
  assert.equal((await other.act('publish', id)).statusCode, 409)
  assert.equal((await answer(other, id, true)).statusCode, 404, 'the translator cannot agree for the author')

  const list = (await desk.ask('GET', 'translations')).json()
  assert.deepEqual(
    [list.waiting, list.translations[0].headline, list.translations[0].translator, list.translations[0].language],
    [1, 'Über Geduld', { slug: 'berta', name: 'Berta' }, 'de'],
  )
  assert.equal((await answer(desk, id, true)).statusCode, 200)
  assert.equal((await other.act('publish', id)).statusCode, 200)
  assert.deepEqual(await translationsOf(original), [['Über Geduld', 'de', false]])
  assert.deepEqual((await pieceOf(original)).translations[0].authors[0].name, 'Berta')

  assert.equal((await answer(desk, id, false)).statusCode, 200)
  assert.deepEqual(await translationsOf(original), [], 'a refusal ends what was agreed')
  assert.equal((await app.inject(`/api/public/pieces/${id}`)).statusCode, 200, 'and the piece itself stays public')
  assert.deepEqual(await translationsOf(id), [])
  await answer(desk, id, true)
  assert.deepEqual(await translationsOf(original), [['Über Geduld', 'de', false]], 'who agrees again restores it')
  await answer(desk, id, false)
  await save(other, id, { sub: 'Once more' })
  assert.equal((await other.act('update', id)).statusCode, 409)
  await save(other, id, { translation_of: null })
  assert.equal((await other.act('update', id)).statusCode, 200)
})

test('an original that is no longer public keeps the consent to its translations', async () => {
  const original = await published(desk, { headline: 'On fog' })
  const id = await other.begin({ headline: 'Über Nebel', translation_of: original })
  await other.ask('POST', `pieces/${id}/ask-author`)
  await answer(desk, id, true)
  const own = await desk.begin({ headline: 'Du brouillard', translation_of: original })
  await desk.ask('POST', `pieces/${original}/unpublish`)
  const named = async (by: typeof desk, piece: string) =>
    (await by.ask('GET', `pieces/${piece}`)).json().piece.translation_of
  const hidden = { id: original, title: null, url: null, language: null, author: null }
  assert.deepEqual(await named(other, id), { ...hidden, consent: 'agreed' })
  assert.deepEqual(await named(desk, own), { ...hidden, consent: 'own' })
})

test('a moderator cannot publish it for them either', async () => {
  const moderator = deskOf(app, await makeModerator(admin))
  const original = await published(desk, { headline: 'On rain' })
  const id = await other.begin({ headline: 'Über Regen', translation_of: original })
  await other.ask('POST', `pieces/${id}/ask-author`)
  await answer(desk, id, true)
  assert.equal((await other.act('submit', id)).statusCode, 200)
  await answer(desk, id, false)
  const { nonce } = (await moderator.ask('POST', `review/${id}/show`)).json()
  assert.equal((await moderator.ask('POST', `review/${id}/approve`, { nonce })).statusCode, 409)
  assert.equal((await app.inject(`/api/public/pieces/${id}`)).statusCode, 404)
})

describe('the author of the original', () => {
  test('reads the draft after they were asked, and no longer once they declined', async () => {
    const original = await published(desk, { headline: 'On bread' })
    const id = await other.begin({ headline: 'Über Brot', body_md: 'Der Teig.', translation_of: original })
    const show = (revision: number) => desk.ask('POST', `translations/${id}/preview`, { revision })
    assert.equal((await show(1)).statusCode, 404)
    await other.ask('POST', `pieces/${id}/ask-author`)
    const { page } = (await show(1)).json()
    assert.match((await app.inject(page)).body, /Der Teig\./)
    assert.equal((await show(2)).statusCode, 404, 'only as it is now')
    await answer(desk, id, false)
    assert.equal((await app.inject(page)).statusCode, 404)
    assert.equal((await show(1)).statusCode, 404)
  })

  test('is written to when asked, and the translator when answered, in the words of both headlines', async () => {
    const original = await published(desk, { headline: 'On salt' })
    const id = await other.begin({ headline: 'Über Salz', translation_of: original })
    await other.ask('POST', `pieces/${id}/ask-author`)
    const sent: [string, { template: string; params: unknown }][] = []
    const send = async (account: string, order: { template: string; params: unknown }) =>
      void sent.push([account, order])
    const [asked] = await emailsFor(id)
    await sendTranslationEmail(worker, send as never, asked!, 'a')
    await answer(desk, id, true)
    const [, answered] = await emailsFor(id)
    await sendTranslationEmail(worker, send as never, answered!, 'b')
    const accounts = (
      await admin.query('select slug, account_id from app.writers where slug in ($1, $2)', ['ada', 'berta'])
    ).rows
    const accountOf = (slug: string) => accounts.find((one) => one.slug === slug).account_id
    assert.deepEqual(sent, [
      [
        accountOf('ada'),
        {
          template: 'translation-asked',
          params: { original_headline: 'On salt', headline: 'Über Salz', translator: 'Berta' },
        },
      ],
      [
        accountOf('berta'),
        {
          template: 'translation-answered',
          params: { piece: id, original_headline: 'On salt', headline: 'Über Salz', answer: 'agreed' },
        },
      ],
    ])
  })
})

describe('what can be named as the original', () => {
  test('is a public piece: a draft, one’s own piece itself and an unknown id are refused alike', async () => {
    const draft = await desk.begin({ headline: 'Secret' })
    const id = await other.begin({ headline: 'A guess' })
    const words = new Set<string>()
    for (const named of [draft, id, '7b1c1a52-6b1e-4b7e-9a44-1f9a4b1f0c11']) {
      const refused = await save(other, id, { translation_of: named })
      assert.equal(refused.statusCode, 400, refused.body)
      words.add(refused.json().detail ?? refused.json().message)
    }
    assert.equal(words.size, 1)
    assert.equal((await save(other, id, { translation_of: 'tea' })).statusCode, 400)
  })

  test('is never a translation, and what has translations never becomes one', async () => {
    const original = await published(desk, { headline: 'First' })
    const translation = await published(desk, { headline: 'Zweitens', translation_of: original })
    const id = await desk.begin({ headline: 'Troisièmement' })
    assert.equal((await save(desk, id, { translation_of: translation })).statusCode, 400)
    const found = await desk.ask('GET', `translations/original?url=${translation}`)
    assert.deepEqual([found.statusCode, /itself a translation/.test(found.json().detail)], [400, true])
    const elsewhere = await published(desk, { headline: 'Elsewhere' })
    await save(desk, original, { translation_of: elsewhere })
    assert.equal((await desk.act('update', original)).statusCode, 409)
  })

  test('is found by the address of its page, its id or its permanent address', async () => {
    const id = await published(desk, { headline: '关于茶', locale: 'zh' })
    const { url: page, id: permanent } = await pieceOf(id)
    for (const given of [page, permanent, id, decodeURI(page), `${page}.md`]) {
      const found = await other.ask('GET', `translations/original?url=${encodeURIComponent(given)}`)
      assert.deepEqual(
        [found.statusCode, found.json().original?.id, found.json().original?.title],
        [200, id, '关于茶'],
        given,
      )
    }
    for (const given of ['https://elsewhere.example/author/ada/x', 'tea', page.replace('ada', 'nobody')])
      assert.equal((await other.ask('GET', `translations/original?url=${encodeURIComponent(given)}`)).statusCode, 404)
  })
})

test('a key and a tool draft a translation and name its original, and changing other members keeps it', async () => {
  const original = await published(desk, { headline: 'On clocks' })
  const { id: permanent } = await pieceOf(original)
  const headers = { authorization: `Bearer ${key}` }
  const payload = { headline: 'Über Uhren', body_md: 'Tick.', locale: 'de', translation_of: permanent }
  const made = await app.inject({ method: 'POST', url: '/api/v1/pieces', headers, payload })
  assert.equal(made.statusCode, 201, made.body)
  assert.equal(made.json().warnings, undefined)
  const { id } = made.json()
  const edit = (changes: object) =>
    app.inject({
      method: 'PATCH',
      url: `/api/v1/pieces/${id}`,
      headers: { ...headers, 'if-match': '*' },
      payload: changes,
    })
  assert.equal((await edit({ external_url: 'https://elsewhere.example/uhren' })).json().piece.translation_of, permanent)
  assert.equal((await edit({ translation_of: null })).json().piece.translation_of, undefined)
  assert.equal((await edit({ sub: 'x' })).json().piece.external_url, 'https://elsewhere.example/uhren')

  const { call } = asking(app, '/api/v1/mcp', headers)
  const drafted = await call('create_draft', { ...payload, headline: 'Von Uhren', translation_of: original })
  assert.equal(drafted.isError ?? false, false, JSON.stringify(drafted))
  const unknown = await call('create_draft', { ...payload, translation_of: '7b1c1a52-6b1e-4b7e-9a44-1f9a4b1f0c11' })
  assert.match(unknown.content[0].text, /public piece/)
  assert.equal((await translationsOf(original)).length, 0, 'naming makes nothing public')
})

test('the receipt of a translation names its original and the hash that the original’s own receipt has', async () => {
  const original = await published(desk, { headline: 'On glass' })
  const id = await published(desk, { headline: 'Über Glas', translation_of: original })
  const receiptOf = async (piece: string) => (await app.inject(`/p/${piece}/receipt`)).json()
  const signed = await receiptOf(id)
  assert.deepEqual(signed.receipt.translation_of, {
    piece: original,
    content: (await receiptOf(original)).receipt.content,
  })
  assert.equal((await receiptOf(original)).receipt.translation_of, undefined)
  const keys = (await app.inject('/.well-known/standfirst-receipts.json')).json()
  const piece = (await app.inject(`/api/public/pieces/${id}`)).json()
  assert.deepEqual(checkReceipt({ signed, keys, piece }).broken, [])
  const forged = { ...signed, receipt: { ...signed.receipt, translation_of: { piece: id, content: null } } }
  assert.equal(checkReceipt({ signed: forged, keys, piece }).broken.length, 1)
})

test('every page that names a piece is purged when the piece is published, changed or taken back', async () => {
  const original = await published(desk, { headline: 'On paper' })
  const german = await published(desk, { headline: 'Über Papier', translation_of: original })
  const tagsOf = async (id: string) =>
    String((await app.inject(`/api/public/pieces/${id}`)).headers['surrogate-key'] ?? '')
  assert.ok((await tagsOf(original)).includes(`piece-${german}`))
  assert.ok((await tagsOf(german)).includes(`piece-${original}`))
  const purged = async () =>
    (await admin.query(`select data from jobs.job where name = 'cache.purge' order by created_on desc limit 1`)).rows[0]
      .data.tags
  await published(desk, { headline: 'Du papier', translation_of: original })
  const tags = await purged()
  for (const id of [original, german]) assert.ok(tags.includes(`piece-${id}`), id)
})

test('a refusal that meets a publication under way ends the translation too', async () => {
  const original = await published(desk, { headline: 'On wind' })
  const id = await other.begin({ headline: 'Über Wind', translation_of: original })
  await other.ask('POST', `pieces/${id}/ask-author`)
  await answer(desk, id, true)
  await other.act('publish', id)
  await save(other, id, { sub: 'Noch einmal' })
  const refusal = await inTransaction(admin, async (publication) => {
    await publication.query('set local role svc_publisher')
    await publication.query('select from app.pieces where id = $1 for update', [id])
    const refused = answer(desk, id, false)
    await waitForLockWait(admin, 'app.pieces')
    await publication.query('update pub.pieces set translation_of = $2 where id = $1', [id, original])
    return { refused }
  })
  assert.equal((await refusal.refused).statusCode, 200)
  assert.deepEqual(await translationsOf(original), [])
})

test('an edit that is not public leaves the author their answer', async () => {
  const original = await published(desk, { headline: 'On stone' })
  const id = await other.begin({ headline: 'Über Stein', translation_of: original })
  await other.ask('POST', `pieces/${id}/ask-author`)
  await answer(desk, id, true)
  await other.act('publish', id)
  await save(other, id, { translation_of: null })
  const { translations } = (await desk.ask('GET', 'translations')).json()
  assert.ok(translations.some((one: { id: string }) => one.id === id))
  assert.equal((await answer(desk, id, false, original)).statusCode, 200)
  assert.deepEqual(await translationsOf(original), [])
  await answer(desk, id, true, original)
  assert.deepEqual(await translationsOf(original), [], 'nobody publishes what the draft no longer says')
})

test('consent that was withdrawn while the translation was away does not return with it', async () => {
  const moderator = deskOf(app, await makeModerator(admin))
  const original = await published(desk, { headline: 'On sand' })
  const carl = await makeWriter(admin, { slug: 'carl', name: 'Carl' })
  const id = await deskOf(app, carl).begin({ headline: 'Über Sand', translation_of: original })
  await deskOf(app, carl).ask('POST', `pieces/${id}/ask-author`)
  await answer(desk, id, true)
  assert.equal((await deskOf(app, carl).act('publish', id)).statusCode, 200)
  const suspended = await moderator.ask('POST', 'review/writers/carl/suspend', { reason: 'It is spam.' })
  assert.equal(suspended.statusCode, 200, suspended.body)
  assert.equal((await answer(desk, id, false)).statusCode, 200)
  const restored = await moderator.ask('POST', 'review/writers/carl/restore', { reason: 'It is none.' })
  assert.equal(restored.statusCode, 200, restored.body)
  assert.equal((await app.inject(`/api/public/pieces/${id}`)).statusCode, 200)
  assert.deepEqual(await translationsOf(original), [])
})

test('a piece that takes the id of a deleted original has none of its translations', async () => {
  const original = await published(desk, { headline: 'On dust' })
  const id = await published(desk, { headline: 'Über Staub', translation_of: original })
  await desk.act('unpublish', original)
  await desk.ask('DELETE', `pieces/${original}`)
  await desk.ask('DELETE', 'trash')
  const taken = await other.ask('POST', `pieces?id=${original}`, { headline: 'Not on dust', body_md: 'Mine.' })
  assert.equal(taken.statusCode, 201, taken.body)
  await other.act('publish', original)
  assert.deepEqual(await translationsOf(original), [])
  assert.deepEqual(await translationsOf(id), [])
})

test('one author is asked ten times a day at most, also by drafts that were deleted since', async () => {
  const dora = await makeWriter(admin, { slug: 'dora' })
  const theirs = deskOf(app, dora)
  const original = await published(desk, { headline: 'On noise' })
  const ask = async () => {
    const id = await theirs.begin({ headline: 'Über Lärm', translation_of: original })
    const { statusCode } = await theirs.ask('POST', `pieces/${id}/ask-author`)
    await theirs.ask('DELETE', `pieces/${id}`)
    await theirs.ask('DELETE', 'trash')
    return statusCode
  }
  const codes = []
  for (let times = 0; times < 11; times += 1) codes.push(await ask())
  assert.deepEqual(codes, [...Array<number>(10).fill(200), 409])
})

test('an answer given twice is told once', async () => {
  const original = await published(desk, { headline: 'On echo' })
  const id = await other.begin({ headline: 'Über Echo', translation_of: original })
  await other.ask('POST', `pieces/${id}/ask-author`)
  await answer(desk, id, true)
  await answer(desk, id, true)
  assert.equal((await emailsFor(id)).filter(({ about }) => about === 'answered').length, 1)
})
