import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { languages, translatorOf } from '../server/messages/translator.ts'
import type { Words } from './source/widgets.ts'
import { widgetWords, wordsLine } from './words.ts'

/** The files that other sites load, as built in dist/, with the words of one language. */
export interface Release {
  /** For /embed.js: `script` with the name of the site. */
  readonly live: string
  readonly script: Asset
  readonly style: Asset
  /** Every script with a pinned address, by file name: the current one in every language, and earlier ones kept in dist/. */
  readonly scripts: ReadonlyMap<string, Asset>
}

export interface Asset {
  readonly text: string
  /** Contains a hash of the content. */
  readonly name: string
  /** For the `integrity` attribute. */
  readonly integrity: string
}

const dist = new URL('./dist/', import.meta.url)

/**
 * dist/embed.js is in English; here its first line gets the words of each language. Name and integrity are those of the
 * result, so that a pinned script has the words it was pinned with, also after SITE_LANGUAGE has changed. Earlier files
 * in dist/ keep their own.
 */
export function readRelease(language: string, site: string): Release {
  const built = read('embed.js')
  const withWords = (words: Words): string => built.replace(/^.*/, () => wordsLine(words))
  const translated = new Map(
    languages.map((one) => [one, asset('.js', withWords(widgetWords(translatorOf(one))))] as const),
  )
  const earlier = readdirSync(dist).filter((name) => name.endsWith('.js') && name !== 'embed.js')
  const assets = [...earlier.map((name) => asset('.js', read(name))), ...translated.values()]
  return {
    live: withWords(widgetWords(translatorOf(language), site)),
    script: translated.get(language)!,
    style: asset('.css', read('widget.css')),
    scripts: new Map(assets.map((one) => [one.name, one])),
  }
}

const read = (file: string): string => readFileSync(new URL(file, dist), 'utf8')

function asset(ending: string, text: string): Asset {
  return {
    text,
    name: `${hash('sha256', text, 'hex').slice(0, 16)}${ending}`,
    integrity: `sha384-${hash('sha384', text, 'base64')}`,
  }
}

/** Frame sizes in pixels for each widget at its widest. Longer texts make the frame scroll. */
export const frameSizes = {
  badge: { width: 240, height: 34 },
  card: { width: 480, height: 204 },
  list: { width: 480, height: 332 },
  bio: { width: 480, height: 300 },
  piece: { width: 480, height: 240 },
} as const
