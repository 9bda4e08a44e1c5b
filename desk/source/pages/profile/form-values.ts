import type { longest } from '../../../../server/features/profiles/schema.ts'
import type { Profile } from '../../api/profile.ts'

/** In characters. Typed by the server's own, so that the two cannot differ. */
export const limits: typeof longest = { name: 80, bio: 2000, line: 120 }

/** What the form holds: an empty line is nothing said. */
export interface Said {
  readonly name: string
  readonly role: string
  readonly niche: string
  readonly location: string
  readonly bio: string
}

export const saidBy = ({ name, role, niche, location, bio }: Profile): Said => ({
  name,
  role: role ?? '',
  niche: niche ?? '',
  location: location ?? '',
  bio: bio ?? '',
})

const orNothing = (text: string): string | null => (text.trim() ? text : null)

export const sentOf = ({ name, role, niche, location, bio }: Said) => ({
  name,
  role: orNothing(role),
  niche: orNothing(niche),
  location: orNothing(location),
  bio: orNothing(bio),
})
