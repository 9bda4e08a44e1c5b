import { readFileSync } from 'node:fs'
import { html } from '../html.ts'

/** A letter and the short rule under it: a standfirst under a headline. */
export function defaultMark(siteName: string): string {
  if (siteName === 'Standfirst') return readFileSync(new URL('./logo.svg', import.meta.url), 'utf8')
  const [first] = new Intl.Segmenter().segment(siteName.trim())
  return drawn(siteName, first?.segment.toUpperCase() ?? '')
}

/** With the reader's own serif, since a mark cannot carry a face for every script. */
const drawn = (siteName: string, letter: string): string =>
  String(
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>${siteName}</title><style>text{fill:#1c1917}rect{fill:#9b1c1c}@media (prefers-color-scheme:dark){text{fill:#f5f1e8}rect{fill:#e5685e}}</style><text x="16" y="23.500" text-anchor="middle" font-family="Georgia,'Times New Roman',serif" font-weight="bold" font-size="25">${letter}</text><rect x="8" y="27.500" width="10" height="2"/></svg>\n`,
  )
