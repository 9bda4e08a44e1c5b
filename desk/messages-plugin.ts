import { compile } from '../server/messages/compile.ts'
import { catalogueOf, languages, translatorOf } from '../server/messages/translator.ts'

/**
 * Gives the desk its messages, compiled: `virtual:messages` has a loader for each language, and each language one for
 * each part of the desk (`desk.<part>.…`), so that a page loads the words of one language and of its own part. What a
 * variant such as `en-US` says no differently is loaded from its language.
 */

const prefix = 'virtual:messages'

export const messagesPlugin = {
  name: 'messages',
  resolveId: (id: string) => (id.startsWith(prefix) ? `\0${id}` : undefined),
  load(id: string): string | undefined {
    if (!id.startsWith(`\0${prefix}`)) return undefined
    const [, language, group] = id.split('/')
    if (language === undefined) return allLanguages()
    return group === undefined ? oneLanguage(language) : `export const messages = ${messagesOf(language, group)}`
  },
}

const loaders = (names: readonly string[], path: (name: string) => string): string =>
  `{${names.map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(path(name))})`).join(',')}}`

const allLanguages = (): string =>
  `export const languages = ${loaders(languages, (language) => `${prefix}/${language}`)}`

function oneLanguage(language: string): string {
  const parts = Object.keys(catalogueOf(language)).filter((id) => id.startsWith('desk.'))
  const groups = [...new Set(parts.map((id) => id.split('.')[1]!))].filter((group) => group !== 'common')
  return `export const locale = ${JSON.stringify(translatorOf(language).locale)}
export const common = ${messagesOf(language, 'common')}
export const groups = ${loaders(groups, (group) => `${prefix}/${ownerOf(language, group)}/${group}`)}`
}

/** The language itself or, where a variant differs in nothing, the one that it varies. */
function ownerOf(language: string, group: string): string {
  const base = languages.find((other) => language.startsWith(`${other}-`))
  return base !== undefined && messagesOf(base, group) === messagesOf(language, group) ? base : language
}

function messagesOf(language: string, group: string): string {
  // The command line says what an import has found in the same words.
  const prefixes = [`desk.${group}.`, ...(group === 'import' ? ['import.'] : [])]
  const entries = Object.entries(catalogueOf(language)).filter(([id]) => prefixes.some((one) => id.startsWith(one)))
  return JSON.stringify(Object.fromEntries(entries.map(([id, message]) => [id, compile(message)])))
}
