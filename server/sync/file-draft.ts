import type { CreatePieceBody } from '#features/pieces/draft-schema.ts'
import { metaMembers } from '#features/pieces/page-meta.ts'
import type { Page } from './front-matter.ts'

/** The draft in a Markdown file. Runs in browsers too. */

/** A draft as given by a file: only the members it names. */
export type Draft = CreatePieceBody
export type Member = keyof Draft

/** A parsed file. */
export interface ReadDraft {
  readonly draft: Draft
  /** The front matter name of each member. */
  readonly called: ReadonlyMap<Member, string>
  /** The piece id in the file, which the desk's export adds. */
  readonly id: string | undefined
  /** Front matter names that are not part of a draft. */
  readonly ignored: readonly string[]
}

/** Accepted names of each member, in the order a writer expects; the first is the one that is written. */
const names = {
  headline: ['headline', 'title'],
  sub: ['standfirst', 'sub', 'subtitle'],
  category: ['category'],
  tags: ['tags'],
  frame: ['frame'],
  style: ['style'],
  locale: ['locale', 'lang', 'language'],
  external_url: ['external_url', 'canonical_url'],
  meta: ['meta'],
} as const satisfies Partial<Record<Member, readonly string[]>>

const mayBeNone: readonly Member[] = ['sub', 'external_url', 'meta']

export const members = Object.entries(names) as [keyof typeof names, readonly string[]][]

/** Further names in the desk's export, which are ignored silently. */
const ofTheSite = ['id', 'status', 'url', 'revision', 'created_at', 'updated_at', 'published_at']

/** The draft in a file, whether or not the site would accept it. */
export function draftOf({ facts, body }: Page): ReadDraft {
  const called = new Map<Member, string>()
  const given: Record<string, unknown> = {}
  for (const [member, aliases] of members) {
    const name = aliases.find((alias) => facts[alias] !== undefined)
    if (name === undefined) continue
    const value = readMember(member, facts[name])
    // `category:` without a value is ignored.
    if (value === undefined || (value === null && !mayBeNone.includes(member))) continue
    called.set(member, name)
    given[member] = value
  }
  const text = given['headline'] === undefined ? headingOf(body) : undefined
  const draft = { ...(text ? { headline: text.headline } : {}), ...given, body_md: text?.body ?? body }
  const used = [...called.values(), ...ofTheSite]
  return {
    draft: draft as Draft,
    called,
    id: typeof facts['id'] === 'string' ? facts['id'] : undefined,
    ignored: Object.keys(facts).filter((name) => !used.includes(name)),
  }
}

/** Without a title, the first heading of the text is used. */
function headingOf(body: string): { headline: string; body: string } | undefined {
  const [whole, headline] =
    /^(?:[ \t]*\r?\n)*#[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*(?:\r?\n(?:[ \t]*\r?\n)*|$)/.exec(body) ?? []
  return headline === undefined ? undefined : { headline, body: body.slice(whole!.length) }
}

/** A member as front matter has it; undefined if it belongs to another program. */
export const readMember = (member: Member, value: unknown): unknown =>
  member === 'tags' ? tagsOf(value) : member === 'meta' ? metaOf(value) : wordsOf(value)

function metaOf(value: unknown): unknown {
  if (value === null) return null
  const given = metaMembers.filter((member) => Object.hasOwn(Object(value), member))
  if (given.length === 0) return undefined
  return Object.fromEntries(given.map((member) => [member, wordsOf((value as Record<string, unknown>)[member])]))
}

/** A number or `true` in a title is text. */
const wordsOf = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value

/** A list, or comma-separated words. */
function tagsOf(value: unknown): unknown {
  if (value === null) return []
  if (Array.isArray(value)) return value.map(wordsOf)
  if (typeof value !== 'string' && typeof value !== 'number') return value
  return String(value)
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
}
