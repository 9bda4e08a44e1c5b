import assert from 'node:assert/strict'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { folderOf, listeningSite, page, programOf } from '../../testkit/cli.ts'
import { publish } from '../../testkit/factories.ts'

/** `standfirst push` through the write API. */

const site = await listeningSite()
const piecesOf = async () => (await site.list('?limit=50')).json().pieces as { id: string; headline: string }[]
const idCalled = async (headline: string) => (await piecesOf()).find((one) => one.headline === headline)!.id
const pieceCalled = async (headline: string) => (await site.read(await idCalled(headline))).json().piece

test('a folder that another site knows is said to become new drafts, before it does', async () => {
  const { root } = folderOf({ 'a.md': page('Moved site') })
  await site.standfirst('push', root)
  const other = programOf({ STANDFIRST_URL: 'https://moved.site.test' })
  const { out } = await other.standfirst('push', '--dry-run', root)
  assert.ok(
    out.startsWith(
      `These files are already drafts at ${site.base}. Pushing them to https://moved.site.test creates new drafts.\n`,
    ),
    out,
  )
  assert.doesNotMatch((await site.standfirst('push', root)).out, /These files/)
})

test('front matter becomes the members of a draft, by any of its names', async () => {
  const { root } = folderOf({
    'a.md': `---
title: "Words: a start"
subtitle: >
  On two
  lines
category: life
tags: tea, slow cooking
canonical_url: https://elsewhere.example/tea
lang: pt-BR
frame: origin
style: letter
slug: my-own
date: 2024-05-02
layout: post
---

# Not the title

Text.
`,
  })
  const { code, out } = await site.standfirst('push', root)
  assert.equal(code, 0, out)
  assert.match(
    out,
    /Not sent: slug, in 1 file\. The site sets each piece’s URL\.\nNot sent: date, in 1 file\. A piece is dated when you publish it here\.\nNot sent: layout, in 1 file\.\n/,
  )
  const {
    id: _,
    status,
    created_at: __,
    updated_at: ___,
    edit_url: ____,
    ...piece
  } = await pieceCalled('Words: a start')
  assert.equal(status, 'draft')
  assert.deepEqual(piece, {
    headline: 'Words: a start',
    sub: 'On two lines',
    category: 'life',
    locale: 'pt-BR',
    tags: ['tea', 'slow cooking'],
    body_md: '# Not the title\n\nText.\n',
    frame: 'origin',
    style: 'letter',
    external_url: 'https://elsewhere.example/tea',
  })
})

test('a file without front matter is called by the heading it begins with', async () => {
  const { root } = folderOf({ 'plain.md': '# A bare heading #\n\nIts text.\n' })
  assert.equal((await site.standfirst('push', join(root, 'plain.md'))).code, 0)
  assert.equal((await pieceCalled('A bare heading')).body_md, 'Its text.\n')
})

test('a mark at the beginning and the line ends of Windows are no part of the text', async () => {
  const { root, write } = folderOf({ 'w.md': '\uFEFF---\r\ntitle: From Windows\r\n---\r\n\r\nOne.\r\n\r\nTwo.\r\n' })
  await site.standfirst('push', root)
  assert.equal((await pieceCalled('From Windows')).body_md, 'One.\n\nTwo.\n')
  write('w.md', '---\ntitle: From Windows\n---\n\nOne.\n\nTwo.\n')
  assert.match((await site.standfirst('push', root)).out, /1 unchanged/)
})

test('what a file cannot be is said with its name, its line and its field, and the others go on', async () => {
  const { root } = folderOf({
    'bad-yaml.md': '---\ntitle: Fine\ntags: [tea\n---\n\nText.\n',
    'bad-colon.md': '---\ntitle: One\nsub: a: b: c\n---\n\nText.\n',
    'empty.md': '---\ntitle: Nothing under it\n---\n',
    'good.md': page('The good one'),
    'latin.md': Buffer.from([0x23, 0x20, 0xe9, 0x0a, 0x61]),
    'list.md': '---\n- a\n- b\n---\n\nText.\n',
    'long.md': page('x'.repeat(201)),
    'many-tags.md': '---\ntitle: Tags\ntags: [a, b, c, d, e, f, g, h, i]\n---\n\nText.\n',
    'no-title.md': 'Just text.\n',
    'open.md': '---\ntitle: Never closed\n\nText.\n',
    'toml.md': '+++\ntitle = "Hugo"\n+++\n\nText.\n',
    'wide-tag.md': `---\ntitle: Tags\ntags: [a, ${'t'.repeat(33)}]\ncategory: gardening\n---\n\nText.\n`,
  })
  const before = await site.count()
  const { code, out } = await site.standfirst('push', root)
  assert.equal(code, 1)
  const said = (file: string) => new RegExp(`^Failed: ${file}\\.md: (.+)$`, 'm').exec(out)?.[1] ?? ''
  assert.match(said('bad-yaml'), /^Line 4: invalid YAML \(.+\)\.$/)
  assert.match(said('bad-colon'), /^Line 3: invalid YAML \(.+\)\.$/)
  assert.equal(said('empty'), 'There is no text below the front matter.')
  assert.equal(said('latin'), 'The file is not UTF-8 text. Save it as UTF-8.')
  assert.match(said('list'), /^Line 2: front matter consists of names and values/)
  assert.equal(said('long'), 'title: must have at most 200 characters; it has 201.')
  assert.equal(said('many-tags'), 'tags: must have at most 8 entries; it has 9.')
  assert.match(said('no-title'), /^The title is missing\. Add “title:”/)
  assert.match(said('open'), /^Line 1: the front matter starts with --- but doesn’t end/)
  assert.match(said('toml'), /^Line 1: TOML front matter/)
  assert.equal(
    said('wide-tag'),
    'category: must be one of building, leading, culture, money, life, civic, ideas, society. ' +
      'tags (number 2): must have at most 32 characters; it has 33.',
  )
  assert.match(out, /1 created, 0 updated, 0 unchanged, 11 failed\.\n/)
  assert.equal((await site.count()) - before, 1)
})

test('nasty names are files like any other, and cannot move the cursor', async () => {
  const names = [
    'it\u2019s — a «name».md',
    '\u001b[2Jclear.md',
    'line\nbreak.md',
    '__proto__.md',
    `${'a'.repeat(200)}.md`,
    '%2e%2e.md',
    '-rf.md',
    '日本語.md',
  ]
  const { root } = folderOf(Object.fromEntries(names.map((name, at) => [name, page(`Nasty ${at}`)])))
  const { code, out } = await site.standfirst('push', root)
  assert.equal(code, 0, out)
  assert.match(out, /8 created/)
  assert.doesNotMatch(out, /\u001b/)
  assert.match((await site.standfirst('push', root)).out, /^0 created, 0 updated, 8 unchanged/)
})

test('hidden files, packages, links and papers of a repository are passed over', async () => {
  const { root } = folderOf({
    '.hidden/a.md': page('Hidden'),
    '.b.md': page('Hidden'),
    'node_modules/x/c.md': page('Package'),
    'README.md': page('Paper'),
    'component.mdx': page('Program'),
    'notes.txt': 'No Markdown.',
    'deep/er/d.markdown': page('The deep one'),
  })
  const { out } = await site.standfirst('push', root)
  assert.match(out, /Skipped README\.md: it looks like a file about the folder\. To push it anyway, give its name\.\n/)
  assert.match(out, /Skipped component\.mdx: MDX is code/)
  assert.match(out, /1 created, 0 updated, 0 unchanged, 0 failed/)
  assert.match((await site.standfirst('push', join(root, 'README.md'))).out, /1 created/)
})

describe('what changed is sent, and nothing else', () => {
  test('a changed file changes its draft; what it no longer says is as if it never had', async () => {
    const { root, write } = folderOf({ 'c.md': '---\ntitle: Changing\ntags: [a]\nsub: Under it\n---\n\nOne.\n' })
    await site.standfirst('push', root)
    const id = await idCalled('Changing')
    write('c.md', '---\ntitle: Changed\ntags: [a]\n---\n\nTwo.\n')
    assert.match((await site.standfirst('push', root)).out, /^Updated {2}c\.md\n0 created, 1 updated/)
    const { piece } = (await site.read(id)).json()
    assert.deepEqual([piece.headline, piece.sub, piece.tags, piece.body_md], ['Changed', null, ['a'], 'Two.\n'])
  })

  test('a member the file never named is left to its writer', async () => {
    const { root, write } = folderOf({ 'm.md': page('Mine and theirs') })
    await site.standfirst('push', root)
    const id = await idCalled('Mine and theirs')
    await site.edit(id, { category: 'civic' }, '"1"')
    write('m.md', page('Mine and theirs', 'More.\n'))
    await site.standfirst('push', '--force', root)
    const { piece } = (await site.read(id)).json()
    assert.deepEqual([piece.category, piece.body_md], ['civic', 'More.\n'])
  })

  test('a draft that was changed at the desk is left alone, and overwritten by --force', async () => {
    const { root, write } = folderOf({ 'd.md': page('Contested') })
    await site.standfirst('push', root)
    const id = await idCalled('Contested')
    await site.edit(id, { body_md: 'By hand.' }, '"1"')
    write('d.md', page('Contested', 'By file.\n'))
    const refused = await site.standfirst('push', root)
    assert.equal(refused.code, 1)
    assert.match(
      refused.out,
      /Failed: d\.md: File and draft have both changed since the last push\. To compare them, pull into another folder/,
    )
    assert.equal((await site.read(id)).json().piece.body_md, 'By hand.')
    assert.equal((await site.standfirst('push', '--force', root)).code, 0)
    assert.equal((await site.read(id)).json().piece.body_md, 'By file.\n')
  })

  test('a change whose answer was lost is no conflict', async () => {
    const { root, write, read } = folderOf({ 'l.md': page('Lost answer') })
    await site.standfirst('push', root)
    const record = read('.standfirst.json')
    write('l.md', page('Lost answer', 'After.\n'))
    await site.standfirst('push', root)
    write('.standfirst.json', record)
    assert.match((await site.standfirst('push', root)).out, /1 updated, 0 unchanged, 0 failed/)
  })

  test('a create that was interrupted and whose file was changed since makes one draft, of the new text', async () => {
    const { root, write, read } = folderOf({ 'i.md': page('Interrupted') })
    await site.standfirst('push', root)
    const kept = JSON.parse(read('.standfirst.json'))
    const sending = { headline: 'Interrupted', body_md: 'Four minutes.\n' }
    kept.sites[site.base] = { 'i.md': { sending } }
    write('.standfirst.json', JSON.stringify(kept))
    write('i.md', page('Interrupted', 'Mended.\n'))
    const before = await site.count()
    assert.match((await site.standfirst('push', root)).out, /1 updated/)
    assert.equal(await site.count(), before)
    assert.equal((await pieceCalled('Interrupted')).body_md, 'Mended.\n')
  })

  test('what is past being a draft is said, and left alone', async () => {
    const { root, write } = folderOf({ 'p.md': page('Public by now') })
    await site.standfirst('push', root)
    const id = await idCalled('Public by now')
    await publishPiece(id)
    write('p.md', page('Public by now', 'Later.\n'))
    const { code, out } = await site.standfirst('push', '--force', root)
    assert.equal(code, 1)
    assert.match(out, /Failed: p\.md: Only drafts can be changed .+ Its writer can do it at the desk\./)
  })

  test('a draft that was deleted is said to be gone, and made anew by --force', async () => {
    const { root, write } = folderOf({ 'g.md': page('Gone') })
    await site.standfirst('push', root)
    const id = await idCalled('Gone')
    await site.remove(id, '"1"')
    write('g.md', page('Gone', 'Again.\n'))
    assert.match((await site.standfirst('push', root)).out, /The draft doesn’t exist any more/)
    assert.match((await site.standfirst('push', '--force', root)).out, /1 created/)
    assert.notEqual(await idCalled('Gone'), id)
  })

  test('a deleted draft whose record was thrown away too is made anew, not taken from the answer of before', async () => {
    const { root } = folderOf({ 't.md': page('Twice made') })
    await site.standfirst('push', root)
    await site.remove(await idCalled('Twice made'), '"1"')
    rmSync(join(root, '.standfirst.json'))
    assert.match((await site.standfirst('push', root)).out, /1 created/)
    assert.equal((await pieceCalled('Twice made')).status, 'draft')
  })

  test('a file that was renamed is the same draft', async () => {
    const { root } = folderOf({ 'old.md': page('Renamed') })
    await site.standfirst('push', root)
    renameSync(join(root, 'old.md'), join(root, 'new.md'))
    const before = site.asked.length
    assert.match((await site.standfirst('push', root)).out, /^0 created, 0 updated, 1 unchanged/)
    assert.equal(site.asked.length, before)
  })

  test('a file is the same draft whether it or a folder around it is given', async () => {
    const { root } = folderOf({ 'posts/2026/a.md': page('Nested A'), 'posts/b.md': page('Nested B') })
    await site.standfirst('push', join(root, 'posts/2026/a.md'))
    await site.standfirst('push', join(root, 'posts'))
    const { out } = await site.standfirst('push', root)
    assert.match(out, /^0 created, 0 updated, 2 unchanged/)
  })

  test('--dry-run says what would be done, needs no key, and touches nothing', async () => {
    const { root, read } = folderOf({ 'n.md': page('Not yet'), 'x.md': 'no title\n' })
    const before = [site.asked.length, await site.count()]
    const { code, out } = await site.standfirst('push', '--dry-run', root)
    assert.equal(code, 1)
    assert.match(out, /^Would create {2}n\.md\n/)
    assert.match(out, /Would be: 1 created, 0 updated, 0 unchanged, 1 failed\.\n$/)
    assert.deepEqual([site.asked.length, await site.count()], before)
    assert.throws(() => read('.standfirst.json'))
  })
})

test("a file of the desk's export is the piece it says it is", async () => {
  const created = (await site.create({ headline: 'Exported', body_md: 'Kept.' })).json()
  const text = `---\nid: "${created.id}"\nheadline: "Exported"\nstatus: "draft"\nrevision: 1\n---\n\nKept.`
  const { root, write } = folderOf({ 'e.md': text })
  const before = await site.count()
  assert.match((await site.standfirst('push', root)).out, /^0 created, 0 updated, 1 unchanged/)
  write('e.md', text.replace('Kept.', 'Edited.'))
  assert.match((await site.standfirst('push', root)).out, /1 updated/)
  assert.equal(await site.count(), before)

  await publishPiece(created.id)
  const elsewhere = folderOf({ 'e.md': text })
  assert.match((await site.standfirst('push', elsewhere.root)).out, /This piece isn’t a draft any more \(published\)/)
})

test('a copy of a file of the export is told from it, and both stay as they are', async () => {
  const { id } = (await site.create({ headline: 'Copied', body_md: 'Kept.' })).json()
  const text = `---\nid: "${id}"\nheadline: Copied\n---\n\nKept.`
  const { root, write } = folderOf({ 'a.md': text, 'b.md': text })
  const { code, out } = await site.standfirst('push', root)
  assert.equal(code, 1)
  assert.match(out, /Failed: b\.md: It has the same ID as a\.md\. To make it a separate draft, remove the line “id:”/)
  write('b.md', text.replace(/id: .+\n/, ''))
  assert.match((await site.standfirst('push', root)).out, /1 created, 0 updated, 1 unchanged/)
})

test('what looks like a number is what its writer wrote', async () => {
  const { root } = folderOf({ 'n.md': '---\ntitle: 2.10\ntags: [007, 1.0, 12]\n---\n\nText.\n' })
  assert.equal((await site.standfirst('push', root)).code, 0)
  assert.deepEqual((await pieceCalled('2.10')).tags, ['007', '1.0', '12'])
})

const publishPiece = (id: string): Promise<void> => publish(site.admin, site.writer, id)
