import assert from 'node:assert/strict'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { after, describe, test } from 'node:test'
import { contextOf } from '../../deploy/rehearsal/image.ts'
import { docsGroups, docsPages, docsPath } from '../../server/http/docs-toc.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'

/** The docs as a whole: a complete table of contents and no dead link, on the site or in the repository. */

const root = new URL('../../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8')
const written = docsPages.flatMap((page) => (page.file ? [{ ...page, file: page.file }] : []))

const { url } = await testDatabase()
const base = 'https://site.test'
// With a legal notice, which the docs link to.
const folder = mkdtempSync(join(tmpdir(), 'site-'))
after(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'imprint.md'), 'Ada Okafor, 1 Tea Street, Lagos.\n')
const app = await testApp(url, { BASE_URL: base, SITE_FOLDER: folder })

describe('the contents', () => {
  test('have every file of docs/, and every file they name is there', () => {
    const files = globSync(['docs/*.md', 'docs/*/README.md'], { cwd: root })
    const named = written.map(({ file }) => file).filter((file) => file.startsWith('docs/'))
    assert.deepEqual(['docs/README.md', ...named].toSorted(), files.toSorted())
    for (const { file } of written) assert.ok(existsSync(new URL(file, root)), file)
  })

  test('call every page what it calls itself', () => {
    for (const { file, title } of written) {
      const titles = [...proseOf(read(file)).matchAll(/^# (.+)$/gm)].map(([, words]) => words)
      assert.deepEqual(titles, [title], file)
    }
  })

  test('name no page twice', () => {
    assert.equal(new Set(docsPages.map(docsPath)).size, docsPages.length)
  })

  test('are all in the image', () => {
    const isIn = contextOf(read('.dockerignore'))
    for (const { file } of written) {
      assert.ok(isIn(file), `.dockerignore keeps ${file} out`)
      const [folder] = file.split('/')
      assert.match(read('deploy/Dockerfile'), new RegExp(`^COPY ${folder} ${folder}$`, 'm'))
    }
  })

  test('are those of docs/README.md', () => {
    const linked = ({ name, file }: (typeof docsPages)[number]): string =>
      file ? posix.relative('docs', file) : `http://localhost:8080/developers/${name}`
    const tables = docsGroups.map(({ title, about, pages }) =>
      [
        ...[`## ${title}`, '', about, '', '| page | what it covers |', '|---|---|'],
        ...pages.map((page) => `| [${page.title}](${linked(page)}) | ${page.about} |`),
      ].join('\n'),
    )
    const [, ...groups] = read('docs/README.md').split(/\n\n(?=## )/)
    assert.deepEqual(groups, [...tables.slice(0, -1), `${tables.at(-1)}\n`])
  })
})

const pagesOnSite = new Map<string, string>()

async function pageAt(path: string): Promise<string> {
  const known = pagesOnSite.get(path)
  if (known) return known
  const { statusCode, headers, body } = await app.inject(path)
  if (statusCode === 301) {
    const { pathname } = new URL(String(headers.location), base + path)
    assert.notEqual(pathname, path)
    return pageAt(pathname)
  }
  assert.equal(statusCode, 200, path)
  pagesOnSite.set(path, body)
  return body
}

const idsOf = (html: string): string[] => [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)

/** The sections of the desk's page Integrations, which a script renders. */
const integrationParts = [...read('desk/source/pages/integrations/page.tsx').matchAll(/^ {2}\{ id: '([\w-]+)',/gm)].map(
  ([, id = '']) => id,
)

const placesOf = (path: string, html: string): readonly string[] =>
  path === '/desk/edit/online-presence' ? integrationParts : idsOf(html)

const withoutCode = (html: string): string => html.replace(/<(pre|code)\b[\s\S]*?<\/\1>/g, '')

describe('on the site', () => {
  for (const { name, file } of docsPages) {
    if (name === 'reference') continue
    test(`every link and anchor of ${name} leads somewhere`, async () => {
      const path = `/developers/${name}`
      const html = await pageAt(path)
      const ids = idsOf(html)
      assert.equal(new Set(ids).size, ids.length, 'an id stands twice')
      for (const [, href = ''] of html.matchAll(/<(?:a|link)\s[^>]*?href="([^"]*)"/g)) {
        const target = new URL(href.replaceAll('&amp;', '&'), base + path)
        if (target.protocol === 'mailto:') assert.match(target.pathname, /^[^@\s]+@[^@\s]+$/)
        else if (target.origin !== base) assert.match(href, /^https?:\/\/[\w.-]+(:\d+)?(\/|$)/)
        else {
          const there = await pageAt(target.pathname + target.search)
          const fragment = decodeURIComponent(target.hash.slice(1))
          assert.ok(
            !fragment || placesOf(target.pathname, there).includes(fragment),
            `${href} of ${path}: no such place`,
          )
        }
      }
      for (const [, src = ''] of html.matchAll(/<(?:img|script)\s[^>]*?src="([^"]*)"/g)) await pageAt(src)
      if (file) assert.doesNotMatch(withoutCode(html), /\]\(|href="[^"#]*\.md#/)
    })
  }

  test('a page is kept by its ETag, and so is its Markdown', async () => {
    for (const path of ['/developers/operations', '/developers/operations.md']) {
      const { headers } = await app.inject(path)
      assert.equal(headers['cache-control'], 'public, max-age=300')
      const again = await app.inject({ url: path, headers: { 'if-none-match': String(headers['etag']) } })
      assert.equal(again.statusCode, 304)
    }
  })

  test('a page says which of them it is, and has its neighbours', async () => {
    const html = await pageAt('/developers/reading')
    assert.deepEqual(html.match(/<a href="[^"]+" aria-current="page">/g), [
      '<a href="/developers/reading" aria-current="page">',
    ])
    assert.match(html, /<a rel="prev" href="\/developers\/quickstart">/)
    assert.match(html, /<a rel="next" href="\/developers\/feeds">/)
  })

  test('what is in the repository only is named, and not linked to', async () => {
    const html = await pageAt('/developers/running')
    assert.match(html, /<code>deploy\/README\.md<\/code>/)
    assert.doesNotMatch(html, /href="[^"]*deploy/)
    assert.match(
      html,
      /<a href="\/developers\/operations">Operations<\/a>/,
      'a page is called by its title, not its file',
    )
  })

  test('pages of the site speak of it, those of every site of an example', async () => {
    assert.ok((await pageAt('/developers/quickstart')).includes(`${base}/api/public/pieces/recent`))
    assert.ok((await pageAt('/developers/sdk.md')).includes(`standfirst({ base: '${base}' })`))
    assert.ok((await pageAt('/developers/configuration')).includes('<code>http://localhost:8080</code>'))
  })

  test('whoever gives an address to write to is written to', async () => {
    const site = await testApp(url, { CONTACT: 'post@site.test' })
    const { body } = await site.inject('/developers/security')
    assert.match(body, /Email <a href="mailto:post@site\.test">/)
    assert.match(await pageAt('/developers/security'), /<a href="\/imprint">The imprint<\/a> says who runs/)
  })
})

/** Code contains no links and headings. */
const proseOf = (markdown: string): string =>
  markdown.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '`code`')

/** Anchors as GitHub makes them. */
function anchorsIn(markdown: string): string[] {
  const seen = new Map<string, number>()
  const outsideFences = markdown.replace(/^```[\s\S]*?^```$/gm, '')
  return [...outsideFences.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    const anchor = words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-')
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  })
}

describe('in the repository', () => {
  const files = [
    ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs/README.md', 'deploy/README.md'],
    ...readdirSync(new URL('docs/adr', root)).map((name) => `docs/adr/${name}`),
    ...written.map(({ file }) => file).filter((file) => !file.startsWith('docs/adr/')),
  ]
  for (const file of files) {
    test(`every link and anchor of ${file} leads somewhere`, async () => {
      const prose = proseOf(read(file))
      const inline = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href)
      const defined = new Map([...prose.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, name, href = '']) => [name, href]))
      for (const [, name = ''] of prose.matchAll(/\]\[([^\]]+)\]/g)) assert.ok(defined.has(name), `${file}: [${name}]`)
      const inHtml = [...prose.matchAll(/\s(?:src|srcset|href)="([^"\s]+)/g)].map(([, href = '']) => href)
      for (const href of [...inline, ...defined.values(), ...inHtml]) {
        if (/^https?:/.test(href)) {
          const { hostname, port, pathname, search } = new URL(href)
          if (`${hostname}:${port}` === 'localhost:8080') await pageAt(pathname + search)
          else assert.match(hostname, /^[a-z0-9-]+(\.[a-z0-9-]+)+$/, href)
          continue
        }
        if (href.startsWith('mailto:')) continue
        const [path = '', fragment] = href.split('#')
        const target = path ? posix.join(posix.dirname(file), path) : file
        assert.ok(existsSync(new URL(target, root)), `${file} links to ${href}, which is not there`)
        if (fragment) assert.ok(anchorsIn(read(target)).includes(fragment), `${file} links to ${href}: no such heading`)
      }
    })
  }
})
