import { createRequire } from 'node:module'

/**
 * Code blocks as HTML: highlighted with classes, never `style`, if the language is known and the code within limits.
 */

/** Highlighting budget left for one text. */
export interface HighlightBudget {
  /** Characters of code: at worst 11 µs each, for C++ (all languages over 7,000 repeated patterns). */
  code: number
  /** Characters of HTML: a digit becomes forty. */
  html: number
}

export const newHighlightBudget = (): HighlightBudget => ({ code: 32_000, html: 400_000 })

const longestCode = 12_000

/** Many patterns take quadratic time on unbroken runs of letters or white space. Real code has no such runs. */
const longRun = /[^\s.,;:(){}<>"'[\]|=+*/&?!]{100}|\s{100}/u

/** Loaded with the first code block: it takes a twentieth of a server's start time. */
let loaded: Highlighter | undefined
const highlighter = (): Highlighter => (loaded ??= loadLanguages())

/** `info` follows the opening fence: its first word names the language. */
export function codeBlock(info: string, code: string, budget: HighlightBudget): string {
  const language = /^[\w+#.-]{1,40}(?!\S)/.exec(info.trim())?.[0]
  const named = language ? ` class="language-${language}"` : ''
  const html = (language && coloured(code, language.toLowerCase(), budget)) || escaped(code)
  return `<pre><code${named}>${html}</code></pre>\n`
}

function coloured(code: string, language: string, budget: HighlightBudget): string | undefined {
  const hljs = highlighter()
  if (!hljs.getLanguage(language)) return undefined
  if (code.length > Math.min(longestCode, budget.code) || longRun.test(code)) return undefined
  budget.code -= code.length
  // As the sanitiser writes text, which escapes no quotes outside of attributes.
  const html = hljs
    .highlight(code, { language, ignoreIllegals: true })
    .value.replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
  if (html.length > budget.html) return undefined
  budget.html -= html.length
  return html
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => escapes[character]!)

/**
 * Languages with highlighting, by their highlight.js names; each brings its aliases (`js`, `html`, `toml`).
 *
 * Markdown is not included: its patterns take cubic time in the length of a line.
 */
export const languages: readonly string[] = [
  ...['bash', 'c', 'clojure', 'cpp', 'csharp', 'css', 'dart', 'diff', 'dockerfile', 'elixir', 'go', 'graphql'],
  ...['haskell', 'http', 'ini', 'java', 'javascript', 'json', 'julia', 'kotlin', 'latex', 'lua', 'makefile', 'nginx'],
  ...['objectivec', 'perl', 'php', 'powershell', 'protobuf', 'python', 'r', 'ruby', 'rust', 'scala', 'scss', 'shell'],
  ...['sql', 'swift', 'typescript', 'xml', 'yaml'],
]

interface Definition {
  readonly contains: readonly { begin?: unknown }[]
}
type Define = (hljs: Highlighter) => Definition

/** The part of highlight.js in use. Its own types would add those of the browser globally. */
interface Highlighter {
  registerLanguage(name: string, define: Define): void
  getLanguage(name: string): object | undefined
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string }
}

/** Patterns with quadratic or cubic time, and their bounded replacements. */
const bounds: Readonly<Record<string, readonly [endless: string, bounded: string][]>> = {
  csharp: [
    ['\\s+)+[a-zA-Z]', '\\s+){1,8}[a-zA-Z]'],
    ['(\\s*,\\s*[a-zA-Z]\\w*)*>', '(\\s*,\\s*[a-zA-Z]\\w*){0,8}>'],
    ['(<[^=]+>', '(<[^=]{1,80}>'],
  ],
  ini: [[')*(?=', '){0,8}(?=']],
}

function loadLanguages(): Highlighter {
  const require = createRequire(import.meta.url)
  const hljs = require('highlight.js/lib/core') as Highlighter
  for (const name of languages) {
    const define = require(`highlight.js/lib/languages/${name}`) as Define
    hljs.registerLanguage(name, (api) => bounded(define(api), bounds[name] ?? []))
  }
  return hljs
}

function bounded(definition: Definition, ends: (typeof bounds)[string]): Definition {
  for (const mode of definition.contains) {
    for (const [endless, end] of ends) {
      if (typeof mode.begin === 'string' && mode.begin.includes(endless)) mode.begin = mode.begin.replace(endless, end)
    }
  }
  return definition
}
