import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { type DocsPage, docsPages, docsPath } from '#http/docs-toc.ts'
import { document, type PageHead } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { type Html, html, storedMarkup } from '#platform/html.ts'
import { cached } from '#platform/http/caching.ts'
import { developerPage } from '#platform/http/security.ts'
import { addressIndex, addressSections, type ListedAddress } from './addresses.ts'
import { docsIndex, docsLayout, english } from './layout.ts'
import { picturePath, type ReadPage, readPage } from './pages.ts'
import { apiReference } from './reference.ts'

interface DevelopersIndexContext extends PublicContext {
  readonly addresses: readonly ListedAddress[]
  /** The OpenAPI document, as it is served. */
  readonly description: () => Promise<{ readonly json: Buffer }>
}

/** /developers: the index, and docs/*.md, each as a page and as Markdown. */
export const developerRoutes: FastifyPluginAsync<DevelopersIndexContext> = async (app, context) => {
  const { reads, gate, siteInfo, addresses, description } = context
  const { urls } = reads
  const t = translatorOf(siteInfo.language)
  const route = { onRequest: gate('single', 'read'), schema: { hide: true } as object }
  app.addHook('onSend', cached('description'))

  const send = (reply: FastifyReply, head: PageHead, main: Html): string => {
    developerPage(reply)
    reply.type('text/html; charset=utf-8')
    const hasCode = String(main).includes('class="sample"')
    const text = html`<link rel="stylesheet" href="/developers/guides.css">\n${main}${hasCode && copyScript(t)}`
    return document(siteInfo, urls, head, text)
  }

  for (const [name, type] of Object.entries(assets)) {
    const text = readFileSync(new URL(name, import.meta.url), 'utf8')
    // Not rate limited: a page without its style is useless.
    app.get(`/developers/${name}`, { schema: { hide: true } as object }, async (_request, reply) => {
      reply.type(type)
      return text
    })
  }

  const headOf = ({ name, title }: DocsPage) => ({ title, canonical: urls.page(`developers/${name}`) })

  app.get('/developers', route, async (_request, reply) =>
    send(
      reply,
      { title: t('docs.title'), description: t('docs.index_lead'), canonical: urls.page('developers') },
      docsIndex(t, siteInfo.name),
    ),
  )

  app.get('/developers/', route, async (_request, reply) => reply.redirect(urls.page('developers'), 301))

  const reference = docsPages.find(({ name }) => name === 'reference')!
  // Drawn once: it is the same until the process ends.
  let drawn: Html | undefined
  app.get(docsPath(reference), route, async (_request, reply) => {
    drawn ??= apiReference(t, JSON.parse(String((await description()).json)))
    const text = docsLayout(t, reference, { lead: reference.about, sections: [], main: drawn })
    return send(reply, { ...headOf(reference), description: reference.about }, text)
  })
  // Its former address.
  app.get(`${docsPath(reference)}/`, route, async (_request, reply) => reply.redirect(docsPath(reference), 301))

  for (const page of docsPages) {
    const { file } = page
    if (!file) continue
    // Read on first request: processes start sooner, and most never serve all of them.
    let known: ReadPage | undefined
    const read = (): ReadPage => (known ??= readPage(page, file, siteInfo, urls))
    const head = headOf(page)
    app.get(docsPath(page), route, async (_request, reply) => {
      const whole = read()
      const { description, sections } = whole
      const main = page.name === 'tools' ? withConsole(t, whole) : prose(t, whole.html)
      const text = docsLayout(t, page, { lead: storedMarkup(whole.lead), sections, main })
      return send(reply, { ...head, description, markdown: `${head.canonical}.md` }, text)
    })
    app.get(`${docsPath(page)}.md`, route, async (_request, reply) => {
      reply.type('text/markdown; charset=utf-8').header('x-robots-tag', 'noindex')
      reply.header('link', `<${head.canonical}>; rel="canonical"`)
      return read().markdown
    })
  }

  const list = docsPages.find(({ name }) => name === 'addresses')!
  const sections = addressSections.map((id) => ({ id, words: t(`docs.endpoints.${id}`) }))
  const listed = addresses.filter(({ path }) => path !== '/imprint' || siteInfo.texts.imprint !== undefined)
  app.get(docsPath(list), route, async (_request, reply) => {
    const text = docsLayout(t, list, { lead: list.about, sections, main: addressIndex(t, listed) })
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
  'copy.js': 'application/javascript; charset=utf-8',
  'guides.css': 'text/css; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
  'tools.css': 'text/css; charset=utf-8',
  'tools.js': 'application/javascript; charset=utf-8',
} as const

const copyScript = (t: Translator): Html => {
  const words = { copy: t('docs.copy'), copied: t('docs.copied'), selected: t('docs.selected') }
  return html`\n<script defer src="/developers/copy.js" data-words="${JSON.stringify(words)}"></script>`
}

const prose = (t: Translator, markup: string): Html => html`<div class="prose"${english(t)}>
${storedMarkup(markup)}
</div>
`

/** Inserts the console between how to connect and how it works. */
function withConsole(t: Translator, { html: markup }: ReadPage): Html {
  const at = markup.lastIndexOf('<h2', markup.indexOf('>The tools'))
  return html`<link rel="stylesheet" href="/developers/tools.css">
${prose(t, markup.slice(0, at))}${mcpConsole(t)}${prose(t, markup.slice(at))}<script src="/developers/tools.js"></script>`
}

/** Calls the tools from the page. tools.js renders the results as text, never as markup. */
const mcpConsole = (
  t: Translator,
): Html => html`<section class="console" id="console" aria-labelledby="console-title" data-words="${JSON.stringify(consoleWords(t))}">
<h2 id="console-title">${t('docs.console.title')}</h2>
<noscript><p>${t('docs.console.no_script')}</p></noscript>
<form id="call" hidden>
<p><label for="tool">${t('docs.console.tool')}</label> <select id="tool"></select></p>
<p id="about" class="console-note"></p>
<div id="arguments"></div>
<p class="console-act"><button>${t('docs.console.call')}</button> <span id="said" role="status"></span></p>
</form>
<div id="answer" hidden>
<div id="shown" tabindex="-1" aria-label="${t('docs.console.response')}" role="group"></div>
<details><summary>${t('docs.console.raw')}</summary>
<pre id="asked" dir="ltr" tabindex="0" role="group" aria-label="${t('docs.console.request_json')}"></pre>
<pre id="raw" dir="ltr" tabindex="0" role="group" aria-label="${t('docs.console.response_json')}"></pre>
</details>
</div>
</section>
`

/** What tools.js says; it replaces `{ms}`, `{count}` and `{value}`. */
const consoleWords = (t: Translator) => ({
  calling: t('docs.console.calling'),
  done: t('docs.console.done', { ms: '{ms}' }),
  failed: t('docs.console.failed'),
  not_loaded: t('docs.console.not_loaded'),
  required: t('docs.console.required'),
  default: t('docs.console.default', { value: '{value}' }),
  any: t('docs.console.any'),
  none: t('docs.console.none'),
  empty: t('docs.console.empty'),
  characters: t('docs.console.characters', { count: '{count}' }),
  results: t('docs.console.results', { count: '{count}' }),
  no_results: t('docs.console.no_results'),
  next_page: t('docs.console.next_page'),
})
