import type { PublishedPiece } from '#features/pieces/public-lists.ts'
import { portableHtml } from '#features/pieces/reading-text.ts'
import type { PieceListItem } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import { html } from '#platform/html.ts'
import { startTags } from '#platform/text/start-tags.ts'

/**
 * What we are in the fediverse, as JSON-LD of ActivityStreams 2.0 in its compact form: actors, pieces and activities. Servers
 * read it as JSON with these very names, so it is written as such, without a processor of JSON-LD.
 */

export type Document = Readonly<Record<string, unknown>>

/** The full address: servers that read plain JSON do not all know `as:Public`. */
export const everybody = 'https://www.w3.org/ns/activitystreams#Public'

const activityStreams = 'https://www.w3.org/ns/activitystreams'
const security = 'https://w3id.org/security/v1'
const ofActor = [
  activityStreams,
  security,
  { toot: 'http://joinmastodon.org/ns#', discoverable: 'toot:discoverable', indexable: 'toot:indexable' },
]
const ofPiece = [activityStreams, { Hashtag: 'as:Hashtag' }]

/** An author or the site, as other servers may know it. */
export interface ActorProfile {
  readonly id: string
  readonly isSite: boolean
  /** What stands before the @ and the host. */
  readonly username: string
  readonly name: string
  readonly bio: string | null
  /** The page about it. */
  readonly page: string
  readonly icon: { readonly url: string; readonly mediaType?: string } | null
  /** SPKI as PEM. */
  readonly publicKey: string
  readonly since: string | null
}

export function actorDocument(profile: ActorProfile, urls: Urls): Document {
  const { id, isSite, username, name, bio, page, icon, publicKey, since } = profile
  const address = urls.actor(id)
  return {
    '@context': ofActor,
    id: address,
    type: isSite ? 'Organization' : 'Person',
    preferredUsername: username,
    name,
    ...(bio ? { summary: paragraphs(bio) } : {}),
    url: page,
    ...(icon ? { icon: { type: 'Image', ...icon } } : {}),
    ...(since ? { published: since } : {}),
    inbox: urls.actorInbox(id),
    outbox: urls.actorOutbox(id),
    followers: urls.actorFollowers(id),
    endpoints: { sharedInbox: urls.sharedInbox() },
    publicKey: { id: keyAddress(id, urls), type: 'Key', owner: address, publicKeyPem: publicKey },
    manuallyApprovesFollowers: false,
    discoverable: true,
    indexable: true,
  }
}

/** The id of an actor's key, which signatures name. */
export const keyAddress = (actor: string, urls: Urls): string => `${urls.actor(actor)}#main-key`

const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => String(html`<p>${paragraph.trim()}</p>`))
    .join('')

/** Long form (FEP-b2b8): the piece itself, and a note for servers that show no articles. `actor` posts it. */
export function articleOf(published: PublishedPiece, actor: string, urls: Urls): Document {
  const { piece, uuid, topics } = published
  const { title, summary, url, language, date_published, date_modified, cover } = piece
  const content = portableHtml(piece)
  const audience = toEverybody(actor, urls)
  const tag = hashtagsOf(topics)
  const attachment = picturesIn(content)
  return {
    '@context': ofPiece,
    id: urls.pieceObject(uuid),
    type: 'Article',
    attributedTo: urls.actor(actor),
    ...audience,
    name: title,
    ...(summary ? { summary: String(html`<p>${summary}</p>`) } : {}),
    content,
    ...(language === 'und' ? {} : { contentMap: { [language]: content } }),
    url,
    published: date_published,
    ...(date_modified > date_published ? { updated: date_modified } : {}),
    ...(tag.length > 0 ? { tag } : {}),
    ...(attachment.length > 0 ? { attachment } : {}),
    ...(cover ? { image: picture(cover) } : {}),
    preview: {
      type: 'Note',
      attributedTo: urls.actor(actor),
      ...audience,
      content: String(
        html`<p><strong>${title}</strong></p>${summary && html`<p>${summary}</p>`}<p><a href="${url}">${url}</a></p>`,
      ),
      published: date_published,
      ...(tag.length > 0 ? { tag } : {}),
      ...(cover ? { attachment: [picture(cover)] } : {}),
    },
  }
}

const toEverybody = (actor: string, urls: Urls) => ({ to: [everybody], cc: [urls.actorFollowers(actor)] })

/** A hashtag has no spaces and no signs: "Slow tea" is #SlowTea. */
const hashtagsOf = (topics: PublishedPiece['topics']): Document[] =>
  topics.flatMap(({ name, url }) => {
    const words = name.split(/[^\p{L}\p{M}\p{N}_]+/u).filter(Boolean)
    const joined =
      words.length < 2 ? words.join('') : words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
    return joined ? [{ type: 'Hashtag', name: `#${joined}`, ...(url ? { href: url } : {}) }] : []
  })

interface Picture {
  readonly url: string
  readonly alt: string
  readonly width?: number
  readonly height?: number
}

/** Every picture of ours is stored as WebP. */
const picture = ({ url, alt, width, height }: Picture): Document => ({
  type: 'Image',
  url,
  mediaType: 'image/webp',
  ...(alt ? { name: alt } : {}),
  ...(width && height ? { width, height } : {}),
})

/** As many as servers show; the text has all of them. */
const maxPictures = 16

function picturesIn(content: string): Document[] {
  const found = new Map<string, Document>()
  for (const { name, attributes } of startTags(content)) {
    const url = attributes.get('src')
    if (name !== 'img' || !url || found.has(url) || !/\/media\/[0-9a-f]{64}$/.test(url)) continue
    const size = { width: Number(attributes.get('width')), height: Number(attributes.get('height')) }
    found.set(url, picture({ url, alt: attributes.get('alt') ?? '', ...size }))
    if (found.size === maxPictures) break
  }
  return [...found.values()]
}

/** What follows is of one activity: its id, and the id of the actor whose it is. */
interface Activity {
  readonly id: string
  readonly actor: string
}

const activity = (type: string, { id, actor }: Activity, urls: Urls, rest: Document): Document => ({
  '@context': activityStreams,
  id: urls.activity(id),
  type,
  actor: urls.actor(actor),
  ...rest,
})

/** The object brings its context along: an activity has one for all that is in it. */
function about(type: string, given: Activity, urls: Urls, { '@context': context, ...object }: Document): Document {
  return { ...activity(type, given, urls, { ...toEverybody(given.actor, urls), object }), '@context': context }
}

export const createActivity = (given: Activity, article: Document, urls: Urls): Document => ({
  ...about('Create', given, urls, article),
  published: article.published,
})

/** Of a piece, or of the actor itself. */
export const updateActivity = (given: Activity & { readonly at: string }, changed: Document, urls: Urls): Document => ({
  ...about('Update', given, urls, changed),
  updated: given.at,
})

/** What is no longer there, by its address: the same for all who ask for it. */
export const tombstoneOf = (address: string, formerType?: string): Document => ({
  '@context': activityStreams,
  id: address,
  type: 'Tombstone',
  ...(formerType ? { formerType } : {}),
})

export const deleteActivity = (given: Activity, piece: string, urls: Urls): Document =>
  about('Delete', given, urls, tombstoneOf(urls.pieceObject(piece), 'Article'))

/** `follow` is what the follower's server has sent. */
export const acceptActivity = (
  given: Activity,
  { id, follower }: { readonly id: string; readonly follower: string },
  urls: Urls,
): Document =>
  activity('Accept', given, urls, {
    to: [follower],
    object: { id, type: 'Follow', actor: follower, object: urls.actor(given.actor) },
  })

/** To another account, which must name this one in its `alsoKnownAs`. */
export const moveActivity = (given: Activity, target: string, urls: Urls): Document =>
  activity('Move', given, urls, { ...toEverybody(given.actor, urls), object: urls.actor(given.actor), target })

interface Posted {
  readonly piece: PieceListItem
  /** The piece's object, by its id. */
  readonly object: string
  /** Otherwise the actor shows what another has posted. */
  readonly isOwn: boolean
}

/** What an actor has posted, in pages; `total` is only of pieces, as their author's page counts them. */
export const outboxDocument = (actor: string, total: number | undefined, urls: Urls): Document => ({
  '@context': activityStreams,
  id: urls.actorOutbox(actor),
  type: 'OrderedCollection',
  ...(total === undefined ? {} : { totalItems: total }),
  first: `${urls.actorOutbox(actor)}?page=true`,
})

export function outboxPageDocument(
  actor: string,
  {
    cursor,
    next,
    items,
  }: { readonly cursor?: string | undefined; readonly next: string | null; readonly items: readonly Posted[] },
  urls: Urls,
): Document {
  const first = `${urls.actorOutbox(actor)}?page=true`
  const at = (cursor: string) => `${first}&cursor=${cursor}`
  return {
    '@context': activityStreams,
    id: cursor === undefined ? first : at(cursor),
    type: 'OrderedCollectionPage',
    partOf: urls.actorOutbox(actor),
    ...(next === null ? {} : { next: at(next) }),
    orderedItems: items.map(({ piece, object: id, isOwn }) => {
      const object = urls.pieceObject(id)
      return {
        id: `${object}#${isOwn ? 'create' : 'announce'}`,
        type: isOwn ? 'Create' : 'Announce',
        actor: urls.actor(actor),
        ...toEverybody(actor, urls),
        published: piece.date_published,
        object,
      }
    }),
  }
}

/** How many follow an actor. Who they are is nobody's business. */
export const followersDocument = (actor: string, count: number, urls: Urls): Document => ({
  '@context': activityStreams,
  id: urls.actorFollowers(actor),
  type: 'OrderedCollection',
  totalItems: count,
})

/** The site shows what an author's actor has posted to those who follow the site. */
export const announceActivity = (given: Activity & { readonly at: string }, piece: string, urls: Urls): Document =>
  activity('Announce', given, urls, {
    ...toEverybody(given.actor, urls),
    object: urls.pieceObject(piece),
    published: given.at,
  })

/** Of an actor whose account is closed, and all that it has sent. */
export const deleteActorActivity = (given: Activity, urls: Urls): Document =>
  activity('Delete', given, urls, { to: [everybody], object: urls.actor(given.actor) })
