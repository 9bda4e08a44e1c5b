import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../testing-messages.ts'
import { emptyManuscript } from './manuscript.ts'
import { type SaveStatus, saveStatusText } from './save-status.ts'

const here = { isOnDevice: true, isOnline: true, isCreated: true }

const statuses: readonly SaveStatus[] = [
  { kind: 'saved', at: 1 },
  { kind: 'changed' },
  { kind: 'saving' },
  { kind: 'textless' },
  { kind: 'unreachable' },
  { kind: 'signed_out' },
  { kind: 'refused', detail: 'No.', problems: [] },
  { kind: 'too_long', fields: [{ member: 'sub', over: 1 }] },
  { kind: 'gone' },
  {
    kind: 'contested',
    base: null,
    theirs: emptyManuscript,
    saved: { id: 'p', etag: 'x', manuscript: emptyManuscript },
  },
]

test('the usual states are one or two words', () => {
  assert.equal(saveStatusText({ kind: 'saved', at: 1 }, here), 'Saved')
  assert.equal(saveStatusText({ kind: 'changed' }, here), 'Saving…')
  assert.equal(saveStatusText({ kind: 'unreachable' }, { ...here, isOnline: false }), 'Offline, saved on this device')
  assert.equal(saveStatusText({ kind: 'saved', at: null }, { ...here, isCreated: false }), 'Nothing written yet')
})

test('no state claims a copy on a device that keeps none', () => {
  for (const status of statuses) {
    for (const isOnline of [true, false]) {
      const words = saveStatusText(status, { isOnDevice: false, isOnline, isCreated: false })
      assert.doesNotMatch(words, /on this device/, status.kind)
      if (status.kind !== 'saved') assert.doesNotMatch(words, /(?<!not )(?<!aren’t )\bsaved\b/i, status.kind)
    }
  }
})

test('each field that is too long is named, and by how much', () => {
  const fields = [
    { member: 'headline', over: 1 },
    { member: 'body_md', over: 1200 },
  ] as const
  assert.equal(
    saveStatusText({ kind: 'too_long', fields }, here),
    'Headline not saved: 1 character too long. Text not saved: 1,200 characters too long.',
  )
})
