import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { zip } from '../../server/platform/zip.ts'
import { folderOf, listeningSite, programOf } from '../../testkit/cli.ts'

/** `standfirst import`: exports as the services hand them out (test/imports), as files and as drafts of a real site. */

const exported = (name: string) => fileURLToPath(new URL(`../imports/${name}`, import.meta.url))
const { standfirst } = programOf({})

/** The folder as a zip, as the service delivers it. */
async function zipped(name: string): Promise<Buffer> {
  const root = exported(name)
  const names = (readdirSync(root, { recursive: true }) as string[]).filter((one) => statSync(join(root, one)).isFile())
  const entries = async function* () {
    for (const one of names) yield { name: one, modified: new Date(), content: readFileSync(join(root, one)) }
  }
  return Buffer.concat(await Array.fromAsync(zip(entries())))
}

/** The files that an import makes, by name, and its report. */
async function filesOf(service: string, path: string, ...more: string[]) {
  const { root } = folderOf()
  const into = join(root, 'in')
  const { code, out, error } = await standfirst('import', service, path, '--into', into, ...more)
  assert.equal(code, 0, error)
  return {
    into,
    out,
    files: Object.fromEntries(readdirSync(into).map((one) => [one, readFileSync(join(into, one), 'utf8')])),
  }
}

const report = 'not-carried-over.txt'

test('posts that would be called the same are all there, whatever another is called', async () => {
  const called = (slug: string, title: string) => ({ slug, title, body_markdown: `${title}.`, published: false })
  const { root, write } = folderOf()
  write('articles.json', JSON.stringify([called('tea', 'One'), called('tea-2', 'Two'), called('tea', 'Three')]))
  const { files } = await filesOf('devto', join(root, 'articles.json'))
  const bodies = Object.values(files).filter((text) => text.startsWith('---'))
  assert.deepEqual(bodies.map((text) => text.split('\n\n')[1]).sort(), ['One.', 'Three.', 'Two.'])
})

test('rows that are none and dates that are none lose nobody else', async () => {
  const rows = [null, 5, { slug: 'tea', title: 'Tea', html: '<p>Slow.</p>', published_at: 'one day' }]
  const { root, write } = folderOf()
  write('ghost.json', JSON.stringify({ data: { posts: rows, posts_tags: [null], tags: 'none' } }))
  const { files } = await filesOf('ghost', join(root, 'ghost.json'))
  assert.deepEqual(Object.keys(files).sort(), [report, 'tea.md'])
  assert.match(files[report]!, /tea\.md\n {2}- Date \(invalid\): one day\n/)
})

test('an export in other letters than UTF-8 is not read as if it were', async () => {
  const { root, write } = folderOf()
  write('posts.csv', Buffer.from('post_id,title\n1.tea,Thé\n', 'utf16le'))
  const { code, error } = await standfirst('import', 'substack', root, '--into', join(root, 'in'))
  assert.equal(code, 1)
  assert.match(error, /^posts\.csv is not UTF-8 text\. Unpack the export, save this file as UTF-8/)
})

describe('Ghost', () => {
  test('posts have title, excerpt, tags, address, their title for search engines and text; pictures and links lead to the site', async () => {
    const { files } = await filesOf('ghost', exported('ghost.json'), '--site', 'https://tea.example/')
    assert.deepEqual(Object.keys(files).sort(), [
      '2024-01-01-about.md',
      '2024-05-02-slow-tea.md',
      '2027-01-01-for-members.md',
      report,
    ])
    assert.equal(
      files['2024-05-02-slow-tea.md'],
      `---
headline: The case for slow tea
standfirst: Four minutes is not long.
tags: [Tea, Attention]
external_url: "https://tea.example/slow-tea/"
meta: {"title":"Slow tea"}
date: "2024-05-02T07:30:00.000Z"
---

The kettle is the only **honest** clock in my kitchen.\\*

![A kettle](https://tea.example/content/images/2024/05/kettle.jpg "Mine, since 1998")

## Four minutes

Read [why I wait](https://tea.example/why-wait/).

<https://www.youtube.com/embed/abc123DEF45?feature=oembed>

\`\`\`js
const minutes = 4
if (minutes < 5) wait()
\`\`\`

💡

Warm the pot.
`,
    )
  })

  test('what is for members, scheduled, injected, by others or above the text is named', async () => {
    const { files, out } = await filesOf('ghost', exported('ghost.json'))
    for (const words of [
      'Audience (paid)',
      'Paywall: the whole text is one piece now',
      'Scheduled publication (2027-01-01T08:00:00.000Z)',
      'A form or button to subscribe',
      'Injected code (codeinjection_head)',
      'Other authors: Bo Lind',
      'Cover picture: /content/images/2024/05/cover.jpg',
      'Email subject: Put the kettle on',
      'Embedded content became a link: https://www.youtube.com/embed/abc123DEF45',
      'Internal tags: #import',
      'Its type: it was a page in Ghost, and becomes a piece here',
      'The text: the export has no HTML of this post',
      'newsletters (1 row)',
      'settings (1 row)',
    ])
      assert.ok(files[report]!.includes(words), words)
    assert.match(out, /Not imported: Addresses of the posts.+ use --site https:\/\/…/)
  })
})

describe('Medium', () => {
  test('the zip as it comes and the folder it unpacks to are the same files', async () => {
    const folder = await filesOf('medium', exported('medium'))
    const { root, write } = folderOf()
    write('medium-export.zip', await zipped('medium'))
    const archive = await filesOf('medium', join(root, 'medium-export.zip'))
    assert.deepEqual(archive.files, folder.files)
    assert.equal(
      folder.files['2023-04-05-the-case-for-slow-tea.md'],
      `---
headline: "The case for slow tea & time"
standfirst: Four minutes is not long.
tags: []
external_url: "https://medium.com/@ada/the-case-for-slow-tea-0a1b2c3d4e5f"
date: "2023-04-05T06:07:08.000Z"
---

![](https://cdn-images-1.medium.com/max/800/1*kettle.jpeg "Mine, since 1998")

The kettle is the **only** clock I trust, see [here](https://tea.example/a?b=1&c=2).

\`\`\`
boil
wait
\`\`\`

- Leaf
- Water

---

> Wait.

<https://www.youtube.com/embed/abc123DEF45?feature=oembed>
`,
    )
    assert.equal(
      folder.files['half-a-thought.md'],
      '---\nheadline: Half a thought\ntags: []\n---\n\nTo be gone on with.\n',
    )
  })

  test('a response, claps and the rest of the archive are named, and no file', async () => {
    const { files } = await filesOf('medium', exported('medium'))
    assert.equal(Object.keys(files).length, 3)
    assert.match(files[report]!, /Agreed--I-wait-too.+ seems to be a response \(https:\/\/medium\.com\/@ada\/agreed/)
    assert.match(files[report]!, /- profile \(1 file\)/)
    assert.match(files[report]!, /A picture stays at its old address: https:\/\/cdn-images-1\.medium\.com/)
  })
})

describe('Substack', () => {
  test('posts have their footnotes and no buttons, and lead to where they were', async () => {
    const { files } = await filesOf('substack', exported('substack'), '--site', 'tea.substack.com')
    const text = files['2024-03-01-slow-tea.md']!
    assert.match(text, /^---\nheadline: The case for slow tea, again\nstandfirst: "It said \\"wait\\" on the tin"\n/)
    assert.match(text, /\nexternal_url: "https:\/\/tea\.substack\.com\/p\/slow-tea"\n/)
    assert.match(text, /clock I trust\.\[\^1\]\n[\s\S]+\n\[\^1\]: And the moon\.\n$/)
    assert.match(text, /\n\nSee \[about\]\(https:\/\/tea\.substack\.com\/about\)\.\n/)
    assert.doesNotMatch(text, /Subscribe|Share|Thanks for reading/)
  })

  test('what is paid, sound, a list of readers or missing is named', async () => {
    const { files } = await filesOf('substack', exported('substack'))
    for (const words of [
      'Audience (only_paid)',
      'Paywall: the whole text is one piece now',
      'Post type: podcast',
      'Audio: https://api.substack.com/feed/podcast/140003/out-loud.mp3',
      'Comments and likes: the export doesn’t include them',
      'A form or button to subscribe or share',
      'The text: the export has no page for this post',
      'email_list.tea.csv (1 file)',
      '*.delivers.csv, *.opens.csv (1 file)',
      'Addresses of the posts',
    ])
      assert.ok(files[report]!.includes(words), words)
    assert.doesNotMatch(files[report]!, /A drawing/)
  })
})

describe('dev.to', () => {
  test('a description that somebody wrote is the standfirst, and one that repeats the text is not', async () => {
    const article = (slug: string, description: string) => ({
      slug,
      title: slug,
      body_markdown: 'We **drank** tea.',
      description,
    })
    const { root, write } = folderOf()
    write('articles.json', JSON.stringify([article('own', 'Four minutes.'), article('made', 'We drank...')]))
    const { files } = await filesOf('devto', join(root, 'articles.json'))
    assert.match(files['own.md']!, /\nstandfirst: Four minutes\.\n/)
    assert.doesNotMatch(files['made.md']!, /We drank\.\.\./)
  })

  test('articles keep their Markdown; their own front matter and tags of the site are read', async () => {
    const { files } = await filesOf('devto', exported('devto'))
    assert.match(
      files['2022-02-02-the-case-for-slow-tea-1ab2.md']!,
      /\nexternal_url: "https:\/\/dev\.to\/ada\/the-case-for-slow-tea-1ab2"\n/,
    )
    assert.match(
      files['2022-02-02-the-case-for-slow-tea-1ab2.md']!,
      /\n\n<https:\/\/www\.youtube\.com\/watch\?v=abc123DEF45>\n\n/,
    )
    assert.match(files['2022-02-02-the-case-for-slow-tea-1ab2.md']!, /\n`\{% raw %\}` stays/)
    assert.equal(
      files['2022-03-01-half-a-thought-temp-slug-1.md'],
      '---\nheadline: Half a thought\nstandfirst: To be gone on with.\ntags: [tea, drafts]\n' +
        'external_url: "https://tea.example/half"\ndate: "2022-03-01T10:00:00.000Z"\n---\n\nTo be gone on with.\n',
    )
    for (const words of [
      '1 comment of yours',
      '3 reader comments',
      '7 reactions',
      'Series: Tea',
      'cover.png',
      '{% collapsible %}',
    ])
      assert.ok(files[report]!.includes(words), words)
  })
})

test('--push makes drafts of them, once, and what was changed since is left as it is', async () => {
  const site = await listeningSite()
  const { root, read, write } = folderOf()
  const into = join(root, 'in')
  const ask = () => site.standfirst('import', 'medium', exported('medium'), '--into', into, '--push')
  const first = await ask()
  assert.equal(first.code, 0, first.out)
  assert.match(first.out, /2 posts: 2 written, .+\n[\s\S]+\n2 created, 0 updated, 0 unchanged, 0 failed\./)
  const { pieces } = (await site.list()).json()
  assert.deepEqual(
    pieces.map(({ headline, status }: { headline: string; status: string }) => [headline, status]),
    [
      ['Half a thought', 'draft'],
      ['The case for slow tea & time', 'draft'],
    ],
  )
  const { piece } = (await site.read(pieces[1].id)).json()
  assert.equal(piece.external_url, 'https://medium.com/@ada/the-case-for-slow-tea-0a1b2c3d4e5f')

  write('in/half-a-thought.md', read('in/half-a-thought.md').replace('gone on', 'carried on'))
  const again = await ask()
  assert.match(again.out, /Not overwritten: half-a-thought\.md, because it was changed since the import\./)
  assert.match(again.out, /\n0 created, 1 updated, 1 unchanged, 0 failed\./)
  assert.equal(await site.count(), 2)
})

test('what is no export is said in a sentence, and makes no folder', async () => {
  const { root, write } = folderOf({ 'empty.json': '{}', 'no.json': 'not', 'list.json': '[{"a":1}]' })
  write('cut.zip', (await zipped('medium')).subarray(0, -30))
  const says = async (service: string, path: string) => {
    const { code, error } = await standfirst('import', service, path, '--into', join(root, 'never'))
    assert.equal(code, 1)
    assert.doesNotMatch(error, /\n +at /)
    return error
  }
  assert.match(
    await says('ghost', join(root, 'empty.json')),
    /^empty\.json doesn’t look like an export from Ghost\.\n$/,
  )
  write('null.json', 'null')
  assert.match(await says('ghost', join(root, 'null.json')), /^null\.json doesn’t look like an export from Ghost\./)
  const inFile = await standfirst('import', 'ghost', exported('ghost.json'), '--into', join(root, 'null.json'))
  assert.deepEqual([inFile.code, /^Can’t use .*null\.json \(EEXIST\)\. Choose/.test(inFile.error)], [1, true])
  assert.match(await says('ghost', join(root, 'no.json')), /^no\.json is not valid JSON\./)
  assert.match(await says('devto', join(root, 'list.json')), /doesn’t look like an export from dev\.to/)
  assert.match(await says('substack', exported('medium')), /^There is no posts\.csv in this export\./)
  assert.match(await says('medium', join(root, 'cut.zip')), /cut\.zip: it is damaged, or not a zip archive\./)
  assert.match(await says('medium', join(root, 'nothing')), /^Can’t read .*: ENOENT\./)
  assert.match(
    await says('tumblr', root),
    /^Exports from tumblr are not supported\. Supported: ghost, medium, substack, devto, wordpress and markdown\.\n$/,
  )
  assert.ok(!existsSync(join(root, 'never')))
})

test('an address of a post cannot lead out of the folder, and long words are cut and said', async () => {
  const post = {
    id: '1',
    title: 'T'.repeat(300),
    slug: '../../../etc/passwd',
    html: '<p>x</p>',
    status: 'draft',
    custom_excerpt: 'e '.repeat(400),
  }
  const tags = Array.from({ length: 10 }, (_, at) => ({ id: `t${at}`, name: at === 3 ? 'w'.repeat(40) : `tag ${at}` }))
  const links = tags.map(({ id }, sort_order) => ({ post_id: '1', tag_id: id, sort_order }))
  const { root } = folderOf({
    'g.json': JSON.stringify({ db: [{ data: { posts: [post], tags, posts_tags: links } }] }),
  })
  const { files, into } = await filesOf('ghost', join(root, 'g.json'))
  assert.deepEqual(Object.keys(files).sort(), ['etc-passwd.md', report])
  assert.match(files[report]!, /The headline was cut to 200 characters\. It was: T{300}\n/)
  assert.match(files[report]!, /The standfirst was cut to 400 characters/)
  assert.match(files[report]!, /Tags beyond the limit of 8 tags with 32 characters each: w{40}, tag 9\n/)
  const site = await listeningSite()
  assert.equal((await site.standfirst('push', into)).code, 0)
})
