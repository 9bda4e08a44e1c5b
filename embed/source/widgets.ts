import { dated, match, put } from './language.ts'
import type { Child, Tree } from './vnode.ts'

/** The widgets, once for both who draw them. No method of an array or a string is called: a page may have replaced it. */

export interface Writer {
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
}

export interface Look {
  readonly theme: string
  readonly tone: string
  /** Where links open; undefined for where the page itself is. */
  readonly target: string | undefined
  /** The address of the site. */
  readonly base: string
}

/** Only addresses of the web become links and pictures, whatever the data says. */
const web = (address: unknown): string | undefined =>
  match(/^https?:\/\/[^\s]+$/i, address) ? `${address}` : undefined

const host = (address: string): string => match(/^https?:\/\/(?:www\.)?([^/?#]+)/i, address) ?? ''

interface LinkLook {
  readonly class?: string
  readonly dir?: string
  readonly rel?: string
}

const own: LinkLook = {}
const theirs: LinkLook = { dir: 'auto' }
/** What leads to a writer's own places is their word, not the host page's nor ours. */
const outside: LinkLook = { rel: 'ugc nofollow noopener noreferrer' }

function link(look: Look, address: unknown, words: string, { class: name, dir, rel = 'noopener' }: LinkLook): Tree {
  const href = web(address)
  if (!href) return ['span', ['class', name, 'dir', dir], [words]]
  return ['a', ['href', href, 'target', look.target, 'rel', rel, 'class', name, 'dir', dir], [words]]
}

const tick = (writer: Writer): Child =>
  writer.identity_verified && [
    'svg',
    ['class', 'tick', 'viewBox', '0 0 16 16', 'role', 'img', 'aria-label', 'Identity verified'],
    [
      ['circle', ['cx', '8', 'cy', '8', 'r', '8'], []],
      ['path', ['d', 'M4.5 8.2l2.4 2.5 4.6-5.2'], []],
    ],
  ]

function widget(kind: string, look: Look, writer: Writer, label: string | undefined, children: readonly Child[]): Tree {
  const lit = writer.identity_verified && look.tone === 'verified'
  const attributes = [
    'class',
    `w ${kind}${lit ? ' lit' : ''}`,
    'data-theme',
    look.theme,
    'dir',
    'auto',
    'aria-label',
    label,
  ]
  return [label ? 'article' : 'div', attributes, children]
}

const named = (look: Look, writer: Writer): Tree => [
  'p',
  ['class', 'name'],
  [link(look, writer.urls.profile, writer.name, own), tick(writer)],
]

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

const line = (name: string, text: unknown): Child =>
  typeof text === 'string' && text !== '' && ['p', ['class', name, 'dir', 'auto'], [text]]

const about = ({ role, location }: Writer): string =>
  role && location ? `${role} · ${location}` : role || location || ''

const head = (look: Look, writer: Writer): Tree => [
  'div',
  ['class', 'head'],
  [face(writer), ['div', [], [named(look, writer), line('role', about(writer))]]],
]

const foot = (look: Look, child: Child): Tree => [
  'p',
  ['class', 'foot', 'lang', 'en', 'dir', 'ltr'],
  [child, link(look, `${look.base}/`, host(look.base), { class: 'site' })],
]

const counted = (count: number): string => (count === 1 ? '1 piece' : `${count} pieces`)

const summed = ({ stats }: Writer): string => {
  if (!stats || stats.pieces_count === 0) return 'Nothing published yet'
  const last = stats.last_published_at
  return last ? `${counted(stats.pieces_count)}, last ${dated(last)}` : counted(stats.pieces_count)
}

export function badge(look: Look, writer: Writer): Tree {
  return widget('badge', look, writer, undefined, [named(look, writer)])
}

export function card(look: Look, writer: Writer): Tree {
  return widget('card', look, writer, writer.name, [
    head(look, writer),
    line('bio', writer.bio),
    foot(look, ['span', [], [summed(writer)]]),
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
  'newsletter',
  'Newsletter',
]

function places(look: Look, { website, website_verified, socials }: Writer): Child {
  const found: Child[] = []
  const add = (address: unknown, words: string, note: Child): void => {
    if (web(address)) put(found, ['li', [], [link(look, address, words, outside), note]])
  }
  if (website) add(website, host(website), website_verified && ['span', [], [' checked']])
  if (socials) for (let at = 0; at < networks.length; at += 2) add(socials[networks[at]!], networks[at + 1]!, undefined)
  return found.length > 0 && ['ul', ['class', 'places', 'role', 'list'], found]
}

export function bio(look: Look, writer: Writer): Tree {
  return widget('about', look, writer, writer.name, [
    head(look, writer),
    line('bio', writer.bio),
    places(look, writer),
    foot(look, ['span', [], [summed(writer)]]),
  ])
}

export function list(look: Look, writer: Writer, pieces: readonly ListedPiece[], limit: number): Tree {
  const items: Child[] = []
  for (let at = 0; at < pieces.length && at < limit; at += 1) {
    const { title, url, date_published: published } = pieces[at]!
    const day: Tree = ['time', ['datetime', published, 'lang', 'en', 'dir', 'ltr'], [dated(published)]]
    put(items, ['li', [], [link(look, url, title, theirs), day]])
  }
  return widget('list', look, writer, `Pieces by ${writer.name}`, [
    named(look, writer),
    items.length > 0
      ? ['ol', ['role', 'list'], items]
      : ['p', ['class', 'role', 'lang', 'en'], ['Nothing published yet']],
    foot(look, link(look, writer.urls.profile, 'All pieces', own)),
  ])
}

/** One piece, for a frame: what a link to it becomes on a site that asks by oEmbed. */
export function piece(look: Look, writer: Writer, shown: ListedPiece & { readonly summary: string }): Tree {
  return widget('piece', look, writer, shown.title, [
    ['p', ['class', 'title'], [link(look, shown.url, shown.title, own)]],
    line('bio', shown.summary),
    named(look, writer),
    foot(look, ['time', ['datetime', shown.date_published], [dated(shown.date_published)]]),
  ])
}
