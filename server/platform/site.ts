import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { defaultMark } from './page/logo.ts'
import { slugFrom } from './text/slug.ts'

/** The pages on which a house says who and how it is. */
export const housePages = ['about', 'imprint', 'privacy'] as const
export type HousePage = (typeof housePages)[number]

/** What the house calls itself, wherever it speaks: pages, feeds, letters, discovery. */
export interface Masthead {
  readonly name: string
  /** The same where only letters, digits and hyphens may stand: in the settings of a tool client. */
  readonly slug: string
  /** One sentence on what it is. */
  readonly description: string
  /** An e-mail address for people with questions, if the house gives one. */
  readonly contact: string | undefined
  /** A square SVG: a browser's tab, a feed's icon. */
  readonly mark: string
  /** The house brought its own mark; the other is drawn from its name. */
  readonly hasOwnMark: boolean
  /** Markdown, where the house has written its own. */
  readonly texts: Readonly<Partial<Record<HousePage, string>>>
}

const longestSlug = 40

export function readMasthead({ HOUSE_NAME, HOUSE_DESCRIPTION, HOUSE_FOLDER, CONTACT }: Config): Masthead {
  if (HOUSE_FOLDER && !existsSync(HOUSE_FOLDER))
    throw new ConfigError([`HOUSE_FOLDER must be a folder that exists, not "${HOUSE_FOLDER}"`])
  const own = (file: string) => (HOUSE_FOLDER ? readIfThere(HOUSE_FOLDER, file) : undefined)
  const mark = own('mark.svg')
  return {
    name: HOUSE_NAME,
    slug: slugFrom(HOUSE_NAME, longestSlug, 'house'),
    description: HOUSE_DESCRIPTION,
    contact: CONTACT || undefined,
    mark: mark ?? defaultMark(HOUSE_NAME),
    hasOwnMark: mark !== undefined,
    texts: Object.fromEntries(housePages.map((page) => [page, own(`${page}.md`)])),
  }
}

function readIfThere(folder: string, file: string): string | undefined {
  try {
    return readFileSync(join(folder, file), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ConfigError([`HOUSE_FOLDER: ${file} cannot be read (${(error as Error).message})`])
  }
}
