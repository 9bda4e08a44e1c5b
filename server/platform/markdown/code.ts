import { type Highlighter, loadLanguages } from './languages.ts'

/** Code as HTML: coloured by classes, never by `style`, where its language is known and it stays within bounds. */

/** What one piece may still spend on colour. */
export interface Allowance {
  /** Characters of code: at the worst 11 µs each, of C++ (every language over 7,000 repeated patterns). */
  code: number
  /** Characters of HTML: a digit becomes forty. */
  html: number
}

export const newAllowance = (): Allowance => ({ code: 32_000, html: 400_000 })

const longestCode = 12_000

/** Many patterns take time with the square of an unbroken run of letters or of white space. No code has such runs. */
const longRun = /[^\s.,;:(){}<>"'[\]|=+*/&?!]{100}|\s{100}/u

/** Loaded by the first code there is: it takes a twentieth of the time in which a server starts. */
let loaded: Highlighter | undefined
const highlighter = (): Highlighter => (loaded ??= loadLanguages())

/** `info` is what stands after the fence's marks: its first word names the language. */
export function codeBlock(info: string, code: string, allowance: Allowance): string {
  const language = /^[\w+#.-]{1,40}(?!\S)/.exec(info.trim())?.[0]
  const named = language ? ` class="language-${language}"` : ''
  const html = (language && coloured(code, language.toLowerCase(), allowance)) || escaped(code)
  return `<pre><code${named}>${html}</code></pre>\n`
}

function coloured(code: string, language: string, allowance: Allowance): string | undefined {
  const hljs = highlighter()
  if (!hljs.getLanguage(language)) return undefined
  if (code.length > Math.min(longestCode, allowance.code) || longRun.test(code)) return undefined
  allowance.code -= code.length
  // Text as the sanitiser writes it, which needs no quotes escaped outside of attributes.
  const html = hljs
    .highlight(code, { language, ignoreIllegals: true })
    .value.replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
  if (html.length > allowance.html) return undefined
  allowance.html -= html.length
  return html
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => escapes[character]!)
