import type { FastifyPluginAsync } from 'fastify'
import { type SiteInfo, sitePages } from '#config/site-info.ts'
import type { Urls } from '#features/urls.ts'
import { sitePagesOf } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { html, storedMarkup } from '#platform/html.ts'
import { cached } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { renderMarkdown } from '#platform/markdown/render.ts'
import { page } from './page.ts'

/**
 * `/about`, `/privacy` and `/imprint`: the site's own texts, or our defaults, which are true of every unmodified
 * installation. A legal notice has no default, and no page. Rendered once, at startup.
 */
export const staticPageRoutes: FastifyPluginAsync<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const t = translatorOf(siteInfo.language)
  const defaults = { about: defaultAbout(t, siteInfo, reads.urls), privacy: defaultPrivacy(t, siteInfo), imprint: '' }
  const shown = sitePagesOf(siteInfo)
  app.addHook('onSend', cached('publicRead'))

  for (const name of sitePages) {
    const { title, body } = splitTitle(siteInfo.texts[name] ?? defaults[name], t(`site.nav.${name}`))
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
      async (_request, reply) => {
        if (!shown.includes(name)) throw failure(404)
        return page(reply, context, { title, canonical: reads.urls.page(name) }, main)
      },
    )
  }
}

/** A leading `# About us` becomes the page's headline. */
function splitTitle(source: string, otherwise: string): { title: string; body: string } {
  const [, title, body] = /^\s*#[ \t]+(.+?)[ \t#]*\n([\s\S]*)$/.exec(`${source}\n`) ?? []
  return title === undefined ? { title: otherwise, body: source } : { title, body: body ?? '' }
}

const markdownOf = (...blocks: readonly (string | undefined)[]): string => blocks.filter(Boolean).join('\n\n')

const contactLine = (t: Translator, { contact }: SiteInfo): string | undefined =>
  contact && t('site.about.contact', { contact })

const defaultAbout = (t: Translator, siteInfo: SiteInfo, urls: Urls): string =>
  markdownOf(
    `# ${t('site.about.title', { site: siteInfo.name })}`,
    siteInfo.description,
    t('site.about.reading', { site: siteInfo.name }),
    t('site.about.follow', {
      email: urls.follow('site'),
      rss: urls.siteFeedRss(),
      json: urls.siteFeedJson(),
      developers: urls.page('developers'),
    }),
    `## ${t('site.about.writing_title')}`,
    t('site.about.writing', { desk: urls.page('desk') }),
    `## ${t('site.about.questions_title')}`,
    contactLine(t, siteInfo),
    t('site.about.report'),
  )

function defaultPrivacy(t: Translator, siteInfo: SiteInfo): string {
  const contact = contactLine(t, siteInfo)
  return markdownOf(
    `# ${t('site.privacy.title')}`,
    `## ${t('site.privacy.reading_title')}`,
    t('site.privacy.reading', { site: siteInfo.name }),
    t('site.privacy.rate_limits'),
    t('site.privacy.read_counts'),
    t('site.privacy.pictures'),
    t('site.privacy.link_cards'),
    `## ${t('site.privacy.writing_title')}`,
    t('site.privacy.accounts'),
    t('site.privacy.content'),
    t('site.privacy.comments'),
    t('site.privacy.deletion'),
    `## ${t('site.privacy.following_title')}`,
    t('site.privacy.following'),
    `## ${t('site.privacy.reporting_title')}`,
    t('site.privacy.reporting'),
    contact && `## ${t('site.privacy.questions_title')}`,
    contact,
  )
}
