import { webAddress } from '#platform/text/normalise.ts'

/** The address of a site as people give it, without the slash at its end; undefined if it is none. */
export function siteOf(given: string): string | undefined {
  const text = given.trim()
  return webAddress(/^https?:/.test(text) ? text : `https://${text}`)?.replace(/\/+$/, '')
}
