import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Fonts, fontStack, readFonts } from './fonts.ts'

/** The one stylesheet of all pages, made of these files in this order. */
const sheets = ['tokens', 'base', 'shell', 'prose', 'pieces', 'shop', 'forms', 'print']

export interface Style {
  /** Immutable: the name holds the hash of the bytes. */
  readonly path: string
  readonly css: string
  readonly fonts: Fonts
}

let made: Style | undefined

/** Read when it is first asked for, once. */
export function style(): Style {
  made ??= makeStyle()
  return made
}

function makeStyle(): Style {
  const fonts = readFonts()
  const written = sheets.map((name) => readFileSync(new URL(`./style/${name}.css`, import.meta.url), 'utf8')).join('\n')
  const css = fonts.css + compact(written.replace('FONT_STACK', fontStack))
  return { path: `/style.${hash('sha256', css, 'base64url').slice(0, 10)}.css`, css, fonts }
}

/** Comments and the space around punctuation: what costs bytes and says nothing. Our sheets have no such text in strings. */
const compact = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    .trim()
