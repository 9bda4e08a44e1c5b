import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Cover } from '../../components/cover.ts'
import type { Manuscript } from './manuscript.ts'
import { keepBoth, mergeManuscripts } from './merge.ts'
import { words } from './testing.ts'

const merged = (base: Partial<Manuscript>, ours: Partial<Manuscript>, theirs: Partial<Manuscript>) =>
  mergeManuscripts(words('a', base), words('a', ours), words('a', theirs))

describe('each field is merged on its own', () => {
  test('different fields that each side changed are both taken', () => {
    const { ours, theirs, conflicts } = merged({}, { headline: 'Tea' }, { category: 'living', locale: 'de' })
    assert.deepEqual(ours, words('a', { headline: 'Tea', category: 'living', locale: 'de' }))
    assert.deepEqual([theirs, conflicts], [ours, []])
  })

  test('two headlines are a conflict of the headline alone', () => {
    const { ours, theirs, conflicts } = merged({}, { headline: 'Tea' }, { headline: 'Slow tea', sub: 'Short.' })
    assert.deepEqual(conflicts, ['headline'])
    assert.deepEqual([ours.headline, ours.sub, theirs.headline], ['Tea', 'Short.', 'Slow tea'])
  })

  test('tags that each side added or removed are added and removed', () => {
    const { ours, conflicts } = merged(
      { tags: ['tea', 'cup'] },
      { tags: ['tea', 'rain'] },
      { tags: ['tea', 'cup', 'Leaf'] },
    )
    assert.deepEqual([ours.tags, conflicts], [['tea', 'Leaf', 'rain'], []])
  })

  test('more tags together than a piece may have are a conflict', () => {
    const tags = (characters: string) => ({ tags: [...characters] })
    assert.deepEqual(merged({}, tags('abcde'), tags('vwxyz')).conflicts, ['tags'])
  })

  test('alt text here and credit there are both on the cover; two pictures are a conflict', () => {
    const cover: Cover = { image: '/media/1', alt: 'A cup', caption: '', credit: '', focus: { x: 50, y: 50 } }
    const both = merged({ cover }, { cover: { ...cover, alt: 'A big cup' } }, { cover: { ...cover, credit: 'Ada' } })
    assert.deepEqual(both.ours.cover, { ...cover, alt: 'A big cup', credit: 'Ada' })
    const other = (image: string) => ({ cover: { ...cover, image } })
    assert.deepEqual(merged({ cover }, other('/media/2'), other('/media/3')).conflicts, ['cover'])
  })
})

test('both of two texts without a known beginning has what they share once', () => {
  const saved = { id: 'p', etag: '"1"', manuscript: words('One.\n\nTheirs.') }
  const both = keepBoth(words('One.\n\nMine.'), { kind: 'contested', base: null, theirs: saved.manuscript, saved })
  assert.equal(both.body_md, 'One.\n\nMine.\n\nTheirs.')
})
