import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { places } from './paths.ts'

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

/** A room that did not arrive is asked for again: the network may have blinked, or the site been busy. */
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
  room(places.pieces, 'desk', () => import('./pages/pieces/page.tsx')),
  room(places.trash, 'desk', () => import('./pages/pieces/trash.tsx')),
  room(places.signIn, 'threshold', () => import('./pages/sign-in/sign-in.tsx')),
  room(places.recoveryCode, 'threshold', () => import('./pages/sign-in/recovery-code.tsx')),
  room(places.signUp, 'threshold', () => import('./pages/sign-in/sign-up.tsx')),
  room(places.verifyEmail, 'threshold', () => import('./pages/sign-in/verify-email.tsx')),
  room(places.forgotPassword, 'threshold', () => import('./pages/sign-in/forgot-password.tsx')),
  room(places.resetPassword, 'threshold', () => import('./pages/sign-in/reset-password.tsx')),
  room(places.confirmEmail, 'threshold', () => import('./pages/sign-in/confirm-email.tsx')),
  room(places.keepAccount, 'threshold', () => import('./pages/sign-in/keep-account.tsx')),
  room(places.welcome, 'desk', () => import('./pages/first-steps/page.tsx')),
  room(places.editor, 'paper', () => import('./editor/page.tsx')),
  room(places.publishing, 'paper', () => import('./pages/publish/page.tsx')),
  room(places.history, 'paper', () => import('./pages/history/page.tsx')),
  room(places.profile, 'desk', () => import('./pages/profile/page.tsx')),
  room(places.presence, 'desk', () => import('./pages/integrations/page.tsx')),
  room(places.deliveries, 'desk', () => import('./pages/integrations/webhook/log.tsx')),
  room(places.delivery, 'desk', () => import('./pages/integrations/webhook/delivery.tsx')),
  room(places.shop, 'desk', () => import('./pages/shop/page.tsx')),
  room(places.listing, 'desk', () => import('./pages/shop/listing.tsx')),
  room(places.stats, 'desk', () => import('./pages/stats/page.tsx')),
  room(places.pieceStats, 'desk', () => import('./pages/stats/piece.tsx')),
  room(places.review, 'desk', () => import('./pages/review/queue.tsx')),
  room(places.writers, 'desk', () => import('./pages/review/writers.tsx')),
  room(places.invitations, 'desk', () => import('./pages/review/invitations.tsx')),
  room(places.reviewing, 'desk', () => import('./pages/review/review-piece.tsx')),
  room(places.appeal, 'desk', () => import('./pages/review/appeal.tsx')),
  room(places.decision, 'desk', () => import('./pages/decision/page.tsx')),
  room(places.account, 'desk', () => import('./pages/account/page.tsx')),
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
