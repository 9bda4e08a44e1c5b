import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeDraft, makeWriter } from './factories.ts'
import type { Answer } from './openapi-check.ts'
import { isDecent, ofTheWriteApi } from './raw-http.ts'
import { contentsOf } from './table-hashes.ts'
import { type Headers, pieces, rowsOf, writingSite } from './write-api.ts'

/** A site for nasty inputs to the write API: a draft that none may change, and one of a stranger's. */
export async function nastySite() {
  const site = await writingSite()
  const { admin, writer, create, read, list, send } = site
  const draft = await makeDraft(admin, writer, { headline: 'Untouched' })
  const stranger = await makeWriter(admin)
  const theirs = await makeDraft(admin, stranger, { headline: 'Theirs' })

  const publicRows = async () =>
    Object.fromEntries(Object.entries(await contentsOf(admin)).filter(([name]) => name.startsWith('pub.')))

  /** Asked, and found decent: a documented answer, the error body where it is a refusal, and nothing of ours in it. */
  async function decent(asked: Promise<Answer>): Promise<Answer> {
    const answer = await asked
    isDecent(answer.statusCode, answer.body, answer.body.slice(0, 200), ofTheWriteApi)
    assert.doesNotMatch(answer.body, /node_modules|server\/|Error:|invalid byte|violates|svc_/)
    return answer
  }

  /** A body as POST and as PATCH, whose statuses it gives. The change never matches: 412 is as far as it gets. */
  async function both(body: unknown, headers?: Headers): Promise<[number, number]> {
    const created = await decent(create(body, headers))
    const edited = await decent(send('PATCH', `${pieces}/${draft}`, body, { 'if-match': '"0"', ...headers }))
    return [created.statusCode, edited.statusCode]
  }

  /** One named input: whatever it made is a draft of its sender, nothing else changed, and the next one is answered. */
  function nasty(number: number, what: string, work: () => Promise<void>): void {
    test(`input ${number}: ${what}`, async () => {
      const before = await publicRows()
      await work()
      assert.deepEqual(await publicRows(), before, 'something public changed')
      assert.equal(await rowsOf(admin, 'app.pieces where editor_status <> $1', ['draft']), 0)
      assert.equal((await read(draft)).headers['etag'], '"1"')
      assert.equal(await rowsOf(admin, 'app.pieces where writer_id = $1', [stranger.id]), 1)
      assert.equal((await list('?limit=1')).statusCode, 200)
      assert.equal(({} as Record<string, unknown>)['poison'], undefined)
    })
  }
  return { ...site, draft, stranger, theirs, decent, both, nasty }
}
