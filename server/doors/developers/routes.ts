import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { type Html, html, storedMarkup } from '#platform/html.ts'
import { cached } from '#platform/http/caching.ts'
import type { PublicDoor } from '#platform/http/public-door.ts'
import { developerPage } from '#platform/http/security.ts'
import { document, type PageHead } from '#platform/page/document.ts'
import { consoleOfTools } from './console.ts'
import { type Guide, guideNames, type ListedTools, readGuide } from './guides.ts'

/** One address of the service, as the index shows it. */
interface ListedAddress {
  readonly section: string
  readonly path: string
  readonly title: string
  readonly about: string
  readonly method?: string
  readonly query?: string
}

interface IndexDoor extends PublicDoor, ListedTools {
  /** Every public address there is. */
  readonly addresses: readonly ListedAddress[]
}

/** /developers: the index of everything, and the guides, each as a page and as Markdown. */
export const developerRoutes: FastifyPluginAsync<IndexDoor> = async (app, door) => {
  const { reads, gate, masthead, addresses, tools, draftTools } = door
  const { urls } = reads
  const guides = guideNames.map((name) => readGuide(name, masthead, urls, { tools, draftTools }))
  const route = { onRequest: gate('single', 'read'), schema: { hide: true } as object }
  app.addHook('onSend', cached('description'))

  const send = (reply: FastifyReply, head: PageHead, main: Html): string => {
    developerPage(reply, [])
    reply.type('text/html; charset=utf-8')
    return document(masthead, urls, head, html`<link rel="stylesheet" href="/developers/guides.css">\n${main}`)
  }

  for (const [path, type] of Object.entries(assets)) {
    const text = readFileSync(new URL(path, import.meta.url), 'utf8')
    // Not at the gate: a page without its style helps nobody.
    app.get(`/developers/${basename(path)}`, { schema: { hide: true } as object }, async (_request, reply) => {
      reply.type(type)
      return text
    })
  }

  const index = indexMain(masthead.name, addresses)
  app.get('/developers', route, async (_request, reply) =>
    send(reply, { title: 'For developers', description: lead, canonical: urls.page('developers') }, index),
  )

  app.get('/developers/', route, async (_request, reply) => reply.redirect(urls.page('developers'), 301))

  for (const guide of guides) {
    const { name, title, about, markdown } = guide
    const path = `developers/${name}`
    const head = { title, description: about, canonical: urls.page(path), markdown: urls.page(`${path}.md`) }
    const main = guideMain(guide, guides)
    app.get(`/${path}`, route, async (_request, reply) => send(reply, head, main))
    app.get(`/${path}.md`, route, async (_request, reply) => {
      reply.type('text/markdown; charset=utf-8').header('x-robots-tag', 'noindex')
      reply.header('link', `<${head.canonical}>; rel="canonical"`)
      return markdown
    })
  }
}

const assets = {
  'guides/guides.css': 'text/css; charset=utf-8',
  'tools.css': 'text/css; charset=utf-8',
  'tools.js': 'application/javascript; charset=utf-8',
} as const

const lead = 'Everything published here can be read by programs, without a key. With one, they can draft.'

function indexMain(house: string, addresses: readonly ListedAddress[]): Html {
  return html`<div class="developers">
<header class="developers-head">
<h1><bdi>${house}</bdi> for developers</h1>
<p class="developers-lead">${lead}</p>
</header>
<ul class="doorways">
${doorways(addresses).map(({ path, title, about }) => html`<li><h2><a href="${path}">${title}</a></h2><p>${about}</p></li>\n`)}</ul>
<h2>Every address</h2>
<p class="developers-note">What stands in braces is yours to fill in. A test holds this list against the service, so it is whole.</p>
${sections.map(([name, title, about]) =>
  addressTable(
    title,
    about,
    addresses.filter((one) => one.section === name),
  ),
)}
</div>`
}

/** The guides and tools, but neither this page itself nor what is the same as Markdown. */
const doorways = (addresses: readonly ListedAddress[]): ListedAddress[] =>
  addresses.filter(({ section, path }) => section === 'guides' && path !== '/developers' && !path.endsWith('.md'))

const sections = [
  ['reading', 'Reading', 'JSON, open to every origin, with ETags and cursors.'],
  ['tools', 'Tools', 'The same for AI clients, by the Model Context Protocol.'],
  ['drafting', 'Drafting', "With a writer's key. No call makes anything public."],
  ['feeds', 'Feeds', 'JSON Feed 1.1 and RSS 2.0, whole pieces.'],
  ['markdown', 'Markdown', 'Authors and pieces as plain Markdown, for programs that read.'],
  ['embeds', 'Embeds', 'What other sites show.'],
  ['discovery', 'Discovery', 'What machines ask for first.'],
  ['pages', 'Pages', 'For people: whole without a script.'],
] as const

function addressTable(title: string, about: string, addresses: readonly ListedAddress[]): Html | false {
  if (addresses.length === 0) return false
  return html`<section class="addresses" aria-labelledby="addresses-${title}">
<div><h3 id="addresses-${title}">${title}</h3><p>${about}</p></div>
<dl>
${addresses.map((address) => html`<div><dt>${addressOf(address)}</dt><dd>${address.about}</dd></div>\n`)}</dl>
</section>
`
}

/** A link where it can be followed as it stands. */
function addressOf({ path, method, query, section }: ListedAddress): Html {
  const parts = path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? html`<var>${part}</var>` : part))
  const shown = html`<code>${method && html`<b>${method}</b> `}${parts}</code>`
  const needsMore = path.includes('{') || query?.includes('{') || method !== undefined || section === 'drafting'
  return needsMore ? shown : html`<a href="${query ? `${path}?${query}` : path}">${shown}</a>`
}

const guideMain = (guide: Guide, guides: readonly Guide[]): Html => html`<div class="guide">
<nav aria-label="Guides">
<p><a href="/developers">For developers</a></p>
<ul>
${guides.map(({ name, title }) => html`<li><a href="/developers/${name}"${name === guide.name && html` aria-current="page"`}>${title}</a></li>\n`)}<li><a href="/developers/reference">API reference</a></li>
<li><a href="/developers/embeds">Widget playground</a></li>
</ul>
</nav>
<article>
<h1>${guide.title}</h1>
${guide.name === 'tools' ? withConsole(guide) : prose(guide.html)}
</article>
</div>`

const prose = (markup: string): Html => html`<div class="prose">
${storedMarkup(markup)}
</div>
`

/** Between how to connect and how it works. */
function withConsole({ html: markup }: Guide): Html {
  const at = markup.lastIndexOf('<h2', markup.indexOf('>The tools'))
  return html`<link rel="stylesheet" href="/developers/tools.css">
${prose(markup.slice(0, at))}${consoleOfTools}${prose(markup.slice(at))}<script src="/developers/tools.js"></script>`
}
