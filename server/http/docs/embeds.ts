import { readFileSync } from 'node:fs'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { recentPieces } from '#features/pieces/reads.ts'
import { docsPages } from '#http/docs-toc.ts'
import { document } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { inHtml } from '#http/translate.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
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
  const { script } = readRelease(siteInfo.language, siteInfo.name)
  const t = translatorOf(siteInfo.language)
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
    developerPage(reply)
    reply.type('text/html; charset=utf-8')
    const { urls } = reads
    const { title } = page
    const lead = t('docs.embeds.lead')
    const main = playground(t, urls.base, slug, script)
    const head = { title, description: lead, canonical: urls.page('developers/embeds') }
    return document(siteInfo, urls, head, docsLayout(t, page, { lead, isLeadTranslated: true, sections: [], main }))
  })
}

const page = docsPages.find(({ name }) => name === 'embeds')!

const kinds = ['badge', 'card', 'list', 'bio'] as const

/** Each with what it takes and its default. */
const attributesOf = (t: Translator): readonly (readonly [name: string, value: string, fallback: string])[] => [
  ['data-service-widget', t('docs.embeds.attribute_widget'), t('docs.embeds.required')],
  ['data-slug', t('docs.embeds.attribute_slug'), t('docs.embeds.required')],
  ['data-theme', t('docs.embeds.attribute_theme'), 'light'],
  ['data-limit', t('docs.embeds.attribute_limit'), '5'],
  ['data-tone', t('docs.embeds.attribute_tone'), ''],
  ['data-accent', t('docs.embeds.attribute_accent'), t('docs.embeds.site_colour')],
  ['data-target', t('docs.embeds.attribute_target'), '_self'],
]

/** What embeds.js says; it replaces `{slug}`. */
const playgroundWords = (t: Translator) => ({
  unknown_writer: t('docs.embeds.unknown_writer', { slug: '{slug}' }),
  enter_writer: t('docs.embeds.enter_writer'),
  copy: t('docs.copy'),
  copied: t('docs.copied'),
  selected: t('docs.selected'),
})

const choice = (name: string, value: string, checked: boolean): Html =>
  html`<label><input type="radio" name="${name}" value="${value}"${checked && html` checked`}> ${value}</label>`

const snippet = (
  t: Translator,
  id: string,
  title: string,
  note: string,
): Html => html`<section class="snippet" aria-labelledby="${id}-title">
<div class="snippet-head"><h3 id="${id}-title">${title}</h3><button type="button" data-copies="${id}" aria-label="${t('docs.embeds.copy_code', { title })}">${t('docs.copy')}</button></div>
<p>${note}</p>
<pre dir="ltr" tabindex="0" role="group" aria-labelledby="${id}-title"><code id="${id}"></code></pre>
</section>`

function playground(t: Translator, base: string, slug: string, script: Asset): Html {
  return html`<link rel="stylesheet" href="/developers/guides.css">
<link rel="stylesheet" href="/developers/embeds.css">
<div class="embeds" id="playground" data-base="${base}" data-pinned="${base}/embed/${script.name}" data-integrity="${script.integrity}" data-sizes="${JSON.stringify(frameSizes)}" data-words="${JSON.stringify(playgroundWords(t))}">
<noscript><p class="lead">${t('docs.embeds.no_script')}</p></noscript>
<div class="bench">
<form id="choices" autocomplete="off">
<p><label for="slug">${t('docs.embeds.writer')}</label><input id="slug" name="slug" value="${slug}" placeholder="ada-okafor" spellcheck="false" autocapitalize="none" aria-describedby="slug-note" maxlength="40"><span id="slug-note" class="note">${t('docs.embeds.writer_hint')}</span></p>
<fieldset><legend>${t('docs.embeds.widget')}</legend>${kinds.map((kind) => choice('kind', kind, kind === 'card'))}</fieldset>
<fieldset><legend>${t('docs.embeds.theme')}</legend>${['light', 'dark', 'auto'].map((theme) => choice('theme', theme, theme === 'light'))}</fieldset>
<p id="limit-row"><label for="limit">${t('docs.embeds.pieces')}</label><input id="limit" name="limit" type="number" min="1" max="20" value="5"></p>
<fieldset><legend>${t('docs.embeds.details')}</legend>
<label><input type="checkbox" name="tone" value="verified"> ${t('docs.embeds.verified_tone')}</label>
<label><input type="checkbox" name="own" id="own"> ${t('docs.embeds.accent')} <input type="color" name="accent" value="#0a6e5c" aria-label="${t('docs.embeds.accent_colour')}"></label>
</fieldset>
</form>
<section class="preview" aria-label="${t('docs.embeds.preview')}"><div id="ground"><div id="preview"></div></div></section>
</div>
<h2>${t('docs.embeds.code_title')}</h2>
${snippet(t, 'by-script', t('docs.embeds.script'), t('docs.embeds.script_about'))}
${snippet(t, 'by-pinned', t('docs.embeds.pinned'), t('docs.embeds.pinned_about'))}
${snippet(t, 'by-frame', t('docs.embeds.frame'), t('docs.embeds.frame_about'))}
${snippet(t, 'by-picture', t('docs.embeds.image'), t('docs.embeds.image_about'))}
${snippet(t, 'by-oembed', t('docs.embeds.oembed'), t('docs.embeds.oembed_about'))}
<p id="copied" class="hidden" role="status"></p>
<h2>${t('docs.embeds.kinds_title')}</h2>
<dl>${kinds.map((kind) => html`<dt>${kind}</dt><dd>${t(`docs.embeds.kind.${kind}`)}</dd>`)}</dl>
<h2>${t('docs.embeds.attributes')}</h2>
<div class="scroll" tabindex="0" role="group" aria-label="${t('docs.embeds.attributes')}"><table>
<thead><tr><th scope="col">${t('docs.embeds.attribute')}</th><th scope="col">${t('docs.embeds.value')}</th><th scope="col">${t('docs.embeds.default')}</th></tr></thead>
<tbody>${attributesOf(t).map(([name, value, fallback]) => html`<tr><th scope="row"><code>${name}</code></th><td>${value}</td><td>${fallback}</td></tr>`)}</tbody>
</table></div>
<p class="note">${inHtml(t, 'docs.embeds.csp', {
    script: html`<code>script-src</code>`,
    connect: html`<code>connect-src</code>`,
    image: html`<code>img-src</code>`,
    embedding: (label) => html`<a href="/developers/embedding">${label}</a>`,
    reference: (label) => html`<a href="/developers/reference">${label}</a>`,
  })}</p>
</div>
<script src="/embed.js"></script>
<script src="/developers/embeds.js"></script>`
}
