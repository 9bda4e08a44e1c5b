import { readFileSync, writeFileSync } from 'node:fs'
import { compile, kindsOf } from './compile.ts'

/**
 * `npm run messages`: sorts the catalogues and writes messages.generated.ts, the type of every message's values, from
 * en.json.
 */

const path = (name: string): URL => new URL(name, import.meta.url)

export const sortedCatalogue = (text: string): string => {
  const entries = Object.entries(JSON.parse(text) as Record<string, string>)
  return `${JSON.stringify(Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1))), null, 2)}\n`
}

export function typesOf(catalogue: Readonly<Record<string, string>>): string {
  const lines = Object.entries(catalogue).map(([id, message]) => {
    const kinds = [...kindsOf(compile(message))].map(([name, kind]) => `${name}: ${typeOf(kind)}`)
    return `  '${id}': {${kinds.length > 0 ? ` ${kinds.join('; ')} ` : ''}}`
  })
  return `/** Written by \`npm run messages\` from en.json: the kind of every value that a message takes. */
export interface MessageValues {
${lines.join('\n')}
}
`
}

const typeOf = (kind: string): string => {
  const [name, ...cases] = kind.split(' ')
  return name === 'select' ? `readonly (${cases.map((one) => `'${one}'`).join(' | ')})[]` : `'${name}'`
}

if (import.meta.main) {
  const { languages } = await import('./translator.ts')
  for (const language of languages) {
    const file = path(`${language}.json`)
    writeFileSync(file, sortedCatalogue(readFileSync(file, 'utf8')))
  }
  writeFileSync(path('messages.generated.ts'), typesOf(JSON.parse(readFileSync(path('en.json'), 'utf8'))))
}
