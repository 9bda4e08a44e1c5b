/** A writer's program may say anything; what is shown to browsers and feed readers is a BCP 47 tag, or that it is unknown. */
export function languageTag(said: string): string {
  try {
    return Intl.getCanonicalLocales(said.trim().replaceAll('_', '-'))[0] ?? 'und'
  } catch {
    return 'und'
  }
}
