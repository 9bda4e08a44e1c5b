import { type Html, html } from '../html.ts'
import type { Urls } from '../urls.ts'

/** The one form of the public pages. */
export const searchField = (urls: Urls, term = ''): Html =>
  html`<form class="search-field" role="search" action="${urls.search()}" lang="en">
<label class="hidden" for="q">Search for</label>
<input type="search" id="q" name="q" value="${term}" maxlength="200" dir="auto" enterkeyhint="search">
<button>Search</button>
</form>`
