import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examplePiece } from '#features/pieces/examples.ts'
import { urlsFor } from '#platform/urls.ts'
import { houseChannel } from './channels.ts'
import { type Feed, feedOf } from './feed.ts'
import { writtenOnce } from './written.ts'

const urls = urlsFor('https://house.test')

/** A feed at an address of its own, with one piece; made anew each time, as from a database. */
const feed = (page: string, text = 'x'.repeat(1000), cursor?: string): Feed => {
  const channel = { ...houseChannel(urls, { name: 'House', description: '' } as never), page }
  const piece = { ...examplePiece, content_html: `<p>${text}</p>`, content_text: text }
  const published = { piece, uuid: 'u', slug: 's', authorId: 'a', standfirst: null, locale: 'en' }
  return structuredClone(feedOf(channel, [published], { cursor, nextCursor: null }))
}

/** Counts how often something was really written. */
function counted(most?: number) {
  const written: string[] = []
  const write = writtenOnce(({ channel, pieces }) => {
    written.push(channel.page)
    return Buffer.from(pieces[0]!.piece.content_text)
  }, most)
  return { write, written }
}

test('a feed that is as it was is not written again', () => {
  const { write, written } = counted()
  const bytes = write(feed('/a'))
  assert.equal(write(feed('/a')), bytes)
  assert.deepEqual(written, ['/a'])
})

test('one changed character is written at once, and so is the way back', () => {
  const { write } = counted()
  for (const text of ['tea', 'tee', 'tea']) assert.equal(String(write(feed('/a', text))), text)
})

test('older pages are written each time, and never taken for the newest', () => {
  const { write, written } = counted()
  assert.equal(String(write(feed('/a', 'new'))), 'new')
  assert.equal(String(write(feed('/a', 'old', 'c'))), 'old')
  assert.equal(String(write(feed('/a', 'old', 'c'))), 'old')
  assert.equal(String(write(feed('/a', 'new'))), 'new')
  assert.equal(written.length, 3)
})

test('what nobody asked for the longest gives way when there is no more room', () => {
  // Each takes five bytes a character: one as it was sent, and two texts at two bytes at most.
  const { write, written } = counted(5 * 5_100)
  for (const page of ['/a', '/b', '/c', '/d', '/a', '/e', '/f', '/a', '/b']) write(feed(page))
  assert.deepEqual(written, ['/a', '/b', '/c', '/d', '/e', '/f', '/b'])
})

test('a feed that would take a quarter of the room is sent and not kept', () => {
  const { write, written } = counted(10_000)
  for (const page of ['/a', '/a']) assert.equal(write(feed(page)).length, 1000)
  assert.equal(written.length, 2)
})
