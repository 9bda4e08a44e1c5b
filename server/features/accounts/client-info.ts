import type { Acting } from '#platform/db/database.ts'

/** What is known of whoever knocks, before they say who they are. */
export interface Visitor {
  readonly address: string
  /** The address, or for IPv6 the network of 64 bits that one customer holds. */
  readonly network: string
  readonly userAgent: string | null
  /** The mark of a device that signed in before, unchecked. */
  readonly device: string | undefined
  /** The session that this browser has until now; signing in ends it. */
  readonly sessionHash: Buffer | null
}

/** For the security history: from where somebody acted who has no session yet. */
export const placeOf = ({ address, userAgent }: Pick<Visitor, 'address' | 'userAgent'>): Acting => ({
  'app.visitor': Buffer.from(JSON.stringify({ address, browser: userAgent?.slice(0, 400) ?? null })),
})

/** What a browser gets that has signed in. */
export interface SignedIn {
  readonly sessionToken: string
  readonly device: string
}
