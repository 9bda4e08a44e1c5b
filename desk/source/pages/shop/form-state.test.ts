import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterActing, afterSaving, heldOf, isUnsaved } from './form-state.ts'
import type { DeskProduct } from './form-values.ts'
import type { Kept } from './queries.ts'

const at = (revision: number, more: Partial<DeskProduct> = {}): Kept => ({
  tag: `"${revision}"`,
  product: {
    id: 'a',
    status: 'listed',
    has_unpublished_changes: false,
    withheld: null,
    name: 'A lamp',
    summary: null,
    description: null,
    price: null,
    category: null,
    image: null,
    image_alt: null,
    payment_url: 'https://pay.example/',
    related: [],
    revision,
    url: 'https://site.test/shop/a-lamp',
    created_at: '2026-11-15T12:00:00Z',
    updated_at: '2026-11-15T12:00:00Z',
    listed_at: '2026-11-15T12:00:00Z',
    ...more,
  },
})
const typed = (held: ReturnType<typeof heldOf>, summary: string) => ({ ...held, said: { ...held.said, summary } })
const withdrawn = { status: 'draft', url: null } as const

test('what was typed while a save was on its way stays, and is unsaved', () => {
  const sent = typed(heldOf(at(1), 'EUR'), 'Bright.')
  const saved = at(2, { summary: 'Bright.' })
  assert.ok(!isUnsaved(afterSaving(sent, sent.said, saved)))
  const later = afterSaving(typed(sent, 'Brighter.'), sent.said, saved)
  assert.deepEqual([later.said.summary, later.kept?.tag, isUnsaved(later)], ['Brighter.', '"2"', true])
})

test('an act takes what the server says where nothing is unsaved, and the new tag where nobody saved anything else', () => {
  const held = heldOf(at(1), 'EUR')
  const taken = afterActing(held, at(2, { ...withdrawn, summary: 'Theirs.' }))
  assert.deepEqual([taken.said.summary, taken.kept?.tag, taken.theirs], ['Theirs.', '"2"', undefined])
  const mine = afterActing(typed(held, 'Mine.'), at(1, withdrawn))
  assert.deepEqual([mine.said.summary, mine.kept?.product.status, mine.theirs], ['Mine.', 'draft', undefined])
})

test('with something unsaved here and something else saved there, the tag stays, however often one acts', () => {
  const theirs = at(2, { ...withdrawn, summary: 'Theirs.', withheld: 'It is no lamp.' })
  const once = afterActing(typed(heldOf(at(1), 'EUR'), 'Mine.'), theirs)
  const relisted = at(2, { summary: 'Theirs.' })
  for (const [held, now] of [
    [once, theirs],
    [afterActing(once, relisted), relisted],
  ] as const) {
    assert.deepEqual([held.said.summary, held.kept?.tag, held.theirs], ['Mine.', '"1"', now])
    assert.equal(held.kept?.product.status, now.product.status)
    assert.equal(held.kept?.product.withheld, now.product.withheld)
    assert.ok(isUnsaved(held))
  }
})

test('an act that answers late does not bring back what was saved over', () => {
  const held = heldOf(at(2, { summary: 'Saved.' }), 'EUR')
  const late = afterActing(held, at(1, withdrawn))
  assert.deepEqual([late.said.summary, late.kept?.tag, late.kept?.product.status], ['Saved.', '"2"', 'draft'])
})
