import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderOf, listeningSite, page, programOf } from '../../testkit/cli.ts'
import { publish } from '../../testkit/factories.ts'
import { serve } from '../../testkit/network.ts'

/** `standfirst pull` through the write API, and pushing again. */

const markdownIn = (root: string) => readdirSync(root).filter((name) => name.endsWith('.md'))

const whole = {
  headline: 'Tea: "the" case — it’s slow',
  sub: 'Four minutes, # not long',
  body_md: '\n\n# A heading\r\n\r\n---\ntitle: not front matter\n---\n\ttabs, trailing  \n',
  category: 'life',
  tags: ['tea', 'no', '12', 'a, b'],
  frame: 'contrarian',
  style: 'letter',
  locale: 'pt-BR',
  external_url: 'https://elsewhere.example/a?b=c#d',
}

test('what is pulled from one site and pushed into another is the same, member for member', async () => {
  const [from, to] = [await listeningSite(), await listeningSite()]
  const bodies = [whole, { headline: 'Plain', body_md: 'Text' }, { headline: 'Plain', body_md: 'Another of that name' }]
  for (const body of bodies) assert.equal((await from.create(body)).statusCode, 201)
  const { root } = folderOf()
  const pulled = await from.standfirst('pull', root)
  assert.match(pulled.out, /\n3 downloaded, 0 unchanged, 0 newer here \(push them\), 0 failed\.\n$/)
  assert.equal((await to.standfirst('push', root)).code, 0)

  const everything = async (site: typeof from) => {
    const ids = (await site.list('?limit=50')).json().pieces.map(({ id }: { id: string }) => id)
    const pieces = []
    for (const id of ids) {
      const { id: _, created_at: __, updated_at: ___, edit_url: ____, ...piece } = (await site.read(id)).json().piece
      pieces.push(piece)
    }
    return pieces.sort((a, b) => (a.body_md < b.body_md ? -1 : 1))
  }
  assert.deepEqual(await everything(to), await everything(from))
  const [made] = (await everything(to)).filter(({ style }) => style === 'letter')
  assert.deepEqual(made, { ...whole, status: 'draft' })
})

const site = await listeningSite()

test('pull and push one after the other change nothing and send nothing', async () => {
  const { root } = folderOf()
  await site.create(whole)
  await site.standfirst('pull', root)
  const writes = () => site.asked.filter(({ method }) => method !== 'GET').length
  const before = writes()
  assert.match((await site.standfirst('push', root)).out, /^0 created, 0 updated, 1 unchanged/)
  assert.match((await site.standfirst('pull', root)).out, /^0 downloaded, 1 unchanged/)
  assert.equal(writes(), before)
})

test('what changed at the desk is fetched, and what the file says beside stays', async () => {
  const { root, read } = folderOf({ 'mine.md': '---\ntitle: Beside\nlayout: post\n---\n\nOld.\n' })
  await site.standfirst('push', root)
  const { id } = (await site.list()).json().pieces[0]
  await site.edit(id, { body_md: 'New.', sub: 'Added' }, '"1"')
  assert.match((await site.standfirst('pull', root)).out, /Downloaded {2}mine\.md\n/)
  assert.equal(
    read('mine.md'),
    '---\nheadline: Beside\nstandfirst: Added\ncategory: building\ntags: []\nframe: lesson\nstyle: essay\nlocale: en\nlayout: post\n---\n\nNew.',
  )
})

test('what changed here is kept, and what changed on both sides is said and overwritten only by --force', async () => {
  const { root, write, read } = folderOf({ 'both.md': page('Both sides') })
  await site.standfirst('push', root)
  const { id } = (await site.list()).json().pieces[0]
  write('both.md', page('Both sides', 'Here.\n'))
  assert.match((await site.standfirst('pull', root)).out, /1 newer here \(push them\)/)
  await site.edit(id, { body_md: 'There.' }, '"1"')
  const refused = await site.standfirst('pull', root)
  assert.equal(refused.code, 1)
  assert.match(
    refused.out,
    /Failed: both\.md: File and draft have both changed\. To compare them, pull into another folder/,
  )
  assert.equal(read('both.md'), page('Both sides', 'Here.\n'))
  assert.equal((await site.standfirst('pull', '--force', root)).code, 0)
  assert.match(read('both.md'), /\n\nThere\.$/)
})

test('other drafts that come into a folder that was pushed are counted', async () => {
  const { root } = folderOf({ 'known.md': page('Known') })
  await site.standfirst('push', root)
  const before = await site.count()
  const { out } = await site.standfirst('pull', root)
  assert.match(out, new RegExp(`\\n${before - 1} drafts? (?:was|were) new and now (?:has a file|have files)\\.\\n`))
  assert.doesNotMatch((await site.standfirst('pull', root)).out, /new and now ha/)
})

test('pieces past being drafts are counted, and a file that is deleted comes back under its name', async () => {
  const own = await listeningSite()
  await own.create({ headline: 'To be public', body_md: 'Text.' })
  await publish(own.admin, own.writer, (await own.list()).json().pieces[0].id)
  await own.create({ headline: '日本語', body_md: 'Text.' })
  const { root } = folderOf()
  const { out } = await own.standfirst('pull', root)
  assert.match(
    out,
    /^Downloaded {2}\d{4}-\d\d-\d\d-draft\.md\n1 downloaded.+\n1 piece isn’t a draft any more, so an API key can’t read it\./,
  )
  const [name] = markdownIn(root)
  rmSync(join(root, name!))
  await own.standfirst('pull', root)
  assert.deepEqual(markdownIn(root), [name])
})

test('a file that was renamed or whose folder is gone is no second draft', async () => {
  const own = await listeningSite()
  const { root } = folderOf({ 'old.md': page('Renamed'), 'deep/er.md': page('In a folder') })
  await own.standfirst('push', root)
  renameSync(join(root, 'old.md'), join(root, 'new.md'))
  rmSync(join(root, 'deep'), { recursive: true })
  const { code, out } = await own.standfirst('pull', root)
  assert.equal(code, 0, out)
  assert.match(out, /^Downloaded {2}deep\/er\.md\n1 downloaded, 1 unchanged/)
  assert.deepEqual(markdownIn(root), ['new.md'])
  assert.match((await own.standfirst('push', root)).out, /^0 created, 0 updated, 2 unchanged/)
  assert.equal(await own.count(), 2)
})

test('a site that names places elsewhere writes to none of them', async () => {
  const id = '5f0c8f6e-3f5b-4b59-9d0a-0b7f3c1e2a44'
  const draft = { id: `../../${id}`, headline: '../../x', created_at: '../../../e', status: 'draft', tags: [] }
  const hostile = await serve(({ url = '' }, response) => {
    const body = url.includes('/me')
      ? { pieces: [{ ...draft, id }], next_cursor: null }
      : { piece: { ...draft, body_md: 'x' } }
    response.setHeader('etag', '"1"').end(JSON.stringify({ ok: true, ...body }))
  })
  const { root } = folderOf({ 'deep/er/.keep': '' })
  const base = hostile.base
  const program = programOf({ STANDFIRST_URL: base, STANDFIRST_KEY: 'pk_live_x' })
  const { code, out } = await program.standfirst('pull', join(root, 'deep/er'))
  assert.equal(code, 0, out)
  assert.deepEqual(
    (readdirSync(root, { recursive: true }) as string[]).filter((name) => name.endsWith('.md')),
    ['deep/er/-x.md'],
  )
})

test('more drafts than one page of the list has are all fetched', async () => {
  const own = await listeningSite()
  const { root } = folderOf(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}.md`, page(`No. ${at}`)])))
  await own.standfirst('push', root)
  const elsewhere = folderOf()
  await own.standfirst('pull', elsewhere.root)
  assert.equal(markdownIn(elsewhere.root).length, 60)
})

test('a key, an address or a site that is none is said in a sentence', async () => {
  const { root } = folderOf({ 'a.md': page('Never sent') })
  const ends = async (env: Record<string, string>) => {
    const { code, out, error } = await programOf(env).standfirst('push', root)
    assert.equal(code, 1)
    return out + error
  }
  const { base, key } = site
  assert.match(await ends({}), /^Set STANDFIRST_URL to the address of the site/)
  assert.match(await ends({ STANDFIRST_URL: base }), /^No API key\. Create one at the desk/)
  const wrong = await ends({ STANDFIRST_URL: base, STANDFIRST_KEY: `${key.slice(0, -1)}x` })
  assert.match(
    wrong,
    /doesn’t accept this API key\. .+\n0 created, 0 updated, 0 unchanged, 0 failed\.\n1 file was not sent\.\n$/,
  )
  const moved = await ends({ STANDFIRST_URL: `${base}/nowhere`, STANDFIRST_KEY: key })
  assert.match(moved, /Failed|not a Standfirst site|leads on/)
})

test('a record that is no record, or that cannot be written, stops before anything is sent', async () => {
  const { root, write } = folderOf({ 'a.md': page('Not without a record'), '.standfirst.json': '<<<<<<< HEAD' })
  const before = site.asked.length
  const broken = await site.standfirst('push', root)
  assert.equal(broken.code, 1)
  assert.match(broken.out, /\.standfirst\.json is damaged\. Restore an older copy/)
  write('.standfirst.json', '{"version":1,"sites":{}}')
  mkdirSync(join(root, '.standfirst.json.new'))
  const full = await site.standfirst('push', root)
  assert.equal(full.code, 1)
  assert.match(
    full.out,
    /\.standfirst\.json: The file can’t be written \(EISDIR\)\. Nothing is sent without this file\./,
  )
  assert.equal(site.asked.length, before)
})
