import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { places } from './places.ts'

/**
 * What is shown where. `frame` is what stands around a room: the desk's navigation, nothing (`paper`, for writing), or
 * the sheet of those who are not signed in (`threshold`).
 */
export interface Route {
  readonly path: string
  readonly frame: 'desk' | 'paper' | 'threshold'
  readonly Room: LazyExoticComponent<ComponentType<RoomProps>>
}

/** The `:id` of the address; empty where it has none. `new` is a piece or a listing that does not exist yet. */
interface RoomProps {
  readonly id: string
}

/** Each room is a file of its own to the browser, asked for when it is entered. */
const room = (
  path: string,
  frame: Route['frame'],
  load: () => Promise<{ readonly Room: ComponentType<RoomProps> }>,
): Route => ({ path, frame, Room: lazy(async () => ({ default: (await arrived(load)).Room })) })

/** A room that did not arrive is asked for again: the network may have blinked, or the house been busy. */
async function arrived<Loaded>(load: () => Promise<Loaded>, tries = 3): Promise<Loaded> {
  try {
    return await load()
  } catch (error) {
    if (tries === 1) throw error
    await new Promise((resolve) => setTimeout(resolve, 1500))
    return arrived(load, tries - 1)
  }
}

/** The first that matches is shown. */
const routes: readonly Route[] = [
  room(places.pieces, 'desk', () => import('./pieces/room.tsx')),
  room(places.trash, 'desk', () => import('./pieces/trash.tsx')),
  room(places.signIn, 'threshold', () => import('./sign-in/sign-in.tsx')),
  room(places.recoveryCode, 'threshold', () => import('./sign-in/recovery-code.tsx')),
  room(places.signUp, 'threshold', () => import('./sign-in/sign-up.tsx')),
  room(places.verifyEmail, 'threshold', () => import('./sign-in/verify-email.tsx')),
  room(places.forgotPassword, 'threshold', () => import('./sign-in/forgot-password.tsx')),
  room(places.resetPassword, 'threshold', () => import('./sign-in/reset-password.tsx')),
  room(places.confirmEmail, 'threshold', () => import('./sign-in/confirm-email.tsx')),
  room(places.keepAccount, 'threshold', () => import('./sign-in/keep-account.tsx')),
  room(places.welcome, 'desk', () => import('./first-steps/room.tsx')),
  room(places.editor, 'paper', () => import('./editor/room.tsx')),
  room(places.publishing, 'paper', () => import('./publishing/room.tsx')),
  room(places.history, 'paper', () => import('./history/room.tsx')),
  room(places.profile, 'desk', () => import('./profile/room.tsx')),
  room(places.presence, 'desk', () => import('./presence/room.tsx')),
  room(places.deliveries, 'desk', () => import('./presence/webhook/log.tsx')),
  room(places.delivery, 'desk', () => import('./presence/webhook/delivery.tsx')),
  room(places.shop, 'desk', () => import('./shop/room.tsx')),
  room(places.listing, 'desk', () => import('./shop/listing.tsx')),
  room(places.stats, 'desk', () => import('./stats/room.tsx')),
  room(places.pieceStats, 'desk', () => import('./stats/piece.tsx')),
  room(places.review, 'desk', () => import('./review/queue.tsx')),
  room(places.writers, 'desk', () => import('./review/writers.tsx')),
  room(places.invitations, 'desk', () => import('./review/invitations.tsx')),
  room(places.reviewing, 'desk', () => import('./review/reviewing.tsx')),
  room(places.appeal, 'desk', () => import('./review/appeal.tsx')),
  room(places.decision, 'desk', () => import('./decision/room.tsx')),
  room(places.account, 'desk', () => import('./account/room.tsx')),
]

export function routeFor(path: string): { readonly route: Route; readonly id: string } | undefined {
  const parts = path.replace(/\/$/, '').split('/')
  for (const route of routes) {
    const wanted = route.path.split('/')
    if (wanted.length !== parts.length) continue
    if (!wanted.every((part, at) => part === ':id' || part === parts[at])) continue
    return { route, id: parts[wanted.indexOf(':id')] ?? '' }
  }
  return undefined
}
