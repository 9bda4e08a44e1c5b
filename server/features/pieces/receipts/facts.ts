import type { Translator } from '#messages/translator.ts'
import type { Receipt } from './schema.ts'

/** What a receipt says, as sentences: on its page and for who verifies it. */

/** How the person who published had authenticated. */
export function proofText(t: Translator, { method, seconds, of_this_revision }: NonNullable<Receipt['proof']>): string {
  const minutes = Math.floor(seconds / 60)
  const inUnit = (count: number, unit: string) => t.number(count, { style: 'unit', unit, unitDisplay: 'long' })
  const duration =
    minutes < 1
      ? inUnit(Math.max(1, seconds), 'second')
      : minutes < 120
        ? inUnit(minutes, 'minute')
        : inUnit(Math.floor(minutes / 60), 'hour')
  return of_this_revision
    ? t('site.receipt.proof_revision', { duration })
    : t('site.receipt.proof', { method, duration })
}

/** Who besides the writer had agreed to be named, by their addresses of that day. */
export const coAuthorsText = (t: Translator, authors: NonNullable<Receipt['co_authors']>): string =>
  t('site.receipt.co_authors', { names: t.list(authors.map(({ slug }) => slug)) })

/** When the person consented, and to which time. */
export const scheduledText = (t: Translator, { consented, for: time }: NonNullable<Receipt['scheduled']>): string =>
  t('site.receipt.scheduled', { consented, time })

/** Which date its writer gives, and when it became public here. */
export const importedText = (t: Translator, { service, original, here }: NonNullable<Receipt['imported']>): string =>
  t('site.receipt.imported', { service, original, here })

/** When it was first public on this site. */
export const firstHere = ({ imported, first_published }: Receipt): string => imported?.here ?? first_published

/** Which revisions a person saved, and which a key. */
export function revisionsText(t: Translator, { revision, revisions_by_key: numbers }: Receipt): string {
  if (numbers.length === 0) return t('site.receipt.revisions_person', { revision })
  if (numbers.length === revision) return t('site.receipt.revisions_api', { revision })
  return t('site.receipt.revisions_mixed', { revision, count: numbers.length, list: inRuns(numbers) })
}

/** `1–3, 7`. */
function inRuns(numbers: readonly number[]): string {
  const runs: [from: number, to: number][] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else runs.push([number, number])
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
}
