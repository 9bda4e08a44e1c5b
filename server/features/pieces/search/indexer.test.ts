import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testSite } from '../../../../testkit/app.ts'
import { deskOf } from '../../../../testkit/desk.ts'
import { makeWriter } from '../../../../testkit/factories.ts'
import {
  addCorpus,
  loadCorpus,
  makePieces,
  makeTerms,
  type OraclePiece,
  oracle,
  readIndex,
  smallSegments,
} from '../../../../testkit/search.ts'
import { reindexIfRestored, runIndexStep, type Step } from './indexer.ts'
import { openIndexerConnection } from './indexer-lock.ts'

/** What is public is found, however far indexing is. Indexed as the worker does, with its role. */

const { url, admin, app } = await testSite({ SEARCH_BUDGET: '5000' })
const writer = await makeWriter(admin)
const desk = deskOf(app, writer)
const indexer = await openIndexerConnection({ url, role: 'svc_worker' })
const { client: loading } = await openIndexerConnection({ url })
assert.ok(await indexer.acquireLease())
after(() => loading.end())

interface Found {
  readonly ids: string[]
  readonly partial: boolean
}

async function search(q: string, limit = 100, language?: string): Promise<Found> {
  const query = { q, limit: String(limit), ...(language ? { language } : {}) }
  const answer = await app.inject({ path: '/api/public/pieces/search', query })
  assert.equal(answer.statusCode, 200, answer.body)
  const { results, partial } = answer.json()
  return { ids: results.map(({ id }: { id: string }) => id.slice(-36)), partial: partial ?? false }
}
const whole = (...ids: string[]): Found => ({ ids, partial: false })

async function indexAll(): Promise<void> {
  while ((await runIndexStep(indexer, smallSegments)) !== 'idle');
  assert.deepEqual((await readIndex(admin)).waiting, [])
}

async function published(piece: object): Promise<string> {
  const id = await desk.begin(piece)
  assert.equal((await desk.act('publish', id)).statusCode, 200)
  return id
}

async function updated(id: string, changes: object): Promise<void> {
  assert.equal((await desk.ask('PATCH', `pieces/${id}`, changes, { 'if-match': '*' })).statusCode, 200)
  assert.equal((await desk.act('update', id)).statusCode, 200)
}

const wordsOf = { headline: 'A marmalade cat', body_md: 'It slept on the harmonium.' }

test('a published piece is found at once, and by its segment alone once it is indexed', async () => {
  const id = await published(wordsOf)
  assert.deepEqual((await readIndex(admin)).waiting, [id])
  for (const q of ['marmalade', 'armoni']) assert.deepEqual(await search(q), whole(id))
  await indexAll()
  assert.deepEqual((await readIndex(admin)).indexed, [id])
  for (const q of ['marmalade', 'armoni']) assert.deepEqual(await search(q), whole(id))
})

test('an updated piece is found by what it says now and no longer by what it said', async () => {
  const id = await published({ headline: 'On walnuts', body_md: 'They fall in October.' })
  await indexAll()
  await updated(id, { headline: 'On chestnuts', body_md: 'They fall in November.' })
  const assertCurrent = async () => {
    for (const q of ['chestnut', 'november']) assert.deepEqual(await search(q), whole(id), q)
    for (const q of ['walnut', 'october']) assert.deepEqual(await search(q), whole(), q)
  }
  await assertCurrent()
  await indexAll()
  await assertCurrent()
})

test('an unpublished piece is found no more at once, and published again it is found again', async () => {
  const id = await published({ headline: 'The zeppelin', body_md: 'It went.' })
  await indexAll()
  await desk.act('unpublish', id)
  assert.deepEqual(await search('zeppelin'), whole())
  await indexAll()
  assert.deepEqual(await search('zeppelin'), whole())
  await desk.act('publish', id)
  assert.deepEqual(await search('zeppelin'), whole(id))
  await indexAll()
  assert.deepEqual(await search('zeppelin'), whole(id))
})

test('a piece that was updated while it waited is indexed as it is', async () => {
  const id = await published({ headline: 'First thoughts', body_md: 'Rhubarb.' })
  await updated(id, { body_md: 'Gooseberries.' })
  await indexAll()
  assert.deepEqual(await search('gooseb'), whole(id))
  assert.deepEqual(await search('rhubarb'), whole())
})

/** Complete results equal the oracle's; partial ones are a subset in the same order. Returns the number of partial ones. */
async function assertCorrect(pieces: readonly OraclePiece[], terms: readonly string[]): Promise<number> {
  let partial = 0
  for (const q of terms) {
    const expected = oracle(pieces, q).map(({ id }) => id)
    const found = await search(q)
    if (found.partial) {
      partial += 1
      assert.deepEqual(
        found.ids,
        expected.filter((id) => found.ids.includes(id)),
        q,
      )
    } else assert.deepEqual(found.ids, expected.slice(0, 100), q)
  }
  return partial
}

/** Runs index steps until there is nothing to do, and searches during each. */
async function indexAndSearch(pieces: readonly OraclePiece[], terms: readonly string[]): Promise<Step[]> {
  const steps: Step[] = []
  for (;;) {
    const some = terms.slice((steps.length * 3) % terms.length).slice(0, 3)
    const [step] = await Promise.all([runIndexStep(indexer, smallSegments), assertCorrect(pieces, some)])
    steps.push(step)
    if (step === 'idle') return steps
  }
}

test('a site of which all waits is indexed while it is searched, and no answer is wrong', async () => {
  const corpus = makePieces(2_600, 5)
  const pieces = await loadCorpus(loading, corpus)
  const terms = makeTerms(corpus, 60)
  assert.equal(await assertCorrect(pieces, terms.slice(0, 5)), 5, 'more wait than a search scans')
  const steps = await indexAndSearch(pieces, terms)
  assert.ok(steps.filter((step) => step === 'indexed').length >= 10)
  assert.ok(steps.includes('merged'))
  assert.deepEqual((await readIndex(admin)).indexed, pieces.map(({ id }) => id).sort())
  assert.equal(await assertCorrect(pieces, terms), 0)
})

test('a site that has more than doubled is indexed again with a new trie while it is searched', async () => {
  await admin.query('delete from search.volumes; delete from search.trees')
  const first = makePieces(900, 6)
  const pieces = await loadCorpus(loading, [])
  // A trie of an empty site is good for a thousand pieces.
  assert.equal(await runIndexStep(indexer, smallSegments), 'trained')
  pieces.push(...(await addCorpus(loading, first)))
  await indexAll()
  const more = makePieces(300, 7)
  pieces.push(...(await addCorpus(loading, more)))
  const steps = await indexAndSearch(pieces, makeTerms([...first, ...more], 60))
  assert.equal(steps[0], 'trained')
  const { rows } = await admin.query("select distinct tree from search.volumes where state = 'ready'")
  assert.equal(rows.length, 1)
  assert.deepEqual((await readIndex(admin)).indexed, pieces.map(({ id }) => id).sort())
  assert.equal(await assertCorrect(pieces, makeTerms(more, 20)), 0)
})

test('the number of segments stays low while a large site is indexed', async () => {
  await admin.query('delete from search.volumes; delete from search.trees')
  const pieces = await loadCorpus(loading, makePieces(600, 9))
  const counts: number[] = []
  for (let step: Step | undefined; step !== 'idle'; ) {
    step = await runIndexStep(indexer, { ...smallSegments, maxBatch: 20, maxSegments: 5 })
    const { rows } = await admin.query("select from search.volumes where state = 'ready'")
    counts.push(rows.length)
  }
  assert.equal(Math.max(...counts), 5)
  assert.deepEqual((await readIndex(admin)).indexed, pieces.map(({ id }) => id).sort())
})

test('a site restored from a cluster with higher transaction ids is indexed again', async () => {
  const pieces = await loadCorpus(loading, makePieces(50, 8))
  await indexAll()
  assert.equal(await reindexIfRestored(indexer), false)
  await admin.query("update search.volumes set as_of = '99999999999:99999999999:' where state = 'ready'")
  assert.equal(await reindexIfRestored(indexer), true)
  assert.equal((await readIndex(admin)).waiting.length, pieces.length)
  await indexAll()
  assert.deepEqual((await readIndex(admin)).indexed, pieces.map(({ id }) => id).sort())
})

test('segments of an earlier release, without lists of languages, are searched exactly and indexed again', async () => {
  const corpus = makePieces(2_000, 21)
  const stored = await loadCorpus(loading, corpus)
  await indexAll()
  // What the lists say is no longer so, as if they were missing.
  const pieces = stored.map((piece, at) => ({ ...piece, locale: at % 3 === 0 ? 'is-IS' : 'en' }))
  const changed = pieces.filter(({ locale }) => locale !== 'en').map(({ id }) => id)
  await loading.query('begin; set local role svc_publisher')
  await loading.query("update pub.pieces set locale = 'is-IS' where id = any($1)", [changed])
  await loading.query('commit')
  const terms = makeTerms(corpus, 40)
  const expected = (q: string) => oracle(pieces, q, { language: 'is' }).map(({ id }) => id)
  const missed = async () => {
    const wrong: string[] = []
    for (const q of terms) {
      const found = (await search(q, 100, 'is')).ids
      if (JSON.stringify(found) !== JSON.stringify(expected(q).slice(0, 100))) wrong.push(q)
    }
    return wrong
  }
  assert.notDeepEqual(await missed(), [], 'lists of languages are read')
  await admin.query("update search.volumes set has_languages = false where state = 'ready'")
  assert.deepEqual(await missed(), [])
  await indexAll()
  const { rowCount } = await admin.query("select from search.volumes where state = 'ready' and not has_languages")
  assert.equal(rowCount, 0)
  assert.deepEqual((await readIndex(admin)).indexed, pieces.map(({ id }) => id).sort())
  assert.deepEqual(await missed(), [])
})

test('only one connection has the lease, and when it ends another can', async () => {
  await indexer.end()
  const [one, other] = [
    await openIndexerConnection({ url, role: 'svc_worker' }),
    await openIndexerConnection({ url, role: 'svc_worker' }),
  ]
  assert.ok(await one.acquireLease())
  assert.equal(await one.acquireLease(), await one.acquireLease())
  assert.equal(await other.acquireLease(), undefined)
  await one.end()
  assert.ok(await other.acquireLease())
  await other.end()
})

test('a process that lost the lease writes nothing any more, and no two have the same token', async () => {
  const holders = await Promise.all(Array.from({ length: 4 }, () => openIndexerConnection({ url, role: 'svc_worker' })))
  const tokens: string[] = []
  for (const holder of holders) {
    await admin.query("update search.lease set until = '-infinity'")
    tokens.push((await holder.acquireLease())!)
  }
  assert.equal(new Set(tokens).size, holders.length)
  const change = (client: { query(text: string): Promise<unknown> }) =>
    client.query("update search.volumes set state = 'retired'")
  for (const stale of holders.slice(0, -1)) {
    await assert.rejects(stale.write(change), /another process/)
    await assert.rejects(runIndexStep(stale, smallSegments), /another process/)
    assert.equal(await stale.acquireLease(), undefined)
  }
  await holders.at(-1)!.write(change)
  await Promise.all(holders.map((holder) => holder.end()))
})

test('the lease is not taken from who writes, however long that takes, nor is it left behind', async () => {
  const [one, other] = [
    await openIndexerConnection({ url, role: 'svc_worker' }),
    await openIndexerConnection({ url, role: 'svc_worker' }),
  ]
  await one.acquireLease()
  await one.write(async () => {
    await admin.query("update search.lease set until = '-infinity'")
    assert.equal(await other.acquireLease(), undefined)
  })
  assert.ok(await other.acquireLease())
  await Promise.all([one.end(), other.end()])
  const left = `select from pg_locks l join pg_database d on d.oid = l.database
                 where locktype = 'advisory' and d.datname = current_database()`
  assert.equal((await admin.query(left)).rowCount, 0)
})

test('a release before this one, which locks for a session, and this one never index at once', async () => {
  const one = await openIndexerConnection({ url, role: 'svc_worker' })
  const before = await admin.connect()
  await before.query('select pg_advisory_lock(7305325)')
  assert.equal(await one.acquireLease(), undefined)
  await before.query('select pg_advisory_unlock(7305325)')
  await one.acquireLease()
  await one.write(async () => {
    const { rows } = await before.query('select pg_try_advisory_lock(7305325) as held')
    assert.equal(rows[0].held, false)
  })
  before.release()
  await one.end()
})
