import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ServiceError } from '#platform/errors.ts'
import { hardBodies } from '../../../../testkit/hard-bodies.ts'
import { renderPiece } from './render-piece.ts'
import { createRenderer } from './renderer.ts'

const renderer = createRenderer({ threads: 1 })
after(() => renderer.close())
const ada = { by: 'ada' }

test('a thread makes of a manuscript what the site makes of it', async () => {
  const manuscript = { headline: 'Tea, twice', sub: null, body_md: '# Tea\n\n| a | b |\n|---|---|\n| 漢字 | `x` |\n' }
  assert.deepEqual(await renderer.render(manuscript, ada), renderPiece(manuscript))
})

test('what becomes too much HTML is refused with the place it comes from', async () => {
  const list = '- [a][1]\n'.repeat(1_000)
  const body_md = `# A heading\n\nA paragraph\nof two lines.\n\n${list}\nThe end.\n\n[1]: https://a.example/${'a'.repeat(2_000)}`
  await assert.rejects(renderer.render({ headline: 'H', sub: null, body_md }, ada), {
    status: 422,
    reason: 'render_too_large',
    message: /The largest part is the list that starts on line 6\. Shorten it, or split the piece\.$/,
  })
})

/** What it refuses has used its processor time, however busy the machine is. */
const hastyRenderer = () => createRenderer({ threads: 1, milliseconds: 120_000, processorMilliseconds: 1 })

test('what takes too long is refused with its longest part', async () => {
  const hasty = hastyRenderer()
  const body_md = `Short.\n\n${'- a long list\n'.repeat(5_000)}\nShort.`
  await assert.rejects(hasty.render({ headline: 'H', sub: null, body_md }, ada), {
    status: 422,
    reason: 'render_too_large',
    message:
      /too long to render\. Its longest part is the list that starts on line 3\. Shorten it, or split the piece\.$/,
  })
  await hasty.close()
})

test('a text is rendered once while it is kept, also one that is refused for what it becomes', async () => {
  const once = createRenderer({ threads: 1 })
  const known = { headline: 'Known', sub: null, body_md: 'A text.' }
  const long = { ...known, body_md: `${'![b]\n'.repeat(2_000)}\n[b]: https://c.example "${'d'.repeat(1_000)}"` }
  const rendering = await once.render(known, ada)
  await assert.rejects(once.render(long, ada), { reason: 'render_too_large' })
  // The pool is closed: results can only come from the cache.
  await once.close()
  assert.equal(await once.render(known, { by: 'bob' }), rendering)
  await assert.rejects(once.render(long, { by: 'bob' }), { reason: 'render_too_large' })
  await assert.rejects(once.render({ ...known, sub: 'Another' }, ada), { reason: 'overloaded' })
})

test('a text that the clock ends before it has used its processor time is not too large: the machine is busy', async () => {
  const busy = createRenderer({ threads: 1, milliseconds: 1, processorMilliseconds: 120_000 })
  // Long to render: what is done by the time that this process looks at the clock counts.
  const body_md = new Map(hardBodies).get('lists ten deep')!
  await assert.rejects(busy.render({ headline: 'H', sub: null, body_md }, ada), (error: ServiceError) => {
    assert.deepEqual([error.status, error.reason, error.headers['retry-after']], [503, 'overloaded', '2'])
    return true
  })
  await busy.close()
})

test('that a text took too long is not kept', async () => {
  const hasty = hastyRenderer()
  const slow = { headline: 'H', sub: null, body_md: '- a long list\n'.repeat(5_000) }
  await assert.rejects(hasty.render(slow, ada), { reason: 'render_too_large' })
  await hasty.close()
  await assert.rejects(hasty.render(slow, ada), { reason: 'overloaded' })
})

test('those who ask for one text at once wait for one job, which ends when the last of them has gone', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const text = { headline: 'Asked for twice', sub: null, body_md: 'A text.' }
  const asked = [first, second].map(({ signal }) => renderer.render(text, { by: 'ada', signal }))
  first.abort(new Error('gone'))
  await assert.rejects(asked[0]!, /gone/)
  assert.match((await asked[1]!).html, /A text/)

  const other = { ...text, sub: 'Never rendered' }
  const gone = renderer.render(other, { by: 'ada', signal: second.signal })
  second.abort(new Error('gone too'))
  await assert.rejects(gone, /gone too/)
  assert.match((await renderer.render(other, ada)).html, /A text/)
})
