import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { sendCoAuthorEmail } from '../../server/features/pieces/co-authors.ts'
import { testSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { deskOf } from '../../testkit/desk.ts'
import { inTransaction, makeKey, makeWriter } from '../../testkit/factories.ts'
import { deleteNow } from '../../testkit/jobs.ts'
import { asking } from '../mcp/site.ts'

/** A piece names others besides its writer only while each of them agrees, for this piece, in a session of theirs. */

const { url, admin, app } = await testSite()
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const berta = await makeWriter(admin, { slug: 'berta', name: 'Berta', verified: true })
const cem = await makeWriter(admin, { slug: 'cem', name: 'Cem', shown: false })
const desk = deskOf(app, ada)
const other = deskOf(app, berta)
const third = deskOf(app, cem)
const worker = workerDatabase(url)

// Ada invites more often in these tests than the limit of a day allows.
beforeEach(() => admin.query("update app.co_authors set invited_at = invited_at - interval '2 days'"))

type Desk = typeof desk
const invite = (id: string, ...authors: string[]) => desk.ask('PUT', `pieces/${id}/co-authors`, { authors })
const answer = (by: Desk, id: string, agreed: boolean) => by.ask('POST', `co-authors/${id}/answer`, { agreed })
const pieceOf = async (id: string) => (await app.inject(`/api/public/pieces/${id}`)).json().piece
const namesOf = async (id: string): Promise<string[]> =>
  (await pieceOf(id)).authors.map(({ name }: { name: string }) => name)
const statesOf = (answered: { json: () => { authors: { slug: string; answer: string | null }[] } }) =>
  answered.json().authors.map(({ slug, answer }) => [slug, answer])

async function published(headline: string, ...agreeing: Desk[]): Promise<string> {
  const id = await desk.begin({ headline })
  if (agreeing.length > 0) {
    const slugs = agreeing.map((one) => (one === other ? 'berta' : 'cem'))
    assert.equal((await invite(id, ...slugs)).statusCode, 200)
    for (const one of agreeing) assert.equal((await answer(one, id, true)).statusCode, 200)
  }
  const act = await desk.act('publish', id)
  assert.equal(act.statusCode, 200, act.body)
  return id
}

const byOperator = (sql: string, values: unknown[] = []) => inTransaction(admin, (client) => client.query(sql, values))
const suspend = ({ id }: { id: string }) => byOperator("select app.suspend_writer($1, null, 'Spam.')", [id])
const restore = ({ id }: { id: string }) => byOperator('select app.restore_writer($1, null, null)', [id])

const jobsFor = async (kind: string, piece: string) =>
  (
    await admin.query(
      `select data from jobs.job where name = $1 and (data ->> 'piece' = $2 or data -> 'tags' ? ('piece-' || $2)) order by created_on`,
      [kind, piece],
    )
  ).rows.map(({ data }) => data)

test('a co-author is named from their consent on, in the order of the byline, and until they withdraw it', async () => {
  const id = await desk.begin({ headline: 'On tea' })
  assert.deepEqual(statesOf(await invite(id, 'cem', 'berta')), [
    ['cem', null],
    ['berta', null],
  ])
  await desk.act('publish', id)
  assert.deepEqual(await namesOf(id), ['Ada'], 'an invitation shows nothing')
  assert.equal((await app.inject('/api/public/authors/cem')).statusCode, 404)
  await answer(other, id, true)
  assert.deepEqual(await namesOf(id), ['Ada', 'Berta'])
  await answer(third, id, true)
  assert.deepEqual(await namesOf(id), ['Ada', 'Cem', 'Berta'])
  await invite(id, 'berta', 'cem')
  assert.deepEqual(await namesOf(id), ['Ada', 'Berta', 'Cem'])

  await desk.ask('PATCH', `pieces/${id}`, { sub: 'Once more' }, { 'if-match': '*' })
  await desk.act('update', id)
  assert.deepEqual(await namesOf(id), ['Ada', 'Berta', 'Cem'], 'an update does not end consent')
  await desk.ask('POST', `pieces/${id}/unpublish`)
  await desk.act('publish', id)
  assert.deepEqual(await namesOf(id), ['Ada', 'Berta', 'Cem'])

  const purges = (await jobsFor('cache.purge', id)).length
  await answer(third, id, false)
  assert.deepEqual(await namesOf(id), ['Ada', 'Berta'])
  const purged = (await jobsFor('cache.purge', id)).slice(purges).flatMap(({ tags }) => tags)
  for (const tag of [`piece-${id}`, 'author-ada', 'author-cem', 'byline-cem', 'pieces'])
    assert.ok(purged.includes(tag), tag)
  assert.equal((await app.inject('/author/cem')).statusCode, 404, 'nothing else had made this profile public')
  assert.deepEqual(statesOf(await desk.ask('GET', `pieces/${id}/co-authors`)), [
    ['berta', 'agreed'],
    ['cem', 'withdrawn'],
  ])
  await answer(third, id, true)
  assert.deepEqual(await namesOf(id), ['Ada', 'Berta', 'Cem'])
})

test('consent is for one piece', async () => {
  const one = await published('On salt', other)
  const two = await desk.begin({ headline: 'On pepper' })
  await invite(two, 'berta')
  await desk.act('publish', two)
  assert.deepEqual([await namesOf(one), await namesOf(two)], [['Ada', 'Berta'], ['Ada']])
})

test('who is removed has to be invited and to agree again, and who declined is not asked twice', async () => {
  const id = await published('On bread', other)
  assert.deepEqual(statesOf(await invite(id)), [])
  assert.deepEqual(await namesOf(id), ['Ada'])
  assert.equal((await answer(other, id, true)).statusCode, 404)
  assert.deepEqual(statesOf(await invite(id, 'berta')), [['berta', null]])
  assert.deepEqual(await namesOf(id), ['Ada'])
  assert.equal((await jobsFor('co_author.email', id)).filter(({ about }) => about === 'invited').length, 1)

  await answer(other, id, false)
  await invite(id)
  assert.deepEqual(statesOf(await invite(id, 'berta')), [['berta', 'declined']])
  assert.equal((await jobsFor('co_author.email', id)).filter(({ about }) => about === 'invited').length, 1)
  await answer(other, id, true)
  assert.deepEqual(await namesOf(id), ['Ada', 'Berta'], 'they can still change their answer')
})

describe('an invited person', () => {
  test('finds the piece in a list and reads it as it is now, until they decline or are removed', async () => {
    const id = await desk.begin({ headline: 'On butter', body_md: 'Cold, on warm bread.' })
    const show = (by: Desk, revision = 1) => by.ask('POST', `co-authors/${id}/preview`, { revision })
    assert.equal((await show(other)).statusCode, 404)
    await invite(id, 'berta')
    const list = (await other.ask('GET', 'co-authors')).json()
    const entry = list.invitations.find((one: { id: string }) => one.id === id)
    assert.deepEqual(
      [entry.headline, entry.writer, entry.answer, entry.is_public],
      ['On butter', { slug: 'ada', name: 'Ada' }, null, false],
    )
    const { page } = (await show(other)).json()
    assert.match((await app.inject(page)).body, /Cold, on warm bread/)
    assert.equal((await show(other, 2)).statusCode, 404, 'only as it is now')
    assert.equal((await show(third)).statusCode, 404)
    for (const path of [`pieces/${id}`, `pieces/${id}/revisions`])
      assert.equal((await other.ask('GET', path)).statusCode, 404, path)
    await answer(other, id, true)
    assert.match((await app.inject((await show(other)).json().page)).body, /Berta/, 'the page has the byline')
    await answer(other, id, false)
    assert.equal((await app.inject(page)).statusCode, 404)
    await answer(other, id, true)
    await invite(id)
    assert.equal((await show(other)).statusCode, 404)
  })

  test('can neither edit, publish, unpublish, schedule nor delete the piece, nor invite others', async () => {
    const id = await published('On jam', other)
    const acts: [string, string, object?][] = [
      ['PATCH', `pieces/${id}`, { headline: 'Mine' }],
      ['DELETE', `pieces/${id}`],
      ['POST', `pieces/${id}/preview`],
      ['POST', `pieces/${id}/unpublish`],
      ['POST', `pieces/${id}/schedule`, { nonce: 'a'.repeat(43), at: '2099-01-01T00:00:00.000Z' }],
      ['POST', `pieces/${id}/links`, { days: 1 }],
      ['GET', `pieces/${id}/co-authors`],
      ['PUT', `pieces/${id}/co-authors`, { authors: ['cem'] }],
    ]
    for (const [method, path, body] of acts) {
      const refused = await other.ask(method as 'GET', path, body, { 'if-match': '*' })
      assert.equal(refused.statusCode, 404, `${method} ${path}: ${refused.body}`)
    }
  })

  test('is emailed when invited, and the writer when answered, with the headline', async () => {
    const id = await desk.begin({ headline: 'On honey' })
    await invite(id, 'berta')
    const sent: [string, unknown][] = []
    const send = async (account: string, order: unknown) => void sent.push([account, order])
    const [invited] = await jobsFor('co_author.email', id)
    await sendCoAuthorEmail(worker, send as never, invited, 'a')
    await answer(other, id, true)
    const [, answered] = await jobsFor('co_author.email', id)
    await sendCoAuthorEmail(worker, send as never, answered, 'b')
    assert.deepEqual(sent, [
      [berta.accountId, { template: 'co-author-invited', params: { headline: 'On honey', writer: 'Ada' } }],
      [
        ada.accountId,
        {
          template: 'co-author-answered',
          params: { piece: id, headline: 'On honey', name: 'Berta', answer: 'agreed' },
        },
      ],
    ])
  })
})

describe('inviting', () => {
  test('finds public writers by name, others only by their whole address, and never the writer themselves', async () => {
    await published('On search', other)
    const hidden = await makeWriter(admin, { slug: 'hidden-one', name: 'Hidden One', shown: false })
    const find = async (q: string) =>
      (await desk.ask('GET', `co-authors/writers?q=${encodeURIComponent(q)}`)).json().writers
    assert.deepEqual(await find('BERT'), [{ slug: 'berta', name: 'Berta' }])
    assert.deepEqual([await find('hidden'), await find('ada'), await find('%')], [[], [], []])
    assert.deepEqual(await find('hidden-one'), [{ slug: hidden.slug, name: 'Hidden One' }])
  })

  test('refuses oneself, unknown and doubled names, and more than ten', async () => {
    const id = await desk.begin({ headline: 'On limits' })
    assert.equal((await invite(id, 'ada')).statusCode, 400)
    assert.equal((await invite(id, 'nobody-at-all')).statusCode, 404)
    assert.equal((await invite(id, 'berta', 'berta')).statusCode, 404)
    assert.equal((await invite(id, ...Array.from({ length: 11 }, (_, at) => `w${at}`))).statusCode, 400)
    assert.deepEqual(statesOf(await desk.ask('GET', `pieces/${id}/co-authors`)), [])
  })

  test('ends after twenty invitations a day', async () => {
    const busy = await makeWriter(admin, { slug: 'busy' })
    const busyDesk = deskOf(app, busy)
    const slugs: string[] = []
    for (let at = 0; at < 10; at++) slugs.push((await makeWriter(admin, { slug: `guest-${at}` })).slug)
    const set = async (authors: string[]) => {
      const id = await busyDesk.begin({ headline: 'Come in' })
      return (await busyDesk.ask('PUT', `pieces/${id}/co-authors`, { authors })).statusCode
    }
    assert.deepEqual([await set(slugs), await set(slugs), await set(slugs.slice(0, 1))], [200, 200, 409])
  })
})

describe('a name leaves the public at once', () => {
  test('when its writer is suspended, and the piece stays; it is back when they are restored', async () => {
    const id = await published('On fog', other, third)
    await suspend(berta)
    assert.deepEqual(await namesOf(id), ['Ada', 'Cem'])
    assert.doesNotMatch((await app.inject(`/author/ada/on-fog`)).body, /Berta/)
    await restore(berta)
    assert.deepEqual(await namesOf(id), ['Ada', 'Berta', 'Cem'])
  })

  test('when its account is deleted', async () => {
    const gone = await makeWriter(admin, { slug: 'gone', name: 'Gone' })
    const id = await desk.begin({ headline: 'On leaving' })
    await invite(id, 'gone')
    await answer(deskOf(app, gone), id, true)
    await desk.act('publish', id)
    assert.deepEqual(await namesOf(id), ['Ada', 'Gone'])
    assert.equal((await deskOf(app, gone).ask('DELETE', 'account', { name: 'Gone' })).statusCode, 202)
    await deleteNow(admin, url, gone.accountId)
    assert.deepEqual(await namesOf(id), ['Ada'])
    assert.equal((await admin.query('select from app.co_authors where writer_id = $1', [gone.id])).rowCount, 0)
  })

  test('and does not return with a piece that was hidden when it was withdrawn', async () => {
    const id = await published('On rain', other)
    await suspend(ada)
    await answer(other, id, false)
    await restore(ada)
    assert.deepEqual(await namesOf(id), ['Ada'])
    assert.equal((await app.inject(`/p/${id}/receipt`)).statusCode, 404, 'nor with its receipt')
  })

  test('and the id of a piece deleted for good brings no consent with it', async () => {
    const id = await desk.begin({ headline: 'On ids' })
    await invite(id, 'berta')
    await answer(other, id, true)
    await desk.ask('DELETE', `pieces/${id}`)
    await desk.ask('DELETE', `trash/${id}`)
    assert.deepEqual((await admin.query('select answer from app.co_authors where piece_id = $1', [id])).rows, [
      { answer: null },
    ])
  })
})

describe('the database', () => {
  const invited = `insert into app.co_authors (piece_id, writer_id, invited_by, position, answer, answered_at, answered_in)`

  test('takes consent only in a session of the invited person, from a superuser too', async () => {
    const id = await published('On consent')
    const { rows } = await admin.query('select id from app.sessions where account_id = $1 limit 1', [ada.accountId])
    for (const session of [rows[0].id, berta.accountId]) {
      const forged = admin.query(`${invited} values ($1, $2, $3, 1, 'agreed', now(), $4)`, [
        id,
        berta.id,
        ada.id,
        session,
      ])
      await assert.rejects(forged, /only the invited writer answers/)
    }
    await invite(id, 'berta')
    const agreed = admin.query(
      `update app.co_authors set answer = 'agreed', answered_at = now(), answered_in = $2 where piece_id = $1`,
      [id, rows[0].id],
    )
    await assert.rejects(agreed, /only the invited writer answers/)
    assert.deepEqual(await namesOf(id), ['Ada'])
  })

  test('computes the names, whatever is written as the list of them', async () => {
    const id = await published('On lists')
    await byOperator(
      `set local role svc_publisher; update pub.pieces set co_authors = array['${berta.id}'::uuid] where id = '${id}'`,
    )
    assert.deepEqual(await namesOf(id), ['Ada'])
  })

  test('lets a key neither invite, answer nor list, and no writer answer for another', async () => {
    const { key } = await makeKey(admin, berta)
    const id = await desk.begin({ headline: 'On keys' })
    await invite(id, 'berta')
    const headers = { authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' }
    const answering = { method: 'POST', url: `/desk/api/co-authors/${id}/answer`, payload: { agreed: true } } as const
    const inviting = { method: 'PUT', url: `/desk/api/pieces/${id}/co-authors`, payload: { authors: [] } } as const
    for (const request of [answering, inviting])
      assert.equal((await app.inject({ ...request, headers })).statusCode, 400)
    for (const by of [third, desk]) assert.equal((await answer(by, id, true)).statusCode, 404)
    for (const call of [
      `app.answer_co_author('${id}', sha256('x'), true)`,
      `app.desk_set_co_authors('${id}', sha256('x'), array['cem'])`,
      `app.co_author_invitations(sha256('x'))`,
    ])
      await assert.rejects(byOperator(`set local role svc_api; select ${call}`), /permission denied/)
    assert.deepEqual(statesOf(await desk.ask('GET', `pieces/${id}/co-authors`)), [['berta', null]])
  })
})

describe('every way to read a piece has the whole byline', () => {
  let id = ''
  before(async () => {
    assert.equal((await desk.ask('PUT', 'webhook', { url: 'https://hook.example/pieces' })).statusCode, 200)
    await admin.query("update app.webhooks set state = 'live', live_since = now() where writer_id = $1", [ada.id])
    id = await desk.begin({ headline: 'On everything' })
    await invite(id, 'berta', 'cem')
    await answer(other, id, true)
    await answer(third, id, true)
    await desk.act('publish', id)
  })
  const read = async (path: string) => (await app.inject(path)).body

  test('the API, lists, searches and tools', async () => {
    const { structuredContent: found } = await asking(app).call('get_piece', { id })
    const lists = await Promise.all(
      ['recent?limit=1', 'recent?author=ada&limit=1', 'search?q=On%20everything', 'search?q=everything&mode=words'].map(
        async (query) => {
          const body = (await app.inject(`/api/public/pieces/${query}`)).json()
          return (body.items ?? body.results)[0].authors
        },
      ),
    )
    for (const authors of [found.piece.authors, (await pieceOf(id)).authors, ...lists])
      assert.deepEqual(
        authors.map(({ slug, identity_verified }: Record<string, unknown>) => [slug, identity_verified]),
        [
          ['ada', false],
          ['berta', true],
          ['cem', false],
        ],
      )
  })

  test('feeds, which notice that a co-author is renamed', async () => {
    const names = async () =>
      JSON.parse(await read('/author/ada/feed.json')).items[0].authors.map(({ name }: { name: string }) => name)
    assert.deepEqual(await names(), ['Ada', 'Berta', 'Cem'])
    assert.deepEqual(
      [...(await read('/feed.xml')).matchAll(/<dc:creator>(.*?)<\/dc:creator>/g)].slice(0, 3).map(([, name]) => name),
      ['Ada', 'Berta', 'Cem'],
    )
    const { headers } = await app.inject('/author/ada/feed.json')
    assert.match(String(headers['surrogate-key'] ?? headers['cache-tag']), /byline-cem/)
    assert.equal((await third.ask('PATCH', 'profile', { name: 'Cem Yıldız' })).statusCode, 200)
    assert.deepEqual(await names(), ['Ada', 'Berta', 'Cem Yıldız'])
    await third.ask('PATCH', 'profile', { name: 'Cem' })
  })

  test('the page, its metadata, its Markdown and oEmbed', async () => {
    const page = await read('/author/ada/on-everything')
    const [, byline = ''] = /<p class="byline">(.*?)<\/p>/s.exec(page) ?? []
    assert.match(byline.replace(/<svg.*?<\/svg>|<[^>]+>/gs, ''), /^Ada, Berta and Cem/)
    assert.equal(byline.match(/rel="author"/g)?.length, 3)
    assert.equal(byline.match(/class="tick"/g)?.length, 1)
    assert.equal(page.match(/<meta property="article:author"/g)?.length, 3)
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
    assert.deepEqual(
      JSON.parse(json).author.map(({ name }: { name: string }) => name),
      ['Ada', 'Berta', 'Cem'],
    )
    assert.match(await read('/author/ada/on-everything.md'), /By \[Ada\].*\[Berta\].*\(identity verified\), \[Cem\]/)
    const { piece } = (await app.inject(`/api/public/pieces/${id}`)).json()
    assert.equal(
      JSON.parse(await read(`/oembed?url=${encodeURIComponent(piece.url)}`)).author_name,
      'Ada, Berta and Cem',
    )
    for (const path of ['/author/ada', '/']) assert.match(await read(path), /Berta/, path)
  })

  test('the webhook', async () => {
    const { rows } = await admin.query('select body from app.deliveries where piece_id = $1', [id])
    const names = JSON.parse(rows[0].body.toString()).authors.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['Ada', 'Berta', 'Cem'])
  })
})

test('the receipt names who had agreed, and is withdrawn with their name until the next update', async () => {
  const id = await published('On receipts', other)
  const receiptOf = () => app.inject({ url: `/p/${id}/receipt`, headers: { accept: 'application/json' } })
  assert.deepEqual((await receiptOf()).json().receipt.co_authors, [{ id: berta.id, slug: 'berta' }])
  await answer(other, id, false)
  assert.equal((await receiptOf()).statusCode, 404)
  await desk.ask('PATCH', `pieces/${id}`, { sub: 'Alone' }, { 'if-match': '*' })
  assert.equal((await desk.act('update', id)).statusCode, 200)
  const { receipt } = (await receiptOf()).json()
  assert.deepEqual([receipt.co_authors, receipt.number], [undefined, 2])
  assert.equal((await receiptOf()).body.includes('berta'), false)
  assert.equal((await receiptOf()).json().receipt.previous.length, 64, 'the chain goes on')
})
