import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodePage, readMetadata } from './page-metadata.ts'

const address = new URL('https://elsewhere.example/a/page')
const read = (page: string) => readMetadata(page, address)

test('the title, site and picture of Open Graph come first', () => {
  assert.deepEqual(
    read(`<!doctype html><head><title>In the tab</title>
<meta property="og:title" content="Slow &amp; tea"><meta property="og:site_name" content="Elsewhere">
<META CONTENT='../tea.jpg' PROPERTY=og:image><meta name="twitter:title" content="Other">`),
    { title: 'Slow & tea', site: 'Elsewhere', picture: 'https://elsewhere.example/tea.jpg' },
  )
})

test('a page without them has its title alone', () => {
  assert.deepEqual(read('<title>\n  Caf&eacute; &mdash;\tDas\n Haus </title><body><title>Not this</title>'), {
    title: 'Café — Das Haus',
    site: null,
    picture: null,
  })
})

test('a page without a title has no card', () => {
  for (const page of [
    '',
    '<p>Hello',
    '<title> </title>',
    '<!-- <title>No</title> -->',
    '<script><title>No</title></script>',
  ])
    assert.equal(read(page), null, page)
})

test('markup, invisible characters and changes of direction do not get into a title, and it is short', () => {
  assert.equal(read('<title><b>Tea</b>\u202e\u200b&#8238; &lt;i&gt;</title>')?.title, 'Tea <i>')
  assert.ok([...read(`<title>${'word '.repeat(1_000)}</title>`)!.title].length <= 200)
  assert.ok([...read(`<title>${'😀'.repeat(1_000)}</title>`)!.title].length <= 200)
})

test('an address of a picture that is none is left out', () => {
  assert.equal(read('<title>T</title><meta property="og:image" content="http://[">')?.picture, null)
  assert.equal(read('<title>T</title><meta property="og:image" content="">')?.picture, null)
})

test('half a megabyte of anything is read in linear time', () => {
  for (const part of ['<', '<meta ', '<title', '<!--', '<meta content="', 'a="'])
    assert.equal(read(part.repeat(Math.ceil(524_288 / part.length))), null, part)
})

test('pages are read in the charset of the response or their own', () => {
  const latin = Buffer.from('<title>Caf\xe9</title>', 'latin1')
  assert.equal(decodePage(latin, 'text/html; charset=ISO-8859-1'), '<title>Café</title>')
  const own = Buffer.from('<meta charset="windows-1252"><title>Caf\xe9</title>', 'latin1')
  assert.match(decodePage(own, 'text/html'), /Café/)
  assert.match(decodePage(Buffer.from('<title>Café</title>'), 'text/html; charset=none-such'), /Café/)
})
