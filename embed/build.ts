import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { sourceLanguage, translatorOf } from '../server/messages/translator.ts'
import { widgetWords, wordsLine } from './words.ts'

/** `npm run embed` builds dist/. It is committed with the sources because the server builds nothing. */

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export async function buildEmbed(): Promise<{ readonly script: string; readonly style: string }> {
  const tokens = await readFile(here('../server/platform/page/style/tokens.css'), 'utf8')
  const style = minified(withTokens(await readFile(here('source/style.css'), 'utf8'), tokens))
  const frame = minified(await readFile(here('source/frame.css'), 'utf8'))
  const bundle = await rolldown({
    input: here('source/embed.ts'),
    transform: { define: { css: JSON.stringify(style) } },
    logLevel: 'warn',
  })
  const { output } = await bundle.generate({
    format: 'iife',
    minify: true,
    comments: false,
    // Swallow our own errors, whatever the host page did to its globals. The words are a line of their own, which a
    // site in another language replaces (release.ts).
    postBanner: wordsLine(widgetWords(translatorOf(sourceLanguage))),
    postFooter: '}catch{}',
  })
  await bundle.close()
  return { script: `${output[0].code.trim()}\n`, style: style + frame }
}

/** Replaces `TOKEN-ink` with the ink colour of the site's pages, for light and dark. */
function withTokens(css: string, tokens: string): string {
  const [day = '', night = ''] = tokens.split('prefers-color-scheme: dark')
  return css.replace(/TOKEN-(\w+)/g, (_, name) => {
    const valueIn = (text: string): string => {
      const value = new RegExp(`--${name}: ([^;]+);`).exec(text)?.[1]
      if (value === undefined) throw new Error(`the pages have no token ${name}`)
      return value
    }
    return `light-dark(${valueIn(day)}, ${valueIn(night)})`
  })
}

/** Safe because none of our values is a string that begins or ends with white space. */
const minified = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    .replace(/="(\w+)"]/g, '=$1]')
    .trim()

if (import.meta.main) {
  const { script, style } = await buildEmbed()
  await mkdir(here('dist'), { recursive: true })
  await writeFile(here('dist/embed.js'), script)
  await writeFile(here('dist/widget.css'), style)
  const { gzipSync } = await import('node:zlib')
  console.log(`dist/embed.js: ${script.length} bytes, ${gzipSync(script, { level: 9 }).length} gzipped`)
}
