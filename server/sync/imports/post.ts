import { longest, mostTags } from '#features/pieces/limits.ts'
import { metaMembers } from '#features/pieces/page-meta.ts'
import { untitled } from '#features/pieces/untitled.ts'
import { type Message, message } from '#messages/message.ts'
import type { ConvertedHtml } from '#platform/markdown/foreign-html.ts'
import { lengthOf, normaliseLine, shortened, webAddress } from '#platform/text/normalise.ts'
import type { Draft } from '../file-draft.ts'
import { type ExportFiles, importLimits } from './export-files.ts'
import { problem } from './message-error.ts'

/** One post of an export: its draft, and what was lost. */
export interface Post {
  /** The same whenever it is exported again, and that of no other post. */
  readonly origin: string
  /** Its file name without extension. */
  readonly slug: string
  readonly date: string | undefined
  readonly wasPublic: boolean
  readonly draft: Draft
  /** Addresses of the pictures in the text, or names of files in the export. */
  readonly pictures: readonly string[]
  readonly cover: string | undefined
  readonly lost: readonly Message[]
}

export interface Imported {
  readonly posts: readonly Post[]
  /** Contents of the export that are not posts. */
  readonly lost: readonly Message[]
}

export interface ImportOptions {
  /** Where the posts were published: `https://tea.substack.com`. */
  readonly site?: string | undefined
  /** How the site is given here: the name of an option or a field. */
  readonly siteOption: string
  /** Called before each post. A page gives the browser time to draw. */
  readonly progress?: (done: number, total: number) => Promise<void> | void
}

export type Reader = (files: ExportFiles, options: ImportOptions) => Promise<Imported>

/** What a service has of a post. */
export interface Given {
  readonly origin: string
  readonly slug: string
  readonly date?: string | null | undefined
  readonly title: string
  readonly subtitle?: string | null | undefined
  readonly tags?: readonly string[]
  readonly address?: string | null | undefined
  readonly locale?: string | null | undefined
  /** Its texts for search engines and shared links. */
  readonly meta?: Draft['meta']
  readonly wasPublic: boolean
  readonly markdown: string
  readonly pictures: readonly string[]
  readonly cover?: string | null | undefined
  readonly lost: readonly Message[]
}

/** An object of an export in JSON. */
export type Row = Readonly<Record<string, unknown>>

export const stringOf = (row: Row | undefined, name: string): string =>
  typeof row?.[name] === 'string' ? row[name] : ''

/** A note, if there is something to say. */
export const noted = (condition: unknown, note: () => Message): Message[] => (condition ? [note()] : [])

/** Makes a post of each, one after the other. */
export async function eachPost<Source>(
  sources: readonly Source[],
  { progress }: ImportOptions,
  make: (source: Source) => Promise<Post | undefined> | Post | undefined,
): Promise<Post[]> {
  if (sources.length > importLimits.posts) throw problem('import.too_many_posts', { most: importLimits.posts })
  const posts: Post[] = []
  for (const [at, source] of sources.entries()) {
    await progress?.(at, sources.length)
    const post = await make(source)
    if (post) posts.push(post)
  }
  return posts
}

/** Files that are not posts, counted by kind. */
export const filesLeft = (names: readonly string[], kindOf: (name: string) => string): Message[] =>
  [...Map.groupBy(names, kindOf)].map(([kind, { length }]) => message('import.lost_files', { kind, count: length }))

/** Converts to a draft the site accepts; reports what had to be cut. */
export function postOf(given: Given): Post {
  const lost = [...given.lost]
  const fitted = (member: 'standfirst' | 'headline', text: string, most: number): string => {
    const line = normaliseLine(text)
    const cut = shortened(line, most - 1)
    if (cut !== line) lost.push(message('import.cut', { member, most, text: line }))
    return cut
  }
  const sub = fitted('standfirst', given.subtitle ?? '', longest.sub)
  const address = given.address ? webAddress(given.address) : undefined
  if (given.address && !address) lost.push(message('import.bad_address', { address: given.address }))
  const date = given.date ? dateOf(given.date) : undefined
  if (given.date && !date) lost.push(message('import.bad_date', { date: given.date }))
  const markdown = withoutControls(given.markdown)
  if (lengthOf(markdown) > longest.body) lost.push(message('import.too_long', { most: longest.body }))
  return {
    origin: given.origin,
    slug: given.slug,
    date,
    wasPublic: given.wasPublic,
    draft: {
      headline: fitted('headline', given.title, longest.headline) || untitled,
      ...(sub === '' ? {} : { sub }),
      tags: fittedTags(given.tags ?? [], lost),
      ...(given.locale ? { locale: normaliseLine(given.locale) } : {}),
      ...(address ? { external_url: address } : {}),
      ...metaOf(given),
      body_md: markdown,
    },
    pictures: [...new Set(given.pictures)],
    cover: given.cover || undefined,
    lost,
  }
}

/** Lines that fit: no search engine shows what is cut here. */
function metaOf({ meta }: Given): Pick<Draft, 'meta'> {
  const lines = metaMembers.map((member) => {
    const most = member.endsWith('title') ? longest.metaTitle : longest.metaDescription
    return [member, shortened(normaliseLine(meta?.[member] ?? ''), most - 1)] as const
  })
  const written = lines.filter(([, line]) => line !== '')
  return written.length === 0 ? {} : { meta: Object.fromEntries(written) }
}

/** The site refuses them. */
const withoutControls = (text: string): string =>
  text.toWellFormed().replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F]/g, '')

function fittedTags(tags: readonly string[], lost: Message[]): string[] {
  const lines = [...new Set(tags.map(normaliseLine).filter(Boolean))]
  const short = lines.filter((tag) => lengthOf(tag) <= longest.tag)
  const left = [...lines.filter((tag) => !short.includes(tag)), ...short.slice(mostTags)]
  if (left.length > 0)
    lost.push(message('import.lost_tags', { most: mostTags, length: longest.tag, tags: left.join(', ') }))
  return short.slice(0, mostTags)
}

/** Undefined if it is not a date. */
const dateOf = (text: string): string | undefined => {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** What was lost in the conversion of a post's HTML. */
export const lostOf = ({ embeds, lost }: ConvertedHtml): Message[] => [
  ...embeds.map((address) => message('import.embed_linked', { address })),
  ...lost,
]

/** A summary that repeats the beginning of the text was made of it. */
export function isBeginningOf(summary: string, text: string): boolean {
  const signs = (words: string): string => words.replace(/[^\p{L}\p{N}]/gu, '')
  return signs(text).startsWith(signs(summary))
}
