import type { Compiled } from '../../server/messages/format.ts'
import { formatDate, formatMessage, match, push } from './language.ts'

/**
 * The widgets, drawn by embed.js and by the server. They call no array or string methods, since a page may have
 * replaced those.
 */

export interface Writer {
  readonly slug: string
  readonly name: string
  readonly role?: string | null
  readonly location?: string | null
  readonly bio?: string | null
  readonly avatar_url?: string | null
  readonly website?: string | null
  readonly identity_verified: boolean
  readonly website_verified?: boolean
  readonly socials?: Readonly<Record<string, string | null>>
  readonly stats?: { readonly pieces_count: number; readonly last_published_at: string | null }
  readonly urls: { readonly profile: string }
}

export interface ListedPiece {
  readonly title: string
  readonly url: string
  readonly date_published: string
  /** A BCP 47 tag; `und` if it is not known. */
  readonly language?: string
}

/** Made from the catalogue by ../words.ts. */
export interface Words {
  readonly language: string
  /** For dates and numbers. */
  readonly locale: string
  readonly dir: string
  /** The name of the site; left out in pinned scripts, which stay as they are when it changes. */
  readonly site?: string
  readonly identityVerified: string
  readonly websiteVerified: string
  readonly noPieces: string
  readonly allPieces: string
  readonly newsletter: string
  readonly follow: string
  /** Of a count and a date. */
  readonly piecesLast: Compiled
  /** Of a name. */
  readonly piecesBy: Compiled
}

export interface WidgetOptions {
  readonly words: Words
  readonly theme: string
  readonly tone: string
  /** The link target; undefined opens links in the page itself. */
  readonly target: string | undefined
  /** The base URL of the site. */
  readonly base: string
}

/** Only http and https addresses become links and images, whatever the data contains. */
const web = (address: unknown): string | undefined =>
  match(/^https?:\/\/[^\s]+$/i, address) ? `${address}` : undefined

const host = (address: string): string => match(/^https?:\/\/(?:www\.)?([^/?#]+)/i, address) ?? ''

interface LinkOptions {
  readonly class?: string
  readonly dir?: string
  readonly lang?: string | undefined
  readonly rel?: string
}

/** Links to a writer's own sites are user-generated: neither the host page nor we vouch for them. */
const outside: LinkOptions = { rel: 'ugc nofollow noopener noreferrer' }

function link(
  look: WidgetOptions,
  address: unknown,
  label: string,
  { class: name, dir, lang, rel = 'noopener' }: LinkOptions = {},
): VNode {
  const href = web(address)
  if (!href) return ['span', ['class', name, 'dir', dir, 'lang', lang], [label]]
  return ['a', ['href', href, 'target', look.target, 'rel', rel, 'class', name, 'dir', dir, 'lang', lang], [label]]
}

const langOf = ({ language }: ListedPiece): string | undefined => (language === 'und' ? undefined : language)

/** Titles are in the language of their piece, not in that of the site. */
const titleLink = (look: WidgetOptions, listed: ListedPiece): VNode =>
  link(look, listed.url, listed.title, { dir: 'auto', lang: langOf(listed) })

const tick = ({ words }: WidgetOptions, writer: Writer): Child =>
  writer.identity_verified && [
    'svg',
    ['class', 'tick', 'viewBox', '0 0 16 16', 'role', 'img', 'aria-label', words.identityVerified],
    [
      ['circle', ['cx', '8', 'cy', '8', 'r', '8'], []],
      ['path', ['d', 'M4.5 8.2l2.4 2.5 4.6-5.2'], []],
    ],
  ]

function widget(
  kind: string,
  look: WidgetOptions,
  writer: Writer,
  label: string | undefined,
  children: readonly Child[],
): VNode {
  const isGreen = writer.identity_verified && look.tone === 'verified'
  const attributes = [
    'class',
    `w ${kind}${isGreen ? ' lit' : ''}`,
    'data-theme',
    look.theme,
    // The language of the page around it is not that of the site.
    'lang',
    look.words.language,
    // Laid out like the site's pages if those run from right to left, otherwise by the name.
    'dir',
    look.words.dir === 'rtl' ? 'rtl' : 'auto',
    'aria-label',
    label,
  ]
  return [label ? 'article' : 'div', attributes, children]
}

const named = (look: WidgetOptions, writer: Writer): VNode => [
  'p',
  ['class', 'name'],
  [link(look, writer.urls.profile, writer.name), tick(look, writer)],
]

/** To the page with all the ways to follow the writer. */
const follow = (look: WidgetOptions, { slug }: Writer): VNode =>
  link(look, `${look.base}/desk/follow/author/${slug}`, look.words.follow, { class: 'follow' })

const face = (writer: Writer): Child => {
  const src = web(writer.avatar_url)
  return (
    src !== undefined && [
      'img',
      ['src', src, 'alt', '', 'width', '56', 'height', '56', 'loading', 'lazy', 'referrerpolicy', 'no-referrer'],
      [],
    ]
  )
}

const line = (name: string, text: unknown, lang?: string): Child =>
  typeof text === 'string' && text !== '' && ['p', ['class', name, 'dir', 'auto', 'lang', lang], [text]]

const about = ({ role, location }: Writer): string =>
  role && location ? `${role} · ${location}` : role || location || ''

const head = (look: WidgetOptions, writer: Writer, hasFace?: boolean): VNode => [
  'div',
  ['class', 'head'],
  [
    hasFace && face(writer),
    ['div', [], [named(look, writer), hasFace && line('role', about(writer))]],
    follow(look, writer),
  ],
]

const foot = (look: WidgetOptions, child: Child): VNode => [
  'p',
  ['class', 'foot', 'dir', look.words.dir],
  [child, link(look, `${look.base}/`, look.words.site ?? host(look.base), { class: 'site' })],
]

const summed = ({ words }: WidgetOptions, { stats }: Writer): string => {
  const last = stats?.last_published_at
  return stats && last
    ? formatMessage(words.locale, words.piecesLast, stats.pieces_count, formatDate(words.locale, last))
    : words.noPieces
}

export function badge(look: WidgetOptions, writer: Writer): VNode {
  return widget('badge', look, writer, undefined, [named(look, writer)])
}

export function card(look: WidgetOptions, writer: Writer): VNode {
  return widget('card', look, writer, writer.name, [
    head(look, writer, true),
    line('bio', writer.bio),
    foot(look, ['span', [], [summed(look, writer)]]),
  ])
}

const networks = [
  'x',
  'X',
  'linkedin',
  'LinkedIn',
  'facebook',
  'Facebook',
  'youtube',
  'YouTube',
  'instagram',
  'Instagram',
]

function places(look: WidgetOptions, { website, website_verified, socials }: Writer): Child {
  const found: Child[] = []
  const add = (address: unknown, label: string, note: Child): void => {
    if (web(address)) push(found, ['li', [], [link(look, address, label, outside), note]])
  }
  if (website) add(website, host(website), website_verified && ['span', [], [` ${look.words.websiteVerified}`]])
  if (socials) {
    for (let at = 0; at < networks.length; at += 2) add(socials[networks[at]!], networks[at + 1]!, undefined)
    add(socials['newsletter'], look.words.newsletter, undefined)
  }
  return found.length > 0 && ['ul', ['class', 'places', 'role', 'list'], found]
}

export function bio(look: WidgetOptions, writer: Writer): VNode {
  return widget('about', look, writer, writer.name, [
    head(look, writer, true),
    line('bio', writer.bio),
    places(look, writer),
    foot(look, ['span', [], [summed(look, writer)]]),
  ])
}

export function list(look: WidgetOptions, writer: Writer, pieces: readonly ListedPiece[], limit: number): VNode {
  const { words } = look
  const items: Child[] = []
  for (let at = 0; at < pieces.length && at < limit; at += 1) {
    const listed = pieces[at]!
    push(items, ['li', [], [titleLink(look, listed), day(words, listed.date_published)]])
  }
  return widget('list', look, writer, formatMessage(words.locale, words.piecesBy, 0, writer.name), [
    head(look, writer),
    items.length > 0 ? ['ol', ['role', 'list'], items] : ['p', ['class', 'role', 'dir', words.dir], [words.noPieces]],
    foot(look, link(look, writer.urls.profile, words.allPieces)),
  ])
}

const day = ({ language, locale, dir }: Words, time: string): VNode => [
  'time',
  ['datetime', time, 'lang', language, 'dir', dir],
  [formatDate(locale, time)],
]

/** One piece, in a frame: what oEmbed returns for a link to it. `words` are those of its language. */
export function piece(
  look: WidgetOptions,
  writer: Writer,
  item: ListedPiece & { readonly summary: string },
  words: Words,
): VNode {
  return widget('piece', look, writer, item.title, [
    ['p', ['class', 'title'], [titleLink(look, item)]],
    line('bio', item.summary, langOf(item)),
    head(look, writer),
    foot(look, day(words, item.date_published)),
  ])
}

/** A widget before it is drawn: as DOM elements by embed.js, or as HTML by the server. */
export type VNode = readonly [tag: string, attributes: Attributes, children: readonly Child[]]

/** Alternating names and values. An undefined value omits the attribute. */
type Attributes = readonly (string | undefined)[]

export type Child = VNode | string | undefined | false
