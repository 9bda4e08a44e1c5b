import { readFileSync } from 'node:fs'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { recentPieces } from '#features/pieces/reads.ts'
import { docsPages } from '#http/docs-toc.ts'
import { document } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Html, html } from '#platform/html.ts'
import { cached } from '#platform/http/caching.ts'
import { developerPage } from '#platform/http/security.ts'
import { type Asset, frameSizes, readRelease } from '../../../embed/release.ts'
import { docsLayout } from './layout.ts'

const assets = {
  'embeds.js': 'application/javascript; charset=utf-8',
  'embeds.css': 'text/css; charset=utf-8',
} as const

/**
 * /developers/embeds: choose a widget, preview it, copy the code. Writers' text is shown only by the widget; names are
 * escaped in the code.
 */
export const playgroundRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate, siteInfo }) => {
  const { script } = readRelease()
  const onRequest = gate('single', 'read')
  app.addHook('onSend', cached('description'))

  for (const [name, type] of Object.entries(assets)) {
    const text = readFileSync(new URL(name, import.meta.url), 'utf8')
    app.get(`/developers/${name}`, { onRequest, schema: { hide: true } }, async (_request, reply) => {
      reply.type(type)
      return text
    })
  }

  app.get('/developers/embeds', { onRequest, schema: { hide: true } }, async (_request, reply) => {
    const { items } = await recentPieces(reads, { limit: 1 })
    const slug = items[0]?.authors[0]?.slug ?? ''
    developerPage(reply, [])
    reply.type('text/html; charset=utf-8')
    const { urls } = reads
    const { title } = page
    const main = playground(urls.base, slug, script)
    const head = { title, description: lead, canonical: urls.page('developers/embeds') }
    return document(siteInfo, urls, head, docsLayout(page, { lead, sections: [], main }))
  })
}

const page = docsPages.find(({ name }) => name === 'embeds')!
const lead =
  'Show a writer on your own site. Choose, look, copy, paste: it stays right when the writer publishes, is verified or changes their name.'

const kinds = [
  ['badge', 'the name, and the tick of a verified writer'],
  ['card', 'name, role, place and the first lines of the bio'],
  ['list', 'the newest pieces'],
  ['bio', 'the whole bio, with website and other places'],
] as const

const attributes = [
  ['data-service-widget', 'badge, card, list or bio', 'required'],
  ['data-slug', "the end of the writer's address: /author/…", 'required'],
  ['data-theme', 'light, dark, or auto for what the reader prefers', 'light'],
  ['data-limit', 'how many pieces a list shows, 1 to 20', '5'],
  ['data-tone', 'verified, for a writer whose identity is', ''],
  ['data-accent', 'a colour such as #0a7d5a for rules and underlines', 'the site’s'],
  ['data-target', 'where links open: _self, _blank, _parent or _top', '_self'],
] as const

const choice = (name: string, value: string, checked: boolean): Html =>
  html`<label><input type="radio" name="${name}" value="${value}"${checked && html` checked`}> ${value}</label>`

const snippet = (
  id: string,
  title: string,
  note: string,
): Html => html`<section class="snippet" aria-labelledby="${id}-title">
<div class="snippet-head"><h3 id="${id}-title">${title}</h3><button type="button" data-copies="${id}" aria-label="Copy: ${title}">Copy</button></div>
<p>${note}</p>
<pre tabindex="0" role="group" aria-labelledby="${id}-title"><code id="${id}"></code></pre>
</section>`

function playground(base: string, slug: string, script: Asset): Html {
  return html`<link rel="stylesheet" href="/developers/guides.css">
<link rel="stylesheet" href="/developers/embeds.css">
<div class="embeds" id="playground" data-base="${base}" data-pinned="${base}/embed/${script.name}" data-integrity="${script.integrity}" data-sizes="${JSON.stringify(frameSizes)}">
<noscript><p class="lead">This page needs its script to show you a preview. The table below says what to write by hand.</p></noscript>
<div class="bench">
<form id="choices" autocomplete="off">
<p><label for="slug">Writer</label><input id="slug" name="slug" value="${slug}" placeholder="ada-okafor" spellcheck="false" autocapitalize="none" aria-describedby="slug-note" maxlength="40"><span id="slug-note" class="note">The end of their address: /author/…</span></p>
<fieldset><legend>Widget</legend>${kinds.map(([kind]) => choice('kind', kind, kind === 'card'))}</fieldset>
<fieldset><legend>Theme</legend>${['light', 'dark', 'auto'].map((theme) => choice('theme', theme, theme === 'light'))}</fieldset>
<p id="limit-row"><label for="limit">Pieces</label><input id="limit" name="limit" type="number" min="1" max="20" value="5"></p>
<fieldset><legend>Details</legend>
<label><input type="checkbox" name="tone" value="verified"> verified tone</label>
<label><input type="checkbox" name="own" id="own"> accent <input type="color" name="accent" value="#0a6e5c" aria-label="Accent colour"></label>
</fieldset>
</form>
<section class="preview" aria-label="Preview"><div id="ground"><div id="preview"></div></div></section>
</div>
<h2>Paste this</h2>
${snippet('by-script', 'Script', 'The widget itself. What stands inside the element is shown until it is there, and where scripts are off.')}
${snippet('by-pinned', 'Script, pinned', 'The same, at an address that never changes, with its hash: your readers’ browsers run these bytes or none.')}
${snippet('by-frame', 'Frame', 'For sites that take no scripts of others.')}
${snippet('by-picture', 'Badge as a picture', 'For a README, a letter or a profile. It follows renames and verification.')}
${snippet('by-oembed', 'oEmbed', 'Sites that know oEmbed ask this by themselves when you paste the address of a writer or a piece.')}
<p id="copied" class="hidden" role="status"></p>
<h2>What each widget shows</h2>
<dl>${kinds.map(([kind, words]) => html`<dt>${kind}</dt><dd>${words}</dd>`)}</dl>
<h2>Attributes</h2>
<div class="scroll" tabindex="0" role="group" aria-label="Attributes"><table>
<thead><tr><th scope="col">attribute</th><th scope="col">what it takes</th><th scope="col">if left out</th></tr></thead>
<tbody>${attributes.map(([name, words, fallback]) => html`<tr><th scope="row"><code>${name}</code></th><td>${words}</td><td>${fallback}</td></tr>`)}</tbody>
</table></div>
<p class="note">A page with a strict policy needs <code>script-src</code>, <code>connect-src</code> and, for portraits, <code>img-src</code>; nothing else. What next: <a href="/developers/embedding">how embedding works</a>, and <a href="/developers/reference">the whole API</a>.</p>
</div>
<script src="/embed.js"></script>
<script src="/developers/embeds.js"></script>`
}
