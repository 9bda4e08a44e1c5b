import { createHash } from 'node:crypto'
import type { Draft as Stored } from '@standfirst/sdk'
import { CreatePieceBody } from '#features/pieces/draft-schema.ts'
import { argumentValidator } from '#platform/http/validation.ts'
import type { Page } from './front-matter.ts'
import { Problem } from './user-error.ts'

/** What a file says of a piece: only the members that it names. */
export type Draft = CreatePieceBody
export type Member = keyof Draft

/** A file as it would be sent. */
export interface ReadDraft {
  readonly draft: Draft
  /** By which name its front matter calls each member. */
  readonly called: ReadonlyMap<Member, string>
  /** Which piece the file says it is, as the desk's export does. */
  readonly id: string | undefined
  /** Names in the front matter that are no part of a draft. */
  readonly ignored: readonly string[]
}

/** What the site has of one, in every member. */
export const draftIn = (piece: Stored): Draft => ({
  headline: piece.headline,
  sub: piece.sub,
  body_md: piece.body_md ?? '',
  category: piece.category as NonNullable<Draft['category']>,
  tags: [...piece.tags],
  frame: piece.frame as NonNullable<Draft['frame']>,
  style: piece.style,
  locale: piece.locale,
  external_url: piece.external_url,
})

/** What each member may be called; the first is the site's own word. */
const names = {
  headline: ['headline', 'title'],
  sub: ['standfirst', 'sub', 'subtitle'],
  category: ['category'],
  tags: ['tags'],
  frame: ['frame'],
  style: ['style'],
  locale: ['locale', 'lang', 'language'],
  external_url: ['external_url', 'canonical_url'],
} as const satisfies Partial<Record<Member, readonly string[]>>

/** What a member is where its file no longer says anything of it. */
export const unsaid: Readonly<Partial<Draft>> = {
  sub: null,
  category: 'building',
  tags: [],
  frame: 'lesson',
  style: 'essay',
  locale: 'en',
  external_url: null,
}

/** What the desk's export says beside; every export has it, so nobody needs to be told. */
const ofTheSite = ['id', 'status', 'url', 'revision', 'created_at', 'updated_at', 'published_at']

const validate = argumentValidator(CreatePieceBody as object)

/** What a file would send, whether or not the site would take it. */
export function draftOf({ facts, body }: Page): ReadDraft {
  const called = new Map<Member, string>()
  const given: Record<string, unknown> = {}
  for (const [member, aliases] of Object.entries(names) as [keyof typeof names, readonly string[]][]) {
    const name = aliases.find((alias) => facts[alias] !== undefined)
    if (name === undefined) continue
    const value = member === 'tags' ? tagsOf(facts[name]) : wordsOf(facts[name])
    // `category:` with nothing after it says nothing; a standfirst or an address may be said to be none.
    if (value === null && member !== 'sub' && member !== 'external_url') continue
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

/** Without a title, the heading the text begins with is one. */
function headingOf(body: string): { headline: string; body: string } | undefined {
  const [whole, headline] =
    /^(?:[ \t]*\r?\n)*#[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*(?:\r?\n(?:[ \t]*\r?\n)*|$)/.exec(body) ?? []
  return headline === undefined ? undefined : { headline, body: body.slice(whole!.length) }
}

/** What else a file says, for its writer or another program. */
export const besides = ({ facts }: Page): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(facts).filter(([name]) => !(Object.values(names).flat() as string[]).includes(name)),
  )

/** A number or `true` in a title is meant as it is written. */
const wordsOf = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value

/** A list, or words with commas between them. */
function tagsOf(value: unknown): unknown {
  if (value === null) return []
  if (Array.isArray(value)) return value.map(wordsOf)
  if (typeof value !== 'string' && typeof value !== 'number') return value
  return String(value)
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
}

/** By the schema of the site itself, so that nothing is sent to be refused. */
export function demandValid({ draft, called }: ReadDraft): void {
  const { error } = validate(draft)
  if (!error) return
  const sentences = (error.errors ?? []).map(({ pointer, code, detail, limit, actual }) => {
    const [member, place] = pointer.slice(1).split('/') as [Member, string?]
    if (member === 'headline' && code === 'missing') {
      return 'there is no title. Say "title: …" in the front matter, or begin the text with "# " and a heading'
    }
    if (member === 'body_md' && code === 'empty') return 'there is no text under the front matter'
    const name = member === 'body_md' ? 'the text' : (called.get(member) ?? member)
    const which = place === undefined ? name : `${name} (number ${Number(place) + 1})`
    return `${which} ${detail}${limit !== undefined && actual !== undefined ? ` and has ${actual}` : ''}`
  })
  throw new Problem(`${sentences.join('; ')}.`)
}

/** Two files that would send the same have the same. Members stand in the order they are read in. */
export const hashOf = (draft: object): string => createHash('sha256').update(JSON.stringify(draft)).digest('base64url')
