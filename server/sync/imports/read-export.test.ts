import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { translatorOf } from '#messages/translator.ts'
import { exportOf, isDraft, pictureOf, titleOf, wordsOf, zipped } from '../../../testkit/exports.ts'
import { filesIn } from './export-files.ts'
import { MessageError } from './message-error.ts'
import type { Post } from './post.ts'
import { readExport, type Service, serviceOf, services } from './read-export.ts'

/** Exports of 200 posts of each service, and hostile ones. */

const say = translatorOf('en').say
const site = 'https://tea.example'
const read = async (name: string, content: string | Buffer, service?: Service) => {
  const files = filesIn(name, new Uint8Array(Buffer.from(content as string)))
  return readExport(service ?? (await serviceOf(files)), files, { site, siteOption: '--site' })
}
const notes = ({ lost }: Pick<Post, 'lost'>): string[] => lost.map(say)

for (const service of services) {
  test(`200 posts of ${service} keep title, text, date, language, pictures, notes, code, tables and embeds`, async () => {
    const { name, bytes } = await exportOf(service, 200)
    const files = filesIn(name, new Uint8Array(bytes))
    assert.equal(await serviceOf(files), service)
    const seen: number[] = []
    const { posts } = await readExport(service, files, {
      site,
      siteOption: '--site',
      progress: (done) => void seen.push(done),
    })
    assert.equal(seen.length, 200)
    assert.equal(new Set(posts.map(({ origin }) => origin)).size, 200)
    const byTitle = new Map(posts.map((post) => [post.draft.headline, post]))
    for (let at = 0; at < 200; at += 1) {
      const post = byTitle.get(titleOf(at))!
      const { draft, wasPublic, date, pictures } = post
      const text = draft.body_md
      assert.ok(text.includes(wordsOf(at)), text)
      assert.equal(wasPublic, !isDraft(at))
      if (wasPublic) assert.equal(date?.slice(0, 4), '2015')
      assert.match(draft.sub ?? '', new RegExp(`\\b${at}\\b`))
      const classic = service === 'wordpress' && at % 2 === 1
      if (service !== 'medium' && !classic) assert.match(text, /\[\^1\][\s\S]*\n\[\^1\]: And the moon\.\n$/)
      if (service !== 'medium') assert.match(text, /\| Leaf \| Minutes \|\n\|[ -]+\|[ -]+\|\n\| Assam \| 4 \|/)
      assert.match(text, new RegExp(`\n\`\`\`\\w*\nwait\\(${at}\\)`))
      assert.match(text, /<https:\/\/(?:youtu\.be|www\.youtube\.com)\/[^>\n]+>/)
      const host = service === 'ghost' ? site : 'https://pictures.example'
      const picture = service === 'markdown' ? 'blog/content/images/pot.png' : pictureOf(at, host)
      assert.deepEqual(pictures, [picture])
      assert.ok(text.includes(`](${picture}`), text)
      if (['ghost', 'devto', 'wordpress', 'markdown'].includes(service)) assert.ok(draft.locale)
    }
  })
}

describe('Medium', () => {
  const page = (summary: string, body: string) =>
    `<article><header><h1 class="p-name">T</h1></header><section class="p-summary">${summary}</section><section class="e-content"><section class="section--first"><h3 class="graf graf--title">T</h3>${body}</section></section><footer></footer></article>`
  const one = async (summary: string, body: string) =>
    (await read('2020-01-01_T-0123456789ab.html', page(summary, body))).posts[0]!

  test('a subtitle that the summary cuts is the standfirst, whole, and is no heading of the text', async () => {
    const { draft } = await one(
      'Long ago and…',
      '<h4 class="graf graf--h4">Long ago and far away.</h4><p class="graf">Text.</p>',
    )
    assert.deepEqual([draft.sub, draft.body_md], ['Long ago and far away.', 'Text.\n'])
  })

  test('a summary that is the opening paragraph is no standfirst', async () => {
    const { draft } = await one('The kettle is the only…', '<p class="graf">The kettle is the only clock.</p>')
    assert.deepEqual([draft.sub, draft.body_md], [undefined, 'The kettle is the only clock.\n'])
  })

  test('a Gist becomes a link and is named', async () => {
    const post = await one('', '<figure><script src="https://gist.github.com/ada/0a1b2c3d4e.js"></script></figure>')
    assert.equal(post.draft.body_md, '<https://gist.github.com/ada/0a1b2c3d4e>\n')
    assert.deepEqual(notes(post).slice(2), ['Embedded content became a link: https://gist.github.com/ada/0a1b2c3d4e'])
  })

  test('code keeps its language', async () => {
    const { draft } = await one(
      '',
      '<pre data-code-block-lang="python" class="graf"><span class="pre--content">a<br>b</span></pre>',
    )
    assert.equal(draft.body_md, '```python\na\nb\n```\n')
  })
})

describe('WordPress', () => {
  test('text of the classic editor has paragraphs, lines, captions and its own code; the rest is named', async () => {
    const { posts, lost } = await read('t.xml', (await exportOf('wordpress', 2)).bytes)
    assert.match(
      posts[1]!.draft.body_md,
      /post 1, [^\n]+\.\\\nOn a new line\.\n\n!\[A pot\]\(https:[^)]+ "Mine"\)\n\n<https:\/\/youtu\.be/,
    )
    assert.match(posts[1]!.draft.body_md, /```php\nwait\(1\)\n```/)
    assert.deepEqual(notes(posts[1]!), [
      '1 reader comment',
      'The shortcode [gallery]',
      'Embedded content became a link: https://youtu.be/abc123DEF45',
    ])
    assert.deepEqual(notes({ lost }), ['nav_menu_item (1 item)'])
    assert.deepEqual(posts[0]!.draft.tags, ['Tea'])
    assert.equal(posts[0]!.draft.external_url, 'https://tea.example/post-0/')
  })

  test('a document type is refused, and an entity is never resolved', async () => {
    const { bytes } = await exportOf('wordpress', 1)
    const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n${bytes}`
    await assert.rejects(read('t.xml', bomb), MessageError)
    const { posts } = await read('t.xml', String(bytes).replace('<![CDATA[On slow tea 0]]>', 'A &unknown; &amp; B'))
    assert.equal(posts[0]!.draft.headline, 'A &unknown; & B')
  })
})

test('hostile exports are refused in a sentence, or read without what is hostile in them', async () => {
  const refusals: readonly (readonly [string, string | Buffer, Service?])[] = [
    ['x.zip', 'PK\u0003\u0004 and nothing else'],
    ['x.json', '[[[['.repeat(20_000)],
    ['x.json', '{"db":5}'],
    ['x.xml', '<rss><channel>'],
    ['x.bin', 'nothing'],
    ['x.zip', await zipped([['../../etc/passwd', 'root']])],
    ['x.zip', await zipped([['posts.csv', Buffer.from([0xff, 0xfe, 0x00])]])],
  ]
  for (const [name, content, service] of refusals)
    await assert.rejects(read(name, content, service), MessageError, `${name} ${String(content).slice(0, 20)}`)
  const deep = `${'<div><b>'.repeat(50_000)}within<script>alert(1)</script><a href="javascript:alert(1)">x</a><img src="data:x">`
  const { posts } = await read('g.json', JSON.stringify({ data: { posts: [{ html: deep, title: '\u0000T\u202e' }] } }))
  assert.match(posts[0]!.draft.body_md, /within/)
  assert.doesNotMatch(posts[0]!.draft.body_md, /script|data:/)
  assert.equal(posts[0]!.draft.headline, 'T')
})

test('an archive that unpacks to more than a tab can hold is refused', async () => {
  const page = Buffer.alloc(100 * 2 ** 20, 0x20)
  const bytes = await zipped(Array.from({ length: 6 }, (_, at) => [`posts/2020-01-01_T-${at}.html`, page] as const))
  await assert.rejects(read('medium.zip', bytes), /too_large/)
})

test('front matter that cannot be read stays in the text and is named', async () => {
  const { posts } = await read('x.zip', await zipped([['a.md', '---\ntitle: [open\n---\n\nText.']]))
  assert.match(posts[0]!.draft.body_md, /title: \[open[\s\S]*Text\./)
  assert.equal(notes(posts[0]!)[0], 'Its front matter is invalid and stays in the text')
})
