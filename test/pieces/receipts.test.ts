import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkReceipt } from '../../server/features/pieces/receipts/check.ts'
import { canonicalJson, createSigner, hashOf } from '../../server/platform/crypto.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { inTransaction, makeKey, makeWriter } from '../../testkit/factories.ts'
import { withoutId } from '../../testkit/http.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'

/** Receipts: what a person published and when, with a signature that detects any changed bit. */

const { url, admin, app } = await testSite({ MEDIA_URL: mediaFolder().url })
const writer = await makeWriter(admin, { slug: 'ada' })
const desk = deskOf(app, writer)
const moderators = deskOf(app, await makeModerator(admin))
const { key } = await makeKey(admin, writer)

const get = (path: string, headers: Record<string, string> = {}) => app.inject({ url: path, headers })
const receiptOf = async (id: string) => (await get(`/p/${id}/receipt`)).json()
const pieceOf = async (id: string) => (await get(`/api/public/pieces/${id}`)).json()
const keysNow = async () => (await get('/.well-known/standfirst-receipts.json')).json()
const everythingOf = async (id: string) => ({
  signed: await receiptOf(id),
  piece: await pieceOf(id),
  keys: await keysNow(),
})
const save = (id: string, changes: object) => desk.ask('PATCH', `pieces/${id}`, changes, { 'if-match': '*' })

async function published(given: object = {}): Promise<string> {
  const id = await desk.begin(given)
  assert.equal((await desk.act('publish', id)).statusCode, 200)
  return id
}

async function draftByKey(given: object): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/pieces',
    headers: { authorization: `Bearer ${key}` },
    payload: { headline: 'By a program', body_md: 'A body.', ...given },
  })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().piece_id ?? answer.json().id
}

test('a piece published at the desk has a receipt that its piece and the site’s keys verify', async () => {
  const id = await published({ headline: 'On tea', sub: 'Four minutes.', body_md: 'A *cup*.', tags: ['tea'] })
  const answer = await get(`/p/${id}/receipt`)
  assert.equal(answer.statusCode, 200)
  const { ok, receipt, signature, piece_url, keys_url } = answer.json()
  const { piece } = await pieceOf(id)
  assert.equal(ok, true)
  assert.deepEqual(
    { ...receipt, content: undefined },
    {
      version: 1,
      number: 1,
      previous: null,
      piece: id,
      author: { id: writer.id, slug: 'ada' },
      act: 'publish',
      by: 'person',
      role: 'writer',
      proof: { method: 'password', seconds: receipt.proof?.seconds, of_this_revision: false },
      revision: 1,
      revisions_by_key: [],
      first_published: piece.date_published,
      published: piece.date_modified,
      content: undefined,
    },
  )
  assert.equal(signature.algorithm, 'Ed25519')
  assert.equal(piece_url, `https://site.test/api/public/pieces/${id}`)
  assert.equal(keys_url, 'https://site.test/.well-known/standfirst-receipts.json')
  assert.deepEqual(checkReceipt(await everythingOf(id)).broken, [])
})

test('a receipt is kept and purged like its piece', async () => {
  const id = await published()
  const [receipt, piece] = [await get(`/p/${id}/receipt`), await get(`/api/public/pieces/${id}`)]
  for (const header of ['cache-control', 'surrogate-key', 'cache-tag', 'access-control-allow-origin'])
    assert.equal(receipt.headers[header], piece.headers[header], header)
  const again = await get(`/p/${id}/receipt`, { 'if-none-match': String(receipt.headers['etag']) })
  assert.equal(again.statusCode, 304)
})

test('which revisions came by key is said, and that a person published them all the same', async () => {
  const id = await draftByKey({})
  await save(id, { body_md: 'A body, by hand.' })
  const patched = await app.inject({
    method: 'PATCH',
    url: `/api/v1/pieces/${id}`,
    headers: { authorization: `Bearer ${key}`, 'if-match': '*' },
    payload: { body_md: 'A body, by a program once more.' },
  })
  assert.equal(patched.statusCode, 200, patched.body)
  assert.equal((await desk.act('publish', id)).statusCode, 200)
  const first = (await receiptOf(id)).receipt
  assert.deepEqual([first.revision, first.revisions_by_key, first.by], [3, [1, 3], 'person'])

  await save(id, { body_md: 'By hand at last.' })
  assert.deepEqual((await receiptOf(id)).receipt, first, 'a save that is not public changed a receipt')
  await desk.act('update', id)
  const second = (await receiptOf(id)).receipt
  assert.deepEqual([second.revision, second.revisions_by_key, second.act], [4, [1, 3], 'update'])
})

test('each receipt names the one before, also after the piece was away', async () => {
  const id = await published({ body_md: 'First.' })
  const first = (await receiptOf(id)).receipt
  await save(id, { body_md: 'Second.' })
  await desk.act('update', id)
  const second = (await receiptOf(id)).receipt
  await desk.act('unpublish', id)
  await desk.act('publish', id)
  const third = (await receiptOf(id)).receipt
  const hash = (receipt: unknown) => hashOf(canonicalJson(receipt)).toString('hex')
  assert.deepEqual([first.previous, second.previous, third.previous], [null, hash(first), hash(second)])
  assert.deepEqual([first.number, second.number, third.number], [1, 2, 3])
  assert.equal(third.first_published, first.first_published)
  assert.equal(third.content, second.content)
  assert.notEqual(second.content, first.content)
})

test('an approved piece has the receipt of a moderator’s act, and names nobody', async () => {
  const id = await desk.begin({ headline: 'Reviewed' })
  await desk.act('submit', id)
  assert.equal((await moderators.act('approve', id)).statusCode, 200)
  const answer = await get(`/p/${id}/receipt`)
  const { receipt } = answer.json()
  assert.deepEqual([receipt.act, receipt.by, receipt.role], ['approve', 'person', 'moderator'])
  const { rows } = await admin.query('select account_id, session_id from app.audit where piece_id = $1', [id])
  for (const { account_id, session_id } of rows)
    assert.ok(!answer.body.includes(account_id) && !answer.body.includes(session_id))
  assert.deepEqual(checkReceipt(await everythingOf(id)).broken, [])
})

test('what is not public has no receipt, and is refused as its piece is', async () => {
  const draft = await desk.begin()
  const gone = await published()
  await desk.act('unpublish', gone)
  const taken = await published()
  await moderators.act('take_down', taken)
  for (const id of [draft, gone, taken, 'nothing', '00000000-0000-4000-8000-000000000000']) {
    const [receipt, piece] = [await get(`/p/${id}/receipt`), await get(`/api/public/pieces/${id}`)]
    assert.equal(receipt.statusCode, 404)
    assert.equal(withoutId(receipt.body), withoutId(piece.body))
  }
  const { rowCount } = await admin.query('select from pub.receipts where piece_id = any($1::uuid[])', [[gone, taken]])
  assert.equal(rowCount, 0)
})

test('a piece from before there were receipts is told apart from one that is not public, and its page links to none', async () => {
  const id = await published({ headline: 'Before receipts' })
  assert.match((await get('/author/ada/before-receipts')).body, /\/receipt"[^>]*>How this was published/)
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query('delete from pub.receipts where piece_id = $1', [id])
  })
  const answer = await get(`/p/${id}/receipt`)
  assert.equal(answer.statusCode, 404)
  assert.match(answer.json().detail, /before this site issued receipts/)
  assert.doesNotMatch((await get('/author/ada/before-receipts')).body, /How this was published/)
})

test('whoever asks for a page gets the same in words', async () => {
  const id = await draftByKey({ headline: 'In <words>' })
  await desk.act('publish', id)
  const page = await get(`/p/${id}/receipt`, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
  const { receipt, signature } = await receiptOf(id)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(String(page.headers['vary']), /Accept/)
  assert.match(
    page.body,
    /The author, signed in at the desk, published <a [^>]*><bdi>.*In &lt;words&gt;<\/bdi><\/a>\. Software can’t publish here\./,
  )
  assert.match(page.body, /Every revision came from the API\./)
  for (const fact of [receipt.content, signature.key, signature.value]) assert.ok(page.body.includes(fact))
})

describe('what was published', () => {
  const wild = [
    ['quotes, tags and controls', 'A "quote" \\ <b> &amp; \u2028 \u007f', '`code` <i>\n\n\ttab "q" \\\\ é e\u0301'],
    ['other scripts and emoji', 'في مديح البطء 👩‍👩‍👧 𝒯𝑒𝒶', '日本語 **太字** \u{1F375}\n\n> 引用'],
    ['long', 'Long', 'A sentence of some length that is repeated. '.repeat(2000)],
  ] as const
  for (const [name, headline, body_md] of wild) {
    test(`verifies whatever it is: ${name}`, async () => {
      const id = await published({ headline, body_md, external_url: 'https://elsewhere.example/a?b=1&c=2' })
      assert.deepEqual(checkReceipt(await everythingOf(id)).broken, [])
    })
  }

  test('verifies with pictures of the site, also once the site has moved', async () => {
    const hash = await uploaderOf(app, writer).upload(await photograph(7))
    const body_md = `![Tea](/media/${hash})\n\n[The same](https://site.test/media/${hash})`
    const given = await everythingOf(await published({ headline: 'A picture', body_md }))
    assert.match(given.piece.piece.content_html, new RegExp(`https://site.test/media/${hash}`))
    assert.deepEqual(checkReceipt(given).broken, [])
    const moved = JSON.parse(JSON.stringify(given.piece).replaceAll('https://site.test', 'https://new.example/press'))
    assert.deepEqual(checkReceipt({ ...given, piece: moved }).broken, [])
  })
})

describe('a change of one bit', async () => {
  const id = await draftByKey({ headline: 'On bits', sub: 'One of them.', body_md: 'A *text*.', tags: ['a', 'b'] })
  await save(id, { body_md: 'A *text* by hand.' })
  await desk.act('publish', id)
  await save(id, { external_url: 'https://elsewhere.example/' })
  await desk.act('update', id)
  const { signed, piece, keys } = await everythingOf(id)

  /** Every text that differs in one bit and is still valid. */
  function* flipped(value: unknown): Generator<unknown> {
    const bytes = Buffer.from(JSON.stringify(value))
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      try {
        yield JSON.parse(changed.toString())
      } catch {}
    }
  }

  test('in the receipt is noticed', () => {
    let tried = 0
    for (const receipt of flipped(signed.receipt)) {
      const { broken } = checkReceipt({ signed: { ...signed, receipt }, piece, keys })
      assert.equal(broken.length, 1, JSON.stringify(receipt))
      tried += 1
    }
    assert.ok(tried > 1000, `${tried}`)
  })

  test('in the signature, or the name of its key, is noticed', () => {
    for (const signature of flipped(signed.signature))
      assert.equal(checkReceipt({ signed: { ...signed, signature }, piece, keys }).broken.length, 1)
  })

  test('in the key is noticed', () => {
    for (const x of flipped(keys.keys[0].x))
      assert.equal(checkReceipt({ signed, piece, keys: { keys: [{ ...keys.keys[0], x }] } }).broken.length, 1)
  })

  for (const member of [
    ...['title', 'summary', 'content_html', 'content_text', 'tags', 'category', 'kind', 'external_url'],
    ...['date_published', 'date_modified'],
  ]) {
    test(`in the piece's ${member} is noticed`, () => {
      let tried = 0
      for (const changed of flipped(piece.piece[member])) {
        const { broken } = checkReceipt({ signed, keys, piece: { ...piece.piece, [member]: changed } })
        assert.equal(broken.length, 1, JSON.stringify(changed))
        tried += 1
      }
      assert.ok(tried > 5, `${tried}`)
    })
  }

  test('is what makes the difference: unchanged it verifies', () => {
    const { broken, proven, unproven } = checkReceipt({ signed, piece, keys })
    assert.deepEqual(broken, [])
    assert.match(
      proven.join(' '),
      /are exactly those it was issued for.*the author published this version at the desk.*Revision 1 came from the API/,
    )
    assert.match(unproven.join(' '), /people can paste text that software wrote/)
  })

  test('nor does a receipt verify for another piece, with a part that is missing, or with one too many', async () => {
    const other = await pieceOf(await published())
    const { content: _, ...less } = signed.receipt
    for (const given of [
      { signed, keys, piece: other },
      { signed: { ...signed, receipt: less }, keys, piece },
      { signed: { ...signed, receipt: { ...signed.receipt, more: 1 } }, keys, piece },
      { signed: null, keys, piece },
      { signed, keys: { keys: [] }, piece },
      { signed, keys: [], piece },
      { signed, keys, piece: { title: 'Nothing else' } },
    ])
      assert.equal(checkReceipt(given).broken.length, 1)
  })

  test('without a piece it is said that no text was compared', () => {
    const { broken, unproven } = checkReceipt({ signed, keys, piece: undefined })
    assert.deepEqual(broken, [])
    assert.match(unproven[0]!, /no piece was given/)
  })
})

test('another site’s key verifies nothing of this one, whatever it is called', async () => {
  const given = await everythingOf(await published())
  const { keyId, publicKey, sign } = createSigner('the-secret-of-quite-another-site-0123')
  const theirs = { kty: 'OKP', crv: 'Ed25519', kid: keyId, x: publicKey.toString('base64url') }
  const own = given.signed.signature.key
  const text = canonicalJson(given.signed.receipt)
  const forged = { algorithm: 'Ed25519', value: sign(text).toString('base64url') }
  for (const [signature, keys] of [
    [given.signed.signature, [theirs]],
    [given.signed.signature, [{ ...theirs, kid: own }]],
    [{ ...forged, key: own }, given.keys.keys],
    [{ ...forged, key: keyId }, given.keys.keys],
    [{ ...forged, key: own }, [{ ...theirs, kid: own }]],
  ])
    assert.equal(checkReceipt({ ...given, signed: { ...given.signed, signature }, keys: { keys } }).broken.length, 1)
})

test('a new key takes over, and what the old one signed still verifies', async () => {
  const before = await published({ headline: 'Under the old key' })
  const renewed = await testApp(url, { RECEIPT_KEY: 'a-new-secret-for-receipts-of-this-site' })
  const id = await desk.begin({ headline: 'Under the new key' })
  assert.equal((await deskOf(renewed, writer).act('publish', id)).statusCode, 200)
  const [old, young] = [await everythingOf(before), await everythingOf(id)]
  assert.notEqual(old.signed.signature.key, young.signed.signature.key)
  assert.deepEqual(checkReceipt(old).broken, [])
  assert.deepEqual(checkReceipt(young).broken, [])
  assert.ok(young.keys.keys.length >= 2)
  for (const { kty, crv, alg, use, x } of young.keys.keys)
    assert.deepEqual([kty, crv, alg, use, x.length], ['OKP', 'Ed25519', 'EdDSA', 'sig', 43])
})
