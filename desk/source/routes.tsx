import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { paths } from './paths.ts'

/** `frame` is the layout around the page: the desk's navigation, nothing (`paper`, for the editor), or the signed-out layout. */
export interface Route {
  readonly path: string
  readonly frame: 'desk' | 'paper' | 'signed-out'
  readonly Page: LazyExoticComponent<ComponentType<PageProps>>
}

/** The `:id` of the path, empty where it has none. `new` means a piece or listing that does not exist yet. */
interface PageProps {
  readonly id: string
}

/** Each page is a chunk of its own, loaded when it is first opened. */
const route = (path: string, frame: Route['frame'], load: () => Promise<ComponentType<PageProps>>): Route => ({
  path,
  frame,
  Page: lazy(async () => ({ default: await withRetry(load) })),
})

/** Loads a chunk up to three times: the network may have failed for a moment, or the site was busy. */
async function withRetry<Loaded>(load: () => Promise<Loaded>, tries = 3): Promise<Loaded> {
  try {
    return await load()
  } catch (error) {
    if (tries === 1) throw error
    await new Promise((resolve) => setTimeout(resolve, 1500))
    return withRetry(load, tries - 1)
  }
}

/** The first match wins. */
const routes: readonly Route[] = [
  route(paths.pieces, 'desk', () => import('./pages/pieces/page.tsx').then((page) => page.PiecesPage)),
  route(paths.trash, 'desk', () => import('./pages/pieces/trash.tsx').then((page) => page.DeletedPiecesPage)),
  route(paths.signIn, 'signed-out', () => import('./pages/sign-in/sign-in.tsx').then((page) => page.SignInPage)),
  route(paths.recoveryCode, 'signed-out', () =>
    import('./pages/sign-in/sign-in.tsx').then((page) => page.RecoveryCodePage),
  ),
  route(paths.signUp, 'signed-out', () => import('./pages/sign-in/sign-up.tsx').then((page) => page.SignUpPage)),
  route(paths.verifyEmail, 'signed-out', () =>
    import('./pages/sign-in/sign-up.tsx').then((page) => page.VerifyEmailPage),
  ),
  route(paths.forgotPassword, 'signed-out', () =>
    import('./pages/sign-in/reset-password.tsx').then((page) => page.ForgotPasswordPage),
  ),
  route(paths.resetPassword, 'signed-out', () =>
    import('./pages/sign-in/reset-password.tsx').then((page) => page.ResetPasswordPage),
  ),
  route(paths.confirmEmail, 'signed-out', () =>
    import('./pages/sign-in/confirm-email.tsx').then((page) => page.ConfirmEmailPage),
  ),
  route(paths.keepAccount, 'signed-out', () =>
    import('./pages/sign-in/confirm-email.tsx').then((page) => page.KeepAccountPage),
  ),
  route(paths.welcome, 'desk', () => import('./pages/first-steps/page.tsx').then((page) => page.FirstStepsPage)),
  route(paths.editor, 'paper', () => import('./editor/page.tsx').then((page) => page.EditorPage)),
  route(paths.publishing, 'paper', () => import('./pages/publish/page.tsx').then((page) => page.PublishPage)),
  route(paths.history, 'paper', () => import('./pages/history/page.tsx').then((page) => page.HistoryPage)),
  route(paths.profile, 'desk', () => import('./pages/profile/page.tsx').then((page) => page.ProfilePage)),
  route(paths.presence, 'desk', () => import('./pages/integrations/page.tsx').then((page) => page.IntegrationsPage)),
  route(paths.deliveries, 'desk', () =>
    import('./pages/integrations/webhook/deliveries.tsx').then((page) => page.DeliveriesPage),
  ),
  route(paths.delivery, 'desk', () =>
    import('./pages/integrations/webhook/delivery.tsx').then((page) => page.DeliveryPage),
  ),
  route(paths.shop, 'desk', () => import('./pages/shop/page.tsx').then((page) => page.ShopPage)),
  route(paths.listing, 'desk', () => import('./pages/shop/listing.tsx').then((page) => page.ListingPage)),
  route(paths.stats, 'desk', () => import('./pages/stats/page.tsx').then((page) => page.StatsPage)),
  route(paths.pieceStats, 'desk', () => import('./pages/stats/page.tsx').then((page) => page.PieceStatsPage)),
  route(paths.review, 'desk', () => import('./pages/review/queue.tsx').then((page) => page.ReviewQueuePage)),
  route(paths.writers, 'desk', () => import('./pages/review/writers.tsx').then((page) => page.WritersPage)),
  route(paths.invitations, 'desk', () => import('./pages/review/invitations.tsx').then((page) => page.InvitationsPage)),
  route(paths.reviewing, 'desk', () => import('./pages/review/review-piece.tsx').then((page) => page.ReviewPiecePage)),
  route(paths.appeal, 'desk', () => import('./pages/review/appeal.tsx').then((page) => page.AppealPage)),
  route(paths.decision, 'desk', () => import('./pages/decision/page.tsx').then((page) => page.DecisionPage)),
  route(paths.account, 'desk', () => import('./pages/account/page.tsx').then((page) => page.AccountPage)),
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
