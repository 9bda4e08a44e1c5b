import { formats } from '../messages.ts'

/** The name of a language in the desk's own; what is no language code stays as it is. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(formats.locale, { type: 'language' }).of(code.trim().replaceAll('_', '-')) ?? code
  } catch {
    return code
  }
}
