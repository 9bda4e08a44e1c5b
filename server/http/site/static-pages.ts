import type { FastifyPluginAsync } from 'fastify'
import { html, storedMarkup } from '#platform/html.ts'
import { cached } from '#platform/http/caching.ts'
import type { PublicContext } from '#platform/http/public-context.ts'
import { renderMarkdown } from '#platform/markdown/render.ts'
import { type SitePage, sitePages } from '#platform/site.ts'
import { page } from './page.ts'
import { defaultTexts } from './static-texts.ts'

/** `/about`, `/imprint`, `/privacy`: the site's own words, or ours where it has none. Rendered once, at the start. */
export const sitePageRoutes: FastifyPluginAsync<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const defaults = defaultTexts(siteInfo, reads.urls)
  app.addHook('onSend', cached('publicRead'))

  for (const name of sitePages) {
    const { title, body } = titled(siteInfo.texts[name] ?? defaults[name], headings[name])
    const { html: rendered } = renderMarkdown(body)
    const main = html`<div class="column">
<h1 class="title">${title}</h1>
<div class="prose">
${storedMarkup(rendered)}
</div>
</div>`
    app.get(
      `/${name}`,
      { onRequest: gate('list', 'read'), schema: { hide: true } as object },
      async (_request, reply) => page(reply, context, { title, canonical: reads.urls.page(name) }, main),
    )
  }
}

const headings: Readonly<Record<SitePage, string>> = { about: 'About', imprint: 'Imprint', privacy: 'Privacy' }

/** `# About us` on top is the page's headline. */
function titled(source: string, otherwise: string): { title: string; body: string } {
  const [, title, body] = /^\s*#[ \t]+(.+?)[ \t#]*\n([\s\S]*)$/.exec(`${source}\n`) ?? []
  return title === undefined ? { title: otherwise, body: source } : { title, body: body ?? '' }
}
