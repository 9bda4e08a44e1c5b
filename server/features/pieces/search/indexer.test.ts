import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '../../../../testkit/app.ts'
import { testDatabase } from '../../../../testkit/database.ts'
import { deskOf } from '../../../../testkit/desk.ts'
import { makeWriter } from '../../../../testkit/factories.ts'
import { addCorpus, loadCorpus } from '../../../../testkit/search-corpus.ts'
import { drawPieces, drawTerms, readIndex, smallVolumes } from '../../../../testkit/search-index.ts'
import { type OraclePiece, oracle } from '../../../../testkit/search-oracle.ts'
import { fileNext, type Step } from './indexer.ts'
import { openFiling } from './indexer-lock.ts'
import { beginAnewIfMoved } from './reindex.ts'

/** What is public is found, however far the filing of it is. Filed as the worker does, with its rights. */

const { url, admin } = await testDatabase()
const app = await testApp(url, { SEARCH_BUDGET: '5000' })
const writer = await makeWriter(admin)
const desk = deskOf(app, writer)
const filing = await openFiling({ url, role: 'svc_worker' })
const { client: loading } = await openFiling({ url })
assert.ok(await filing.hold())
after(() => loading.end())

interface Found {
  readonly ids: string[]
  readonly partial: boolean
}

async function search(q: string, limit = 100): Promise<Found> {
  const answer = await app.inject({ path: '/api/public/pieces/search', query: { q, limit: String(limit) } })
  assert.equal(answer.statusCode, 200, answer.body)
  const { results, partial } = answer.json()
  return { ids: results.map(({ id }: { id: string }) => id.slice(-36)), partial: partial ?? false }
}
const whole = (...ids: string[]): Found => ({ ids, partial: false })

async function fileAll(): Promise<void> {
  while ((await fileNext(filing, smallVolumes)) !== 'idle');
  assert.deepEqual((await readIndex(admin)).waiting, [])
}

async function published(given: object): Promise<string> {
  const id = await desk.begin(given)
  assert.equal((await desk.act('publish', id)).statusCode, 200)
  return id
}

async function updated(id: string, changes: object): Promise<void> {
  assert.equal((await desk.ask('PATCH', `pieces/${id}`, changes, { 'if-match': '*' })).statusCode, 200)
  assert.equal((await desk.act('update', id)).statusCode, 200)
}

const wordsOf = { headline: 'A marmalade cat', body_md: 'It slept on the harmonium.' }

test('a published piece is found at once, and when it is filed by its volume alone', async () => {
  const id = await published(wordsOf)
  assert.deepEqual((await readIndex(admin)).waiting, [id])
  for (const q of ['marmalade', 'armoni']) assert.deepEqual(await search(q), whole(id))
  await fileAll()
  assert.deepEqual((await readIndex(admin)).filed, [id])
  for (const q of ['marmalade', 'armoni']) assert.deepEqual(await search(q), whole(id))
})

test('an updated piece is found by what it says now and no longer by what it said', async () => {
  const id = await published({ headline: 'On walnuts', body_md: 'They fall in October.' })
  await fileAll()
  await updated(id, { headline: 'On chestnuts', body_md: 'They fall in November.' })
  const asItIs = async () => {
    for (const q of ['chestnut', 'november']) assert.deepEqual(await search(q), whole(id), q)
    for (const q of ['walnut', 'october']) assert.deepEqual(await search(q), whole(), q)
  }
  await asItIs()
  await fileAll()
  await asItIs()
})

test('an unpublished piece is found no more at once, and published again it is found again', async () => {
  const id = await published({ headline: 'The zeppelin', body_md: 'It went.' })
  await fileAll()
  await desk.act('unpublish', id)
  assert.deepEqual(await search('zeppelin'), whole())
  await fileAll()
  assert.deepEqual(await search('zeppelin'), whole())
  await desk.act('publish', id)
  assert.deepEqual(await search('zeppelin'), whole(id))
  await fileAll()
  assert.deepEqual(await search('zeppelin'), whole(id))
})

test('a piece that was updated while it waited is filed as it is', async () => {
  const id = await published({ headline: 'First thoughts', body_md: 'Rhubarb.' })
  await updated(id, { body_md: 'Gooseberries.' })
  await fileAll()
  assert.deepEqual(await search('gooseb'), whole(id))
  assert.deepEqual(await search('rhubarb'), whole())
})

/** Whole answers are the oracle's; of partial ones every hit is, in its order. */
async function demandTrue(pieces: readonly OraclePiece[], terms: readonly string[]): Promise<number> {
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

/** Files as far as there is something to do, and asks after every step and while it lasts. */
async function fileAndSearch(pieces: readonly OraclePiece[], terms: readonly string[]): Promise<Step[]> {
  const steps: Step[] = []
  for (;;) {
    const some = terms.slice((steps.length * 3) % terms.length).slice(0, 3)
    const [step] = await Promise.all([fileNext(filing, smallVolumes), demandTrue(pieces, some)])
    steps.push(step)
    if (step === 'idle') return steps
  }
}

test('a site of which all waits is filed while it is searched, and no answer is wrong', async () => {
  const drawn = drawPieces(2_600, 5)
  const pieces = await loadCorpus(loading, drawn)
  const terms = drawTerms(drawn, 60)
  assert.equal(await demandTrue(pieces, terms.slice(0, 5)), 5, 'more wait than a search looks through')
  const steps = await fileAndSearch(pieces, terms)
  assert.ok(steps.filter((step) => step === 'filed').length >= 10)
  assert.ok(steps.includes('bound'))
  assert.deepEqual((await readIndex(admin)).filed, pieces.map(({ id }) => id).sort())
  assert.equal(await demandTrue(pieces, terms), 0)
})

test('a site that has more than doubled is filed anew by a new tree while it is searched', async () => {
  await admin.query('delete from search.volumes; delete from search.trees')
  const first = drawPieces(900, 6)
  const pieces = await loadCorpus(loading, [])
  // Learned of an empty site: good for a thousand.
  assert.equal(await fileNext(filing, smallVolumes), 'learned')
  pieces.push(...(await addCorpus(loading, first)))
  await fileAll()
  const more = drawPieces(300, 7)
  pieces.push(...(await addCorpus(loading, more)))
  const steps = await fileAndSearch(pieces, drawTerms([...first, ...more], 60))
  assert.equal(steps[0], 'learned')
  const { rows } = await admin.query("select distinct tree from search.volumes where state = 'ready'")
  assert.equal(rows.length, 1)
  assert.deepEqual((await readIndex(admin)).filed, pieces.map(({ id }) => id).sort())
  assert.equal(await demandTrue(pieces, drawTerms(more, 20)), 0)
})

test('what a search has to ask stays few while a large site is filed', async () => {
  await admin.query('delete from search.volumes; delete from search.trees')
  const pieces = await loadCorpus(loading, drawPieces(600, 9))
  const most: number[] = []
  for (let step: Step | undefined; step !== 'idle'; ) {
    step = await fileNext(filing, { ...smallVolumes, mostFiled: 20, mostVolumes: 5 })
    const { rows } = await admin.query("select from search.volumes where state = 'ready'")
    most.push(rows.length)
  }
  assert.equal(Math.max(...most), 5)
  assert.deepEqual((await readIndex(admin)).filed, pieces.map(({ id }) => id).sort())
})

test('a site that came from a cluster that counts further is filed anew', async () => {
  const pieces = await loadCorpus(loading, drawPieces(50, 8))
  await fileAll()
  assert.equal(await beginAnewIfMoved(filing), false)
  await admin.query("update search.volumes set as_of = '99999999999:99999999999:' where state = 'ready'")
  assert.equal(await beginAnewIfMoved(filing), true)
  assert.equal((await readIndex(admin)).waiting.length, pieces.length)
  await fileAll()
  assert.deepEqual((await readIndex(admin)).filed, pieces.map(({ id }) => id).sort())
})

test('only one connection has the lease, and when it ends another can', async () => {
  await filing.end()
  const [one, other] = [await openFiling({ url, role: 'svc_worker' }), await openFiling({ url, role: 'svc_worker' })]
  assert.ok(await one.hold())
  assert.equal(await one.hold(), await one.hold())
  assert.equal(await other.hold(), undefined)
  await one.end()
  assert.ok(await other.hold())
  await other.end()
})

test('whoever lost the lease writes nothing any more, and no two have the same number', async () => {
  const holders = await Promise.all(Array.from({ length: 4 }, () => openFiling({ url, role: 'svc_worker' })))
  const numbers: string[] = []
  for (const holder of holders) {
    await admin.query("update search.lease set until = '-infinity'")
    numbers.push((await holder.hold())!)
  }
  assert.equal(new Set(numbers).size, holders.length)
  const change = (client: { query(text: string): Promise<unknown> }) =>
    client.query("update search.volumes set state = 'retired'")
  for (const stale of holders.slice(0, -1)) {
    await assert.rejects(stale.write(change), /another process/)
    await assert.rejects(fileNext(stale, smallVolumes), /another process/)
    assert.equal(await stale.hold(), undefined)
  }
  await holders.at(-1)!.write(change)
  await Promise.all(holders.map((holder) => holder.end()))
})

test('the lease is not taken from who writes, however long that takes, nor is it left behind', async () => {
  const [one, other] = [await openFiling({ url, role: 'svc_worker' }), await openFiling({ url, role: 'svc_worker' })]
  await one.hold()
  await one.write(async () => {
    await admin.query("update search.lease set until = '-infinity'")
    assert.equal(await other.hold(), undefined)
  })
  assert.ok(await other.hold())
  await Promise.all([one.end(), other.end()])
  const left = `select from pg_locks l join pg_database d on d.oid = l.database
                 where locktype = 'advisory' and d.datname = current_database()`
  assert.equal((await admin.query(left)).rowCount, 0)
})

test('a release before this one, which locks for a session, and this one never file at once', async () => {
  const one = await openFiling({ url, role: 'svc_worker' })
  const before = await admin.connect()
  await before.query('select pg_advisory_lock(7305325)')
  assert.equal(await one.hold(), undefined)
  await before.query('select pg_advisory_unlock(7305325)')
  await one.hold()
  await one.write(async () => {
    const { rows } = await before.query('select pg_try_advisory_lock(7305325) as held')
    assert.equal(rows[0].held, false)
  })
  before.release()
  await one.end()
})
