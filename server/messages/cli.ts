import { sourceLanguage, type Translator, translatorFor, translatorOf } from './translator.ts'

/** The language of the command line: that of the terminal (LC_ALL, LC_MESSAGES, LANG: the first that is set), or English. */
export function cliTranslator(env: Readonly<Record<string, string | undefined>> = process.env): Translator {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || ''
  // `pt_BR.UTF-8@euro` is `pt-BR`.
  const [tag = ''] = locale.replace('_', '-').split(/[.@]/)
  return translatorFor(tag, translatorOf(sourceLanguage))
}
