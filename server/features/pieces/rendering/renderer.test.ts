import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { renderPiece } from '../rendering.ts'
import { createRenderer } from './renderer.ts'

const renderer = createRenderer({ threads: 1 })
after(() => renderer.close())

test('a thread makes of a manuscript what the house makes of it', async () => {
  const manuscript = { headline: 'Tea, twice', sub: null, body_md: '# Tea\n\n| a | b |\n|---|---|\n| 漢字 | `x` |\n' }
  assert.deepEqual(await renderer.render(manuscript), renderPiece(manuscript))
})

test('what becomes too much HTML is refused with the place it comes from', async () => {
  const list = '- [a][1]\n'.repeat(1_000)
  const body_md = `# A heading\n\nA paragraph\nof two lines.\n\n${list}\nThe end.\n\n[1]: https://a.example/${'a'.repeat(2_000)}`
  await assert.rejects(renderer.render({ headline: 'H', sub: null, body_md }), {
    status: 422,
    reason: 'render_too_large',
    message: /most of it from the list that begins at line 6\. Shorten that, or split the piece\.$/,
  })
})

test('what takes too long is refused with its longest part', async () => {
  const hasty = createRenderer({ threads: 1, milliseconds: 1 })
  const body_md = `Short.\n\n${'- a long list\n'.repeat(5_000)}\nShort.`
  await assert.rejects(hasty.render({ headline: 'H', sub: null, body_md }), {
    status: 422,
    reason: 'render_too_large',
    message: /too much time\. Its longest part is the list that begins at line 3\. Shorten that, or split the piece\.$/,
  })
  await hasty.close()
})
