import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { writtenPage } from './draft.ts'
import { type Draft, draftOf } from './file-draft.ts'
import { readPage } from './front-matter.ts'
import { terminalOn } from './terminal.ts'

/** A written file is read back as the same draft: any words, line endings and text. */

const roundTrip = (draft: Draft, more = {}): Draft => draftOf(readPage(writtenPage(draft, more))).draft

const tricky = [
  ...['', ' ', 'true', 'No', 'null', '~', '12', '1e3', '0x1f', '2026-11-15', '- a', '? b', ': c', 'a: b', 'a #b', '#a'],
  ...[
    '"q"',
    "'q'",
    "it's",
    '[a]',
    '{a}',
    '*a',
    '&a',
    '!a',
    '|',
    '>',
    '%a',
    '@a',
    '`a`',
    '---',
    '...',
    'a\\nb',
    'a, b',
    'a,',
    'b ,c',
  ],
  ...[
    '\u2028',
    '\u0085',
    '\ufeff',
    '\u00a0x\u00a0',
    'a\tb',
    'a  b',
    'Ω',
    '日本語',
    '👩‍🚀',
    'e\u0301',
    '\u202ea',
    'Yes',
    'on',
    'y',
  ],
]
const words = fc
  .oneof(fc.constantFrom(...tricky), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
  .map((text) => text.toWellFormed())
const bodies = fc.oneof(
  words,
  fc
    .array(fc.constantFrom('\n', '\r\n', '\r', '---', '...', '# a', ' ', 'text', '\ufeff', '+++', 'a: b'), {
      maxLength: 12,
    })
    .map((some) => some.join('')),
)
const drafts: fc.Arbitrary<Draft> = fc.record({
  headline: words,
  sub: fc.option(words, { nil: undefined as never }),
  category: fc.constantFrom('life', 'civic'),
  tags: fc.array(words, { maxLength: 8 }),
  frame: fc.constantFrom('lesson', 'before_after'),
  style: words,
  locale: words,
  external_url: fc.option(fc.webUrl(), { nil: undefined as never }),
  meta: fc.option(fc.record({ title: words, social_description: words }, { noNullPrototype: true }), {
    nil: undefined as never,
  }),
  body_md: bodies,
})

test('every draft that is written is read back as it was', () => {
  fc.assert(
    fc.property(drafts, (draft) => {
      const said = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined))
      assert.deepEqual({ ...roundTrip(draft) }, said)
    }),
    { numRuns: 3000 },
  )
})

test('what a file says beside is kept and is no part of the draft', () => {
  const draft: Draft = { headline: 'On tea', tags: ['tea', 'no'], body_md: 'Text.\n' }
  const text = writtenPage(draft, { layout: 'post', nested: { deep: [1, null, 'x'] } })
  assert.equal(
    text,
    '---\nheadline: On tea\ntags: [tea, "no"]\nlayout: post\nnested: {"deep":[1,null,"x"]}\n---\n\nText.\n',
  )
  assert.deepEqual(readPage(text).facts['nested'], { deep: [1, null, 'x'] })
  assert.deepEqual({ ...draftOf(readPage(text)).draft }, draft)
})

test('aliases that stand for 387 million values are refused in a sentence, and not written out', () => {
  const levels = Array.from({ length: 9 }, (_, at) => `l${at}: &l${at} [${Array(9).fill(at ? `*l${at - 1}` : 'x')}]`)
  assert.throws(() => readPage(`---\n${levels.join('\n')}\n---\n\nText.`), /import\.too_many_aliases/)
})

/** The output a writer sees while files are sent. */

function paper(isTTY: boolean) {
  let text = ''
  const out = { isTTY, columns: 30, write: (some: string) => (text += some) }
  return { terminal: terminalOn(out), shown: () => text }
}

test('a terminal has one line that is written over, as wide as it is, and the summary alone stays', () => {
  const { terminal, shown } = paper(true)
  terminal.step(1, 1200, 'posts/a.md')
  terminal.event('made  posts/a.md')
  terminal.step(2, 1200, `posts/${'long'.repeat(20)}.md`)
  terminal.waiting(12, 'too many requests')
  terminal.say('2 made.')
  assert.deepEqual(shown().split('\r\u001b[2K').slice(1), [
    '1 of 1,200  posts/a.md',
    '2 of 1,200  posts/longlonglo…',
    'Waiting 12 s: too many reque…',
    '2 made.\n',
  ])
})

test('a terminal that does not know how wide it is has eighty columns', () => {
  let text = ''
  const out = { isTTY: true, columns: 0, write: (some: string) => (text += some) }
  terminalOn(out).step(1, 1, 'a'.repeat(200))
  assert.equal([...text.replace('\r\u001b[2K', '')].length, 79)
})

test('elsewhere there are plain lines for what happened, and none for how far it is', () => {
  const { terminal, shown } = paper(false)
  terminal.step(1, 2, 'a.md')
  terminal.event('made  a.md')
  terminal.waiting(12, 'too many\nrequests')
  terminal.say('1 made.')
  assert.equal(shown(), 'made  a.md\nWaiting 12 s: too many requests\n1 made.\n')
})
