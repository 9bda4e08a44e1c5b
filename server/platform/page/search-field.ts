import { type Html, html } from '../html.ts'
import type { Urls } from '../urls.ts'

/** The one form of the public pages: for pieces, or for whatever its page is about. */
export const searchField = (
  urls: Urls,
  term = '',
  { action, label } = { action: urls.search(), label: 'Search for' },
): Html =>
  html`<form class="search-field" role="search" action="${action}" lang="en">
<label class="hidden" for="q">${label}</label>
<input type="search" id="q" name="q" value="${term}" maxlength="200" dir="auto" enterkeyhint="search">
<button>Search</button>
</form>`
