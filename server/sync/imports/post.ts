import { longest } from '#features/pieces/draft-schema.ts'
import { untitled } from '#features/pieces/untitled.ts'
import { cliTranslator } from '#messages/cli.ts'
import type { ConvertedHtml } from '#platform/markdown/foreign-html.ts'
import { normaliseLine, shortened, webAddress } from '#platform/text/normalise.ts'
import type { Draft } from '../draft.ts'

const t = cliTranslator()

/** One post of an export: its draft, and what was lost. */
export interface Post {
  /** Its file name without extension. */
  readonly slug: string
  readonly date: string | undefined
  readonly draft: Draft
  readonly lost: readonly string[]
}

export interface Imported {
  readonly posts: readonly Post[]
  /** Contents of the export that are not posts. */
  readonly lost: readonly string[]
}

export interface ImportOptions {
  /** Where the posts were published: `https://tea.substack.com`. */
  readonly site?: string | undefined
}

/** What a service has of a post. */
export interface Given {
  readonly slug: string
  readonly date?: string | null | undefined
  readonly title: string
  readonly subtitle?: string | null | undefined
  readonly tags?: readonly string[]
  readonly address?: string | null | undefined
  readonly locale?: string | null | undefined
  readonly markdown: string
  readonly lost: readonly string[]
}

/** An object of an export in JSON. */
export type Row = Readonly<Record<string, unknown>>

export const textIn = (row: Row | undefined, name: string): string => (typeof row?.[name] === 'string' ? row[name] : '')

/** Files that are not posts, counted by kind. */
export const filesLeft = (names: readonly string[], kindOf: (name: string) => string): string[] =>
  [...Map.groupBy(names, kindOf)].map(([kind, { length }]) => t('cli.import.lost_files', { kind, count: length }))

const mostTags = 8

/** Converts to a draft the site accepts; reports what had to be cut. */
export function postOf(given: Given): Post {
  const lost = [...given.lost]
  const fitted = (member: 'standfirst' | 'headline', text: string, most: number): string => {
    const line = normaliseLine(text)
    const cut = shortened(line, most - 1)
    if (cut !== line) lost.push(t('cli.import.cut', { member, most, text: line }))
    return cut
  }
  const sub = fitted('standfirst', given.subtitle ?? '', longest.sub)
  const address = given.address ? webAddress(given.address) : undefined
  if (given.address && !address) lost.push(t('cli.import.bad_address', { address: given.address }))
  const date = given.date ? dayOf(given.date) : undefined
  if (given.date && !date) lost.push(t('cli.import.bad_date', { date: given.date }))
  if ([...given.markdown].length > longest.body) lost.push(t('cli.import.too_long', { most: longest.body }))
  return {
    slug: given.slug,
    date,
    draft: {
      headline: fitted('headline', given.title, longest.headline) || untitled,
      ...(sub === '' ? {} : { sub }),
      tags: fittedTags(given.tags ?? [], lost),
      ...(given.locale ? { locale: given.locale } : {}),
      ...(address ? { external_url: address } : {}),
      body_md: given.markdown,
    },
    lost,
  }
}

function fittedTags(tags: readonly string[], lost: string[]): string[] {
  const lines = tags.map(normaliseLine).filter(Boolean)
  const short = lines.filter((tag) => [...tag].length <= longest.tag)
  const left = [...lines.filter((tag) => !short.includes(tag)), ...short.slice(mostTags)]
  if (left.length > 0) lost.push(t('cli.import.lost_tags', { most: mostTags, length: longest.tag, tags: t.list(left) }))
  return short.slice(0, mostTags)
}

/** Undefined if it is not a date. */
const dayOf = (text: string): string | undefined => {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** What was lost in the conversion of a post's HTML. */
export const lostOf = ({ pictures, embeds, lost }: ConvertedHtml): string[] => [
  ...pictures.map((address) =>
    // The site only shows https images.
    t(address.startsWith('https:') ? 'cli.import.remote_image' : 'cli.import.remote_image_http', { address }),
  ),
  ...embeds.map((address) => t('cli.import.embed_linked', { address })),
  ...lost.map((one) => t.say(one)),
]
