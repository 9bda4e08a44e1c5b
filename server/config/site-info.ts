import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cliTranslator } from '#messages/cli.ts'
import { html } from '#platform/html.ts'
import { slugFrom } from '#platform/text/slug.ts'
import { type Config, ConfigError } from './config.ts'

const t = cliTranslator()

/** The static pages about a site. */
export const sitePages = ['about', 'imprint', 'privacy'] as const
export type SitePage = (typeof sitePages)[number]

/** The site's identity in pages, feeds, emails and discovery documents. */
export interface SiteInfo {
  readonly name: string
  /** The name reduced to letters, digits and hyphens, for the settings of MCP clients. */
  readonly slug: string
  /** One sentence on what it is. */
  readonly description: string
  /** One of the languages we speak; for all text but that of pieces. */
  readonly language: string
  /** A contact email address, if the site has one. */
  readonly contact: string | undefined
  /** A square SVG for browser tabs and feed icons. */
  readonly mark: string
  /** Whether the site provides its own icon; the default is drawn from its name. */
  readonly hasOwnMark: boolean
  /** Markdown texts of the site's own. */
  readonly texts: Readonly<Partial<Record<SitePage, string>>>
}

const longestSlug = 40

export function readSiteInfo({ SITE_NAME, SITE_DESCRIPTION, SITE_LANGUAGE, SITE_FOLDER, CONTACT }: Config): SiteInfo {
  if (SITE_FOLDER && !existsSync(SITE_FOLDER))
    throw new ConfigError([t('cli.config.site_folder', { folder: SITE_FOLDER })])
  const own = (file: string) => (SITE_FOLDER ? readIfThere(SITE_FOLDER, file) : undefined)
  const mark = own('mark.svg')
  return {
    name: SITE_NAME,
    slug: slugFrom(SITE_NAME, longestSlug, 'site'),
    description: SITE_DESCRIPTION,
    language: SITE_LANGUAGE,
    contact: CONTACT || undefined,
    mark: mark ?? defaultMark(SITE_NAME),
    hasOwnMark: mark !== undefined,
    texts: Object.fromEntries(sitePages.map((page) => [page, own(`${page}.md`)])),
  }
}

function readIfThere(folder: string, file: string): string | undefined {
  try {
    return readFileSync(join(folder, file), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ConfigError([t('cli.config.site_file', { file, reason: (error as Error).message })])
  }
}

/** The default icon: an initial with a short rule under it. */
function defaultMark(siteName: string): string {
  if (siteName === 'Standfirst') return readFileSync(new URL('../platform/page/logo.svg', import.meta.url), 'utf8')
  const [first] = new Intl.Segmenter().segment(siteName.trim())
  return drawn(siteName, first?.segment.toUpperCase() ?? '')
}

/** In the reader's own serif, since an icon cannot include a font for every script. */
const drawn = (siteName: string, letter: string): string =>
  String(
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>${siteName}</title><style>text{fill:#1c1917}rect{fill:#9b1c1c}@media (prefers-color-scheme:dark){text{fill:#f5f1e8}rect{fill:#e5685e}}</style><text x="16" y="23.500" text-anchor="middle" font-family="Georgia,'Times New Roman',serif" font-weight="bold" font-size="25">${letter}</text><rect x="8" y="27.500" width="10" height="2"/></svg>\n`,
  )
