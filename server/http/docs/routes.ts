import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { type Html, html, storedMarkup } from '#platform/html.ts'
import { cached } from '#platform/http/caching.ts'
import type { PublicContext } from '#platform/http/public-context.ts'
import { developerPage } from '#platform/http/security.ts'
import { type DocsPage, docsPages, docsPath } from '#platform/page/docs-toc.ts'
import { document, type PageHead } from '#platform/page/layout.ts'
import { addressSections, everyAddress, type ListedAddress } from './addresses.ts'
import { docsIndex, framed } from './layout.ts'
import { picturePath } from './links.ts'
import { consoleOfTools } from './mcp-console.ts'
import { type ReadPage, readPage } from './pages.ts'

interface IndexDoor extends PublicContext {
  /** Every public address there is. */
  readonly addresses: readonly ListedAddress[]
}

/** /developers: the index, and docs/*.md, each as a page and as Markdown. */
export const developerRoutes: FastifyPluginAsync<IndexDoor> = async (app, context) => {
  const { reads, gate, siteInfo, addresses } = context
  const { urls } = reads
  const route = { onRequest: gate('single', 'read'), schema: { hide: true } as object }
  app.addHook('onSend', cached('description'))

  const send = (reply: FastifyReply, head: PageHead, main: Html): string => {
    developerPage(reply, [])
    reply.type('text/html; charset=utf-8')
    return document(siteInfo, urls, head, html`<link rel="stylesheet" href="/developers/guides.css">\n${main}`)
  }

  for (const [name, type] of Object.entries(assets)) {
    const text = readFileSync(new URL(name, import.meta.url), 'utf8')
    // Not at the gate: a page without its style helps nobody.
    app.get(`/developers/${name}`, { schema: { hide: true } as object }, async (_request, reply) => {
      reply.type(type)
      return text
    })
  }

  app.get('/developers', route, async (_request, reply) =>
    send(
      reply,
      { title: 'For developers', description: lead, canonical: urls.page('developers') },
      docsIndex(siteInfo.name, lead),
    ),
  )

  app.get('/developers/', route, async (_request, reply) => reply.redirect(urls.page('developers'), 301))

  const headOf = ({ name, title }: DocsPage) => ({ title, canonical: urls.page(`developers/${name}`) })

  for (const page of docsPages) {
    const { file } = page
    if (!file) continue
    // Read when first asked for: a process starts sooner, and most never show all of them.
    let known: ReadPage | undefined
    const read = (): ReadPage => (known ??= readPage(page, file, siteInfo, urls))
    const head = headOf(page)
    app.get(docsPath(page), route, async (_request, reply) => {
      const whole = read()
      const { description, sections } = whole
      const main = page.name === 'tools' ? withConsole(whole) : prose(whole.html)
      const text = framed(page, { lead: storedMarkup(whole.lead), sections, main })
      return send(reply, { ...head, description, markdown: `${head.canonical}.md` }, text)
    })
    app.get(`${docsPath(page)}.md`, route, async (_request, reply) => {
      reply.type('text/markdown; charset=utf-8').header('x-robots-tag', 'noindex')
      reply.header('link', `<${head.canonical}>; rel="canonical"`)
      return read().markdown
    })
  }

  const list = docsPages.find(({ name }) => name === 'addresses')!
  const sections = addressSections.map(([, words]) => ({ id: words.toLowerCase(), words }))
  app.get(docsPath(list), route, async (_request, reply) => {
    const text = framed(list, { lead: list.about, sections, main: everyAddress(addresses) })
    return send(reply, { ...headOf(list), description: list.about }, text)
  })

  for (const picture of readdirSync(docs).filter((name) => name.endsWith('.svg'))) {
    app.get(picturePath(picture), route, async (_request, reply) => {
      reply.type('image/svg+xml')
      return readFileSync(new URL(picture, docs), 'utf8')
    })
  }
}

const docs = new URL('../../../docs/', import.meta.url)

const assets = {
  'guides.css': 'text/css; charset=utf-8',
  'tools.css': 'text/css; charset=utf-8',
  'tools.js': 'application/javascript; charset=utf-8',
} as const

const lead = 'Everything published here can be read by programs, without a key. With one, they can draft.'

const prose = (markup: string): Html => html`<div class="prose">
${storedMarkup(markup)}
</div>
`

/** Between how to connect and how it works. */
function withConsole({ html: markup }: ReadPage): Html {
  const at = markup.lastIndexOf('<h2', markup.indexOf('>The tools'))
  return html`<link rel="stylesheet" href="/developers/tools.css">
${prose(markup.slice(0, at))}${consoleOfTools}${prose(markup.slice(at))}<script src="/developers/tools.js"></script>`
}
