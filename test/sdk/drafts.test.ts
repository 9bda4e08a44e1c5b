import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { type Draft, standfirst } from '@standfirst/sdk'
import { makePiece, unpublish } from '../../testkit/factories.ts'
import { lossyProxy } from '../../testkit/network.ts'
import { countRows, minimalPiece } from '../../testkit/write-api.ts'
import { sdkSite } from './site.ts'

/** The package's client against a real site: what a key may do. */

const { admin, writer, key, port, base, site, asked, rest } = await sdkSite()
const { drafts } = site

describe('a draft', () => {
  test('is made, read, changed, listed and deleted, as REST answers', async () => {
    const made = await drafts.create({ ...minimalPiece, category: 'life', tags: ['tea'] })
    assert.deepEqual([made.status, made.edit_url], ['draft', `https://site.test/desk/edit/pieces/${made.id}`])

    const { revision, ...read } = await drafts.get(made.id)
    assert.deepEqual({ ok: true, piece: read }, await rest(`/api/v1/pieces/${made.id}`))

    const changed = await drafts.update({ id: made.id, revision }, { sub: 'Long enough.', tags: [] })
    assert.notEqual(changed.revision, revision)
    const { revision: _, ...asRest } = changed
    assert.deepEqual({ ok: true, piece: asRest }, await rest(`/api/v1/pieces/${made.id}`))
    assert.deepEqual([changed.headline, changed.sub, changed.tags], [minimalPiece.headline, 'Long enough.', []])

    const listed = await drafts.list({ status: 'draft', limit: 1 }).page()
    assert.deepEqual(listed, await rest('/api/v1/pieces/me?status=draft&limit=1'))
    assert.equal(listed.pieces[0]!.id, made.id)

    assert.equal(await drafts.delete(changed), undefined)
    await assert.rejects(drafts.get(made.id), { status: 404, reason: 'not_found' })
  })

  test('is reached by one call for each address of the description, each with the key', () => {
    const { paths } = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
    const lines = Object.keys(paths)
      .filter((path) => path.startsWith('/api/v1/pieces'))
      .flatMap((path) => Object.keys(paths[path]).map((method) => `${method.toUpperCase()} ${path}`))
    const made = new Set(asked.map(({ line }) => line.replace(/[0-9a-f-]{36}$/, '{id}').replace(/\?.*/, '')))
    assert.deepEqual([...made].sort(), lines.sort())
    for (const { headers } of asked) assert.equal(headers.get('authorization'), `Bearer ${key}`)
  })

  test('is changed by nobody who has not read it last', async () => {
    const { id } = await drafts.create(minimalPiece)
    const mine = await drafts.get(id)
    const theirs = await drafts.get(id)
    await drafts.update(theirs, { headline: 'Theirs' })
    await assert.rejects(drafts.update(mine, { headline: 'Mine' }), { status: 412, reason: 'precondition_failed' })
    await assert.rejects(drafts.delete(mine), { status: 412 })
    const again = await drafts.get(id)
    assert.equal((await drafts.update(again, { headline: 'Mine' })).headline, 'Mine')
  })

  test('that was just made is changed without being read, and told from one that was made before', async () => {
    const once = { idempotencyKey: 'made-and-changed' }
    const made = await drafts.create(minimalPiece, once)
    assert.deepEqual([made.revision, made.replayed], ['"1"', false])
    assert.equal((await drafts.update(made, { sub: 'At once' })).sub, 'At once')
    const again = await drafts.create(minimalPiece, once)
    assert.deepEqual([again.id, again.revision, again.replayed], [made.id, '"1"', true])
    await assert.rejects(drafts.update(again, { sub: 'Over it' }), { status: 412 })
  })

  test('is changed through a proxy that packs answers and weakens their tags, and by whoever sends such a tag', async () => {
    const packing: typeof fetch = async (address, init) => {
      const answer = await fetch(address, init)
      const headers = new Headers(answer.headers)
      headers.set('etag', `W/${headers.get('etag')}`)
      return new Response(answer.body, { status: answer.status, headers })
    }
    const made = await standfirst({ base, key, fetch: packing }).drafts.create(minimalPiece)
    assert.equal(made.revision, '"1"')
    const changed = await drafts.update({ ...made, revision: 'W/"1"' }, { sub: 'By a weak tag' })
    assert.equal(changed.sub, 'By a weak tag')
    await assert.rejects(drafts.update({ ...made, revision: 'W/"1"' }, { sub: 'Again' }), { status: 412 })
  })

  test('of a list is not changed before it was read, and the sentence says what to do', async () => {
    const [listed] = await drafts.list().take(1)
    const unread = listed as unknown as Draft
    await assert.rejects(drafts.update(unread, { sub: 'x' }), /^TypeError: Read the draft first, with drafts\.get/)
    await assert.rejects(drafts.delete(unread), TypeError)
  })

  test('is listed over all pages, beside what became public', async () => {
    const published = await makePiece(admin, writer, { headline: 'Public' })
    for (let count = 0; count < 5; count += 1) await drafts.create({ ...minimalPiece, headline: `Number ${count}` })
    const ids: string[] = []
    for await (const { id } of drafts.list({ limit: 2 })) ids.push(id)
    assert.equal(ids.length, await countRows(admin, 'app.pieces where deleted_at is null'))
    assert.equal(new Set(ids).size, ids.length)
    const live = await drafts.get(published)
    assert.deepEqual([live.status, live.body_md], ['approved', null])
    await assert.rejects(drafts.update(live, { sub: 'Changed' }), { status: 409, reason: 'illegal_transition' })
    await unpublish(admin, writer, published)
  })

  test('that does not fit is refused with every wrong field, and what is ignored is named', async () => {
    const wrong = { headline: '', body_md: 'x', tags: ['a'.repeat(33)] }
    await assert.rejects(drafts.create(wrong), (error: { errors: { pointer: string }[] }) => {
      assert.deepEqual(error.errors.map(({ pointer }) => pointer).sort(), ['/headline', '/tags/0'])
      return true
    })
    const hopeful = { ...minimalPiece, status: 'approved' }
    const { status, warnings } = await drafts.create(hopeful)
    assert.deepEqual([status, warnings?.[0]?.pointer], ['draft', '/status'])
  })

  test('is not made with a key that is none', async () => {
    const unknownKey = standfirst({ base, key: `pk_live_${'0'.repeat(64)}` })
    await assert.rejects(unknownKey.drafts.create(minimalPiece), { status: 403, reason: 'invalid_key' })
  })
})

/** A network that delivers requests but loses the first answers of a kind. */
function losing(count: number, how: 'whole' | 'half' = 'whole'): typeof fetch {
  let left = count
  return async (address, init) => {
    const answer = await fetch(address, init)
    const text = await answer.text()
    if (answer.status === 503 || left === 0) return new Response(text || null, answer)
    left -= 1
    if (how === 'whole') throw new TypeError('fetch failed')
    const cut = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode(text.slice(0, 20)))
        controller.error(new TypeError('terminated'))
      },
    })
    return new Response(cut, answer)
  }
}

describe('an answer that is lost', () => {
  for (const how of ['whole', 'half'] as const) {
    test(`(the ${how} of it) makes no second draft`, async () => {
      const before = await countRows(admin, 'app.pieces')
      const lossy = standfirst({ base, key, fetch: losing(2, how) })
      const { id } = await lossy.drafts.create({ ...minimalPiece, headline: `Lost, the ${how}` })
      assert.equal((await drafts.get(id)).headline, `Lost, the ${how}`)
      assert.equal(await countRows(admin, 'app.pieces'), before + 1)
    })
  }

  test('of two runs of a program with one key of its own makes one draft', async () => {
    const before = await countRows(admin, 'app.pieces')
    const once = { idempotencyKey: 'letter-of-monday' }
    const lossy = standfirst({ base, key, fetch: losing(1), retries: 0 })
    await assert.rejects(lossy.drafts.create(minimalPiece, once), { status: 0, reason: 'unreachable' })
    const { id } = await drafts.create(minimalPiece, once)
    assert.equal((await drafts.create(minimalPiece, once)).id, id)
    assert.equal(await countRows(admin, 'app.pieces'), before + 1)
    const another = { ...minimalPiece, headline: 'Another' }
    await assert.rejects(drafts.create(another, once), { status: 422, reason: 'idempotency_mismatch' })
  })

  test('of a change is told, since it may have been made; and reading tells whether it was', async () => {
    const { id } = await drafts.create(minimalPiece)
    const draft = await drafts.get(id)
    const lossy = standfirst({ base, key, fetch: losing(1) })
    await assert.rejects(lossy.drafts.update(draft, { sub: 'New' }), { status: 0, reason: 'unreachable' })
    assert.equal((await drafts.get(id)).sub, 'New')
    const lossyToo = standfirst({ base, key, fetch: losing(1) })
    await assert.rejects(lossyToo.drafts.delete(await drafts.get(id)), { reason: 'unreachable' })
    await assert.rejects(drafts.get(id), { status: 404 })
  })

  test('of a read is asked for again', async () => {
    const lossy = standfirst({ base, key, fetch: losing(3) })
    assert.equal((await lossy.authors.get('ada')).slug, 'ada')
    const tooLossy = standfirst({ base, key, fetch: losing(4) })
    await assert.rejects(tooLossy.authors.get('ada'), { reason: 'unreachable', cause: new TypeError('fetch failed') })
  })

  // The client waits for each; `LOSSY_DRAFTS=40` is the long form.
  const creates = Number(process.env['LOSSY_DRAFTS'] ?? 10)
  test(`four times in ten makes of ${creates} creates as many drafts`, async () => {
    const proxy = await lossyProxy(port)
    after(() => proxy.close())
    const before = await countRows(admin, 'app.pieces')
    const lossy = standfirst({ base: `http://127.0.0.1:${proxy.port}`, key, retries: 30 })
    const made = await Promise.all(
      Array.from({ length: creates }, (_, at) => lossy.drafts.create({ ...minimalPiece, headline: `Lossy ${at}` })),
    )
    assert.equal(new Set(made.map(({ id }) => id)).size, creates)
    assert.equal(await countRows(admin, 'app.pieces'), before + creates)
    const { arrives, ...lost } = proxy.outcomes
    console.log(`sdk: ${creates} drafts by ${arrives} answers that came and ${JSON.stringify(lost)} that did not`)
    assert.ok(lost.early + lost.late + lost.cut > 0)
  })
})
