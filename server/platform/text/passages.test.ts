import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPassage, findQuotation, type Passage, paragraphsOf, passageAt } from './passages.ts'

const text = `Tea needs time. Four minutes are enough for a black one.

Water that boils burns a green leaf, so let it stand for a while. Tea needs time.

The last word belongs to the cup.`

const of = (quote: string, whole = text, nth = 0): Passage => {
  let from = whole.indexOf(quote)
  for (let count = 0; count < nth; count += 1) from = whole.indexOf(quote, from + 1)
  return passageAt(whole, { from, to: from + quote.length })!
}
const found = (now: string, passage: Passage): string | undefined => {
  const range = findPassage(now, passage)
  return range && now.slice(range.from, range.to)
}

test('a passage is where it was while the text is unchanged, also where its words are twice', () => {
  const second = of('Tea needs time.', text, 1)
  assert.equal(findPassage(text, second)!.from, text.lastIndexOf('Tea needs time.'))
  const first = of('Tea needs time.')
  assert.equal(findPassage(text, first)!.from, 0)
})

test('a passage is found after text was added before it, or it was moved', () => {
  const passage = of('Tea needs time.', text, 1)
  const longer = `Something new.\n\n${text}`
  assert.equal(findPassage(longer, passage)!.from, longer.lastIndexOf('Tea needs time.'))
  const last = of('The last word belongs to the cup.')
  assert.equal(findPassage(`The last word belongs to the cup.\n\n${text.slice(0, 60)}`, last)!.from, 0)
})

test('a passage that was edited is found where it is, with its new words', () => {
  const passage = of('Water that boils burns a green leaf, so let it stand for a while.')
  const edited = text.replace('burns a green leaf', 'burns every green leaf')
  assert.equal(found(edited, passage), 'Water that boils burns every green leaf, so let it stand for a while.')
  const word = of('Four minutes')
  assert.equal(found(text.replace('Four minutes', 'Five minutes'), word), 'Five minutes')
})

test('a passage that was edited and moved is found by most of its words', () => {
  const passage = of('Water that boils burns a green leaf, so let it stand for a while.')
  const sentence = 'Water that boils burns a leaf that is green, so let it stand for a while.'
  const moved = `${sentence}\n\n${text.replace(passage.quote, 'Nothing.')}`
  const range = findPassage(moved, passage)!
  assert.ok(range.from < 5 && range.to <= sentence.length && range.to > sentence.length - 5, JSON.stringify(range))
})

test('a passage that was removed is nowhere', () => {
  for (const quote of ['Water that boils burns a green leaf, so let it stand for a while.', 'Four minutes', 'cup']) {
    assert.equal(found(text.replace(quote, ''), of(quote)), undefined, quote)
  }
  assert.equal(found('', of('Tea needs time.')), undefined)
  assert.equal(found('Quite another text about cups.', of('The last word belongs to the cup.')), undefined)
})

test('other words in its place are another passage', () => {
  const passage = of('Four minutes are enough for a black one.')
  assert.equal(found(text.replace(passage.quote, 'Zzz qqq xxx.'), passage), undefined)
})

test('a passage is without the space around it, and no character is cut in two', () => {
  assert.deepEqual(passageAt('a  word  b', { from: 1, to: 9 }), {
    quote: 'word',
    before: 'a  ',
    after: '  b',
    position: 3,
  })
  assert.equal(passageAt('a   b', { from: 1, to: 4 }), undefined)
  const emoji = '🫖'.repeat(3000)
  const whole = passageAt(emoji, { from: 0, to: emoji.length })!
  assert.ok(!/[\uD800-\uDBFF]$/.test(whole.quote))
  const inside = passageAt(`${emoji}word${emoji}`, { from: emoji.length, to: emoji.length + 4 })!
  assert.ok([inside.before, inside.after].every((part) => part.isWellFormed()))
})

test('what a reader copies from the page is found in the Markdown', () => {
  const source = 'A **very** green [leaf](https://tea.example/leaf), he said:\n"it’s *slow*".'
  const range = findQuotation(source, "very green leaf, he  said: “it's slow”")!
  assert.equal(
    source.slice(range.from, range.to),
    'very** green [leaf](https://tea.example/leaf), he said:\n"it’s *slow*"',
  )
  assert.equal(findQuotation(source, 'a brown leaf'), undefined)
  assert.equal(findQuotation(source, ' ** '), undefined)
})

test('paragraphs are what blank lines separate', () => {
  const parts = paragraphsOf('# One\n\nTwo\nlines \n \n\n- three')
  assert.deepEqual(
    parts.map(({ from, to }) => '# One\n\nTwo\nlines \n \n\n- three'.slice(from, to)),
    ['# One', 'Two\nlines', '- three'],
  )
})

test('a long text with a thousand like passages is searched', () => {
  const long = Array.from({ length: 20_000 }, (_, at) => `Sentence ${at} is about tea.`).join(' ')
  const passage = passageAt(long, { from: 300_000, to: 304_000 })!
  const edited = long.replace('Sentence 12', 'Something else. Sentence 12').replaceAll('about tea', 'about coffee')
  findPassage(edited, passage)
})
