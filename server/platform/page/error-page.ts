import type { ServiceError } from '../errors.ts'
import { html } from '../html.ts'
import type { ErrorPages } from '../http/errors.ts'
import type { SiteInfo } from '../site.ts'
import type { Urls } from '../urls.ts'
import { document } from './layout.ts'
import { searchField } from './search-field.ts'

/** For people: what happened, then what to do. The answer for machines has the code. */
const words: Readonly<Record<number | string, readonly [title: string, advice: string]>> = {
  400: [
    'This address cannot be read',
    'A part of it is missing or was changed on the way. Search for what you were after, or begin at the front page.',
  ],
  404: [
    'There is nothing at this address',
    'Its writer may have taken it back, or the address lost a letter on its way to you. Search for it, or begin at the front page.',
  ],
  405: ['This address is for reading', 'What you sent was not taken. Go back and try it from there.'],
  414: ['This address is too long', 'Shorten it, or search for what you were after.'],
  429: ['A little slower, please', 'Many requests came from your network at once. Wait a minute, then try again.'],
  500: ['Something went wrong on our side', 'It has been noted. Try again in a moment.'],
  database_away: [
    'The site is unavailable just now',
    'We cannot reach our database. Nothing is lost: try again in a few minutes.',
  ],
  503: ['We are busy just now', 'Try again in a moment: nothing is lost.'],
}

export const errorPagesOf = (siteInfo: SiteInfo, urls: Urls): ErrorPages => ({
  urls,
  draw: (error, requestId) => errorPage(siteInfo, urls, error, requestId),
})

function errorPage(siteInfo: SiteInfo, urls: Urls, error: ServiceError, requestId: string): string {
  const [title, advice] = words[error.reason] ?? words[error.status] ?? ['This did not work', error.message]
  return document(
    siteInfo,
    urls,
    { title, robots: 'noindex' },
    html`<div class="column">
<h1 class="title">${title}</h1>
<p class="standfirst">${advice}</p>
${searchField(urls)}
<p class="note"><a href="${urls.home()}">Front page</a><span class="dot">${error.status}</span></p>
<p class="note request-id">If you write to us about this, mention <code>${requestId}</code></p>
</div>`,
  )
}
