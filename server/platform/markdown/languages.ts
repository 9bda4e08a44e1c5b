import { createRequire } from 'node:module'

/**
 * The languages whose code is coloured, by the names of highlight.js; each brings its aliases (`js`, `html`, `toml`).
 *
 * Markdown is not among them: its patterns take time with the cube of a line's length.
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

/** The part of highlight.js in use. Its own types bring those of the browser into the whole site. */
export interface Highlighter {
  registerLanguage(name: string, define: Define): void
  getLanguage(name: string): object | undefined
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string }
}

/** Patterns that take time with the square or the cube of a text's length, and the same with an end to them. */
const bounds: Readonly<Record<string, readonly [endless: string, bounded: string][]>> = {
  csharp: [
    ['\\s+)+[a-zA-Z]', '\\s+){1,8}[a-zA-Z]'],
    ['(\\s*,\\s*[a-zA-Z]\\w*)*>', '(\\s*,\\s*[a-zA-Z]\\w*){0,8}>'],
    ['(<[^=]+>', '(<[^=]{1,80}>'],
  ],
  ini: [[')*(?=', '){0,8}(?=']],
}

export function loadLanguages(): Highlighter {
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
