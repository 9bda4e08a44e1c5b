/** How often a reader hears of what they follow. */
export const frequencies = ['each', 'daily', 'weekly'] as const
export type Frequency = (typeof frequencies)[number]

export const isFrequency = (given: string): given is Frequency => frequencies.some((one) => one === given)

/**
 * What can be followed. In addresses: `site`, `author/ada-okafor`, `section/essays`, `topic/tea`, `series/ada-okafor/on-tea`.
 */
type SubjectKind = 'site' | 'author' | 'section' | 'topic' | 'series'

/** Something to follow that is there now. */
export interface Subject {
  readonly kind: SubjectKind
  /** As the database has it: `site`, or the kind, a colon and an id, a section or a topic. */
  readonly key: string
  /** The same in addresses. */
  readonly path: string
  /** A name that people gave: of the author, the topic or the series; the section itself for its label; '' for the site. */
  readonly name: string
  /** The page of it. */
  readonly url: string
  readonly feeds: { readonly json: string; readonly rss: string }
}

/** One thing that a reader follows, or asked to. */
export interface Follow {
  readonly subject: Subject
  readonly frequency: Frequency
  readonly isConfirmed: boolean
}

/** A submitted form. */
export interface FollowForm {
  readonly email: string
  readonly frequency: string
}
