import { inHtml } from '#http/translate.ts'
import type { Translator } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { date, hostOf, safeUrl, seal } from './byline.ts'

/** What the site has verified about a writer; each part undefined if it has not. */
export interface Verified {
  readonly identity: { readonly since?: Date | null } | undefined
  readonly website: { readonly url: string | null; readonly checkedAt: Date | null; readonly rel: string } | undefined
}

export function verifiedLines(t: Translator, siteName: string, { identity, website }: Verified): Html | null {
  const address = safeUrl(website?.url)
  const lines = [
    ...(identity ? [identityLine(t, siteName, identity.since)] : []),
    ...(website && address ? [websiteLine(t, address, website.rel, website.checkedAt)] : []),
  ]
  if (lines.length === 0) return null
  return html`<div class="facts"><ul>\n${lines.map((line) => html`<li>${seal}${line}</li>\n`)}</ul></div>`
}

function identityLine(t: Translator, siteName: string, since: Date | null | undefined): Html {
  const site = html`<bdi>${siteName}</bdi>`
  return since
    ? inHtml(t, 'site.author.identity_verified_on', { site, date: date(t, since.toISOString()) })
    : inHtml(t, 'site.author.identity_verified', { site })
}

function websiteLine(t: Translator, address: string, rel: string, checkedAt: Date | null): Html {
  const host = html`<a href="${address}" rel="${rel}"><bdi>${hostOf(address)}</bdi></a>`
  return checkedAt
    ? inHtml(t, 'site.author.website_checked', { host, date: date(t, checkedAt.toISOString()) })
    : inHtml(t, 'site.author.website_verified', { host })
}
