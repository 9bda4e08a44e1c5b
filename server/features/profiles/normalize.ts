import { readName } from '#features/accounts/normalize.ts'
import { type FieldProblem, invalid } from '#platform/errors.ts'
import { hasVisible, normalise, normaliseLineWithin } from '#platform/text/normalise.ts'
import { isSlug } from '#platform/text/slug.ts'
import { webAddress } from '#platform/text/web-address.ts'
import type { ProfileRow } from './present.ts'
import { longest, type Network, networks, type ProfileChanges } from './schema.ts'

export type ProfileText = Pick<ProfileRow, 'name' | 'bio' | 'role' | 'niche' | 'location' | 'website' | 'socials'>

/** The profile as it will be: what was sent made clean, the rest as it was. */
export function changedProfile(was: ProfileText, given: ProfileChanges): ProfileText {
  const line = (sent: string | null | undefined, before: string | null) =>
    sent === undefined ? before : cleanLine(sent)
  return {
    name: given.name === undefined ? was.name : readName(given.name),
    bio: given.bio === undefined ? was.bio : cleanBio(given.bio),
    role: line(given.role, was.role),
    niche: line(given.niche, was.niche),
    location: line(given.location, was.location),
    website: given.website === undefined ? was.website : cleanAddress(given.website),
    socials: given.socials === undefined ? was.socials : changedSocials(was.socials, given.socials),
  }
}

const cleanLine = (sent: string | null): string | null =>
  sent !== null && hasVisible(sent) ? normaliseLineWithin(sent, longest.line) : null

/** Overrides of direction would reach beyond the text they stand in. */
const bidiControls = /[\u202A-\u202E\u2066-\u2069]/gu

/** Paragraphs stay; more than one empty line between them says nothing. */
function cleanBio(sent: string | null): string | null {
  if (sent === null || !hasVisible(sent)) return null
  const bio = normalise(sent.replace(bidiControls, ''))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const actual = [...bio].length
  if (actual <= longest.bio) return bio
  const detail = `must have at most ${longest.bio} characters`
  throw invalid([{ pointer: '/bio', code: 'too_long', detail, limit: longest.bio, actual }])
}

const cleanAddress = (sent: string | null): string | null => (sent === null ? null : (webAddress(sent) ?? null))

function changedSocials(
  was: ProfileText['socials'],
  given: NonNullable<ProfileChanges['socials']>,
): ProfileText['socials'] {
  const entries = networks.map((network): [Network, string | null] => {
    const sent = given[network]
    return [network, sent === undefined ? (was[network] ?? null) : cleanAddress(sent)]
  })
  return Object.fromEntries(entries.filter(([, address]) => address !== null))
}

const slugProblem: FieldProblem = {
  pointer: '/slug',
  code: 'malformed',
  detail: 'must be 1 to 40 of a-z, 0-9 and hyphens inside, and not a word that the site itself uses',
}

export function readSlug(given: string): string {
  const slug = given.trim().toLowerCase()
  if (isSlug(slug)) return slug
  throw invalid([slugProblem])
}
