import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changed, stateOf } from './marked-state.ts'
import { bold, hasMark, italic, linkAddress, readAddress, removeLink, setLink, toggleMark } from './marks.ts'

const bolded = (text: string) => changed(text, (state) => toggleMark(state, bold))
const slanted = (text: string) => changed(text, (state) => toggleMark(state, italic))
const linked = (text: string, address = 'https://x.test/a') => changed(text, (state) => setLink(state, address))

test('each paragraph, heading, item and cell of a selection gets marks of its own', () => {
  assert.equal(bolded('⟦One.\n\nTwo.⟧'), '**⟦One.**\n\n**Two.⟧**')
  assert.equal(bolded('A ⟦b.\n\n## C\n\n- d\n- e⟧ f'), 'A **⟦b.**\n\n## **C**\n\n- **d**\n- **e⟧** f')
  assert.equal(bolded('⟦- [ ] do\n> said⟧'), '- [ ] **⟦do**\n> **said⟧**')
  assert.equal(bolded('| ⟦a | b |\n| - | - |\n| c⟧ | d |'), '| **⟦a** | **b** |\n| - | - |\n| **c⟧** | d |')
  assert.equal(slanted('⟦one\ntwo⟧'), '_⟦one\ntwo⟧_')
  assert.equal(bolded('⟦One.\n\n```\ncode\n```\n\nTwo.⟧'), '**⟦One.**\n\n```\ncode\n```\n\n**Two.⟧**')
})

test('the second time takes the marks away, whichever signs they are', () => {
  assert.equal(bolded('**⟦One.**\n\n__Two.⟧__'), '⟦One.\n\nTwo.⟧')
  assert.equal(slanted('*⟦x⟧*'), '⟦x⟧')
  assert.equal(slanted('⟦_x_⟧'), '⟦x⟧')
  assert.equal(slanted('***⟦x⟧***'), '**⟦x⟧**')
  assert.equal(bolded('***⟦x⟧***'), '*⟦x⟧*')
  assert.equal(slanted('un*fr‸ig*ging'), 'unfr‸igging')
})

test('a part of marked words loses the mark, and the rest keeps it', () => {
  assert.equal(bolded('**one ⟦two⟧ three**'), '**one** ⟦two⟧ **three**')
  assert.equal(bolded('__one ⟦two⟧__'), '**one** ⟦two⟧')
  assert.equal(slanted('_in⟦ter⟧est_'), '*in*⟦ter⟧*est*')
  assert.equal(slanted('_a **⟦b⟧ c**_'), '_a_ **⟦b⟧ c**')
})

test('a selection that is marked in part is marked whole, and no other mark is cut in two', () => {
  assert.equal(bolded('⟦a **b** c⟧'), '**⟦a b c⟧**')
  assert.equal(bolded('⟦a _b⟧ c_'), '**⟦a _b⟧ c_**')
  assert.equal(bolded('⟦see [here⟧](/x)'), '**⟦see [here⟧](/x)**')
  assert.equal(bolded('**⟦One.**\n\nTwo.⟧'), '**⟦One.**\n\n**Two.⟧**')
})

test('italic within a word is written with the sign that works there', () => {
  assert.equal(slanted('un⟦frigging⟧believable'), 'un*⟦frigging⟧*believable')
  assert.equal(slanted('これは⟦強調⟧です'), 'これは*⟦強調⟧*です')
})

test('without a selection the word is marked; at the end of marked words, what comes next is not', () => {
  assert.equal(bolded('a wo‸rd b'), 'a **wo‸rd** b')
  assert.equal(bolded('**a b‸c d**'), 'a b‸c d')
  assert.equal(bolded('‸'), '**‸**')
  assert.equal(bolded('**‸**'), '‸')
  assert.equal(bolded('**word‸**'), '**word**‸')
})

test('what the selection has is known, by either sign', () => {
  const isBold = (text: string) => hasMark(stateOf(text), bold)
  assert.equal(isBold('__⟦x⟧__'), true)
  assert.equal(isBold('⟦**x** y⟧'), false)
  assert.equal(isBold('**a ‸b**'), true)
  assert.equal(isBold('⟦**a**\n\n**b**⟧'), true)
  assert.equal(isBold('‸'), false)
})

test('words become a link, a link gets another address, and loses it', () => {
  assert.equal(linked('See ⟦this page⟧.'), 'See [this page](https://x.test/a)‸.')
  assert.equal(linked('See th‸is.'), 'See [this](https://x.test/a)‸.')
  assert.equal(linked('‸'), 'https://x.test/a‸')
  assert.equal(linked('⟦[sic] it⟧', 'https://x.test/(a'), '[\\[sic\\] it](https://x.test/%28a)‸')
  assert.equal(linked('[on⟦e⟧](/old "T")'), '[on⟦e⟧](https://x.test/a "T")')
  assert.equal(linkAddress(stateOf('[o‸ne](</old one>)')), '/old one')
  assert.equal(changed('a [o‸ne](/old) b', removeLink), 'a o‸ne b')
})

test('no link is made of two paragraphs, of an address or around another link', () => {
  assert.equal(linked('⟦One.\n\nTwo.⟧'), undefined)
  assert.equal(linked('⟦https://old.test/⟧'), undefined)
  assert.equal(linked('⟦a [b](/c) d⟧'), undefined)
})

test('an address is read as people type it', () => {
  assert.equal(readAddress(' example.org/tea '), 'https://example.org/tea')
  assert.equal(readAddress('http://example.org'), 'http://example.org')
  assert.equal(readAddress('ada@example.org'), 'mailto:ada@example.org')
  assert.equal(readAddress('/about'), '/about')
  for (const text of ['', 'tea', 'javascript:alert(1)', 'two words.org'])
    assert.equal(readAddress(text), undefined, text)
})
