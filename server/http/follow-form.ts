import type { SiteInfo } from '#config/site-info.ts'
import type { Subject } from '#features/followers/schema.ts'
import { categoryLabel } from '#features/pieces/category-label.ts'
import type { Urls } from '#features/urls.ts'
import { honeypot } from '#http/page-layout.ts'
import { inHtml } from '#http/translate.ts'
import type { Translator } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'

/** Following by email, as public pages offer it: a link, or a form that needs no script and no cookie. */

export type Followed = Pick<Subject, 'kind' | 'name' | 'path'>

export const followedAuthor = ({ name, slug }: { readonly name: string; readonly slug: string }): Followed => ({
  kind: 'author',
  name,
  path: `author/${slug}`,
})

/** As people call it. */
export function followedName(t: Translator, { name }: SiteInfo, { kind, name: own }: Pick<Subject, 'kind' | 'name'>) {
  if (kind === 'site') return name
  return kind === 'section' ? categoryLabel(t, own) : own
}

/** What one agrees to by sending the form: shown there, and kept with what is followed. */
export const followConsent = (t: Translator, siteInfo: SiteInfo, followed: Pick<Subject, 'kind' | 'name'>): string =>
  t('site.follow.consent', { kind: followed.kind, name: followedName(t, siteInfo, followed) })

/** To the page with all the ways to follow. */
export const followLink = (t: Translator, siteInfo: SiteInfo, urls: Urls, followed: Followed): Html =>
  html`<a class="follow-link" href="${urls.follow(followed.path)}" rel="nofollow" aria-label="${t('site.follow.title', { name: followedName(t, siteInfo, followed) })}">${t('site.follow.submit')}</a>`

/** One field and one button, for each new piece. */
export function followForm(t: Translator, siteInfo: SiteInfo, urls: Urls, followed: Followed): Html {
  const address = urls.follow(followed.path)
  const name = html`<bdi>${followedName(t, siteInfo, followed)}</bdi>`
  return html`<form class="follow-form" method="post" action="${address}">
<label for="follow-email">${inHtml(t, 'site.follow.by_email', { name })}</label>
<div class="follow-line">
<input type="email" id="follow-email" name="email" required maxlength="254" autocomplete="email" aria-describedby="follow-consent">
<button>${t('site.follow.submit')}</button>
</div>
<input type="hidden" name="frequency" value="each">
${honeypot(t)}
<p class="follow-consent"><span id="follow-consent">${followConsent(t, siteInfo, followed)}</span> <a href="${address}" rel="nofollow">${t('site.follow.more_ways')}</a></p>
</form>`
}
