import type { Urls } from '#features/urls.ts'
import { isUuid } from '#platform/cursor.ts'

/** What other servers send, as far as it concerns us. It is read as plain JSON: no context of theirs is ever fetched. */

type Json = Readonly<Record<string, unknown>>

/** What an activity does here. */
type Act =
  | { readonly kind: 'follow' | 'unfollow'; readonly target: string }
  | {
      readonly kind: 'like' | 'share' | 'reply' | 'unlike' | 'unshare'
      readonly piece: string
      readonly object: string
    }
  /** Takes back an activity, or deletes a reply, by its address. */
  | { readonly kind: 'undo'; readonly object: string }
  | { readonly kind: 'delete_actor' }

export interface Incoming {
  readonly id: string
  /** The address of who acts. */
  readonly actor: string
  readonly act: Act
}

const longestAddress = 2000

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An address, alone or as the id of an object. */
export function idOf(value: unknown): string | undefined {
  const id = isObject(value) ? value['id'] : value
  return typeof id === 'string' && id.length <= longestAddress && URL.canParse(id) ? id : undefined
}

/** The name and, if it has one, the port. */
export const hostOf = (address: string): string => new URL(address).host

/** `undefined` if it is nothing that we handle; `refused` if one server speaks for another. */
export function readActivity(given: Json, urls: Urls): Incoming | 'refused' | undefined {
  const [id, actor] = [idOf(given['id']), idOf(given['actor'])]
  if (!id || !actor) return undefined
  const act = actOf(given, actor, urls)
  if (!act) return undefined
  const own = hostOf(actor)
  const isForeign = hostOf(id) !== own || (act.kind === 'reply' && hostOf(act.object) !== own)
  return isForeign ? 'refused' : { id, actor, act }
}

function actOf(given: Json, actor: string, urls: Urls): Act | undefined {
  const { type, object } = given
  const about = idOf(object)
  switch (type) {
    case 'Follow': {
      const target = ourActor(about, urls)
      return target === undefined ? undefined : { kind: 'follow', target }
    }
    case 'Like':
    case 'Announce': {
      const piece = ourPiece(about, urls)
      return piece === undefined
        ? undefined
        : { kind: type === 'Like' ? 'like' : 'share', piece, object: idOf(given['id'])! }
    }
    case 'Create': {
      const piece = isObject(object) ? ourPiece(idOf(object['inReplyTo']), urls) : undefined
      return piece === undefined || about === undefined ? undefined : { kind: 'reply', piece, object: about }
    }
    case 'Delete':
      if (about === undefined) return undefined
      return about === actor ? { kind: 'delete_actor' } : { kind: 'undo', object: about }
    case 'Undo':
      return undone(object, about, actor, urls)
    default:
      return undefined
  }
}

/** Some servers send what they undo, some only its address. */
function undone(object: unknown, about: string | undefined, actor: string, urls: Urls): Act | undefined {
  if (about === undefined) return undefined
  if (!isObject(object)) return { kind: 'undo', object: about }
  if (object['actor'] !== undefined && idOf(object['actor']) !== actor) return undefined
  const of = idOf(object['object'])
  if (object['type'] === 'Follow') {
    const target = ourActor(of, urls)
    return target === undefined ? undefined : { kind: 'unfollow', target }
  }
  const piece = ourPiece(of, urls)
  if (piece === undefined) return undefined
  if (object['type'] === 'Like') return { kind: 'unlike', piece, object: about }
  return object['type'] === 'Announce' ? { kind: 'unshare', piece, object: about } : undefined
}

const ourActor = (address: string | undefined, urls: Urls): string | undefined => idAfter(urls.actor(''), address)

/** By its object, whichever number that has, or by its permanent address. */
const ourPiece = (address: string | undefined, urls: Urls): string | undefined =>
  idAfter(urls.pieceObject(''), address?.replace(/\?\d{1,5}$/, '')) ?? idAfter(urls.pieceId(''), address)

function idAfter(prefix: string, address: string | undefined): string | undefined {
  const id = address?.startsWith(prefix) ? address.slice(prefix.length).toLowerCase() : ''
  return isUuid(id) ? id : undefined
}
