import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { defaultMark } from './page/logo.ts'
import { slugFrom } from './text/slug.ts'

/** The pages on which a site says who and how it is. */
export const sitePages = ['about', 'imprint', 'privacy'] as const
export type SitePage = (typeof sitePages)[number]

/** What the site calls itself, wherever it speaks: pages, feeds, letters, discovery. */
export interface SiteInfo {
  readonly name: string
  /** The same where only letters, digits and hyphens may stand: in the settings of a tool client. */
  readonly slug: string
  /** One sentence on what it is. */
  readonly description: string
  /** An e-mail address for people with questions, if the site gives one. */
  readonly contact: string | undefined
  /** A square SVG: a browser's tab, a feed's icon. */
  readonly mark: string
  /** The site brought its own mark; the other is drawn from its name. */
  readonly hasOwnMark: boolean
  /** Markdown, where the site has written its own. */
  readonly texts: Readonly<Partial<Record<SitePage, string>>>
}

const longestSlug = 40

export function readSiteInfo({ SITE_NAME, SITE_DESCRIPTION, SITE_FOLDER, CONTACT }: Config): SiteInfo {
  if (SITE_FOLDER && !existsSync(SITE_FOLDER))
    throw new ConfigError([`SITE_FOLDER must be a folder that exists, not "${SITE_FOLDER}"`])
  const own = (file: string) => (SITE_FOLDER ? readIfThere(SITE_FOLDER, file) : undefined)
  const mark = own('mark.svg')
  return {
    name: SITE_NAME,
    slug: slugFrom(SITE_NAME, longestSlug, 'site'),
    description: SITE_DESCRIPTION,
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
    throw new ConfigError([`SITE_FOLDER: ${file} cannot be read (${(error as Error).message})`])
  }
}
