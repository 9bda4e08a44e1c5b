import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadMessages } from './load-messages.ts'
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

/** Each page is a chunk of its own, loaded with its messages when it is first opened; `name` is its export. */
const route = <Name extends string>(
  path: string,
  frame: Route['frame'],
  /** `desk.<group>.…` in the catalogues: the name of the page's folder. */
  group: string,
  load: () => Promise<Readonly<Record<Name, ComponentType<PageProps>>>>,
  name: Name,
): Route => ({ path, frame, Page: lazy(() => loadPage(group, load, name)) })

async function loadPage<Name extends string>(
  group: string,
  load: () => Promise<Readonly<Record<Name, ComponentType<PageProps>>>>,
  name: Name,
) {
  const [page] = await Promise.all([withRetry(load), withRetry(() => loadMessages(group))])
  return { default: page[name] }
}

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
  route(paths.pieces, 'desk', 'pieces', () => import('./pages/pieces/page.tsx'), 'PiecesPage'),
  route(paths.trash, 'desk', 'pieces', () => import('./pages/pieces/trash.tsx'), 'DeletedPiecesPage'),
  route(paths.import, 'desk', 'import', () => import('./pages/import/page.tsx'), 'ImportPage'),
  route(paths.publishImported, 'desk', 'import', () => import('./pages/import/publish.tsx'), 'PublishImportedPage'),
  route(paths.translations, 'desk', 'requests', () => import('./pages/requests/page.tsx'), 'TranslationsPage'),
  route(paths.coAuthors, 'desk', 'requests', () => import('./pages/requests/page.tsx'), 'CoAuthorsPage'),
  route(
    paths.coAuthored,
    'desk',
    'requests',
    () => import('./pages/requests/co-authored-piece.tsx'),
    'CoAuthoredPiecePage',
  ),
  route(paths.series, 'desk', 'series', () => import('./pages/series/page.tsx'), 'SeriesPage'),
  route(paths.editSeries, 'desk', 'series', () => import('./pages/series/edit.tsx'), 'EditSeriesPage'),
  route(paths.signIn, 'signed-out', 'sign-in', () => import('./pages/sign-in/sign-in.tsx'), 'SignInPage'),
  route(paths.recoveryCode, 'signed-out', 'sign-in', () => import('./pages/sign-in/sign-in.tsx'), 'RecoveryCodePage'),
  route(paths.signUp, 'signed-out', 'sign-in', () => import('./pages/sign-in/sign-up.tsx'), 'SignUpPage'),
  route(paths.verifyEmail, 'signed-out', 'sign-in', () => import('./pages/sign-in/sign-up.tsx'), 'VerifyEmailPage'),
  route(
    paths.forgotPassword,
    'signed-out',
    'sign-in',
    () => import('./pages/sign-in/reset-password.tsx'),
    'ForgotPasswordPage',
  ),
  route(
    paths.resetPassword,
    'signed-out',
    'sign-in',
    () => import('./pages/sign-in/reset-password.tsx'),
    'ResetPasswordPage',
  ),
  route(
    paths.confirmEmail,
    'signed-out',
    'sign-in',
    () => import('./pages/sign-in/confirm-email.tsx'),
    'ConfirmEmailPage',
  ),
  route(
    paths.keepAccount,
    'signed-out',
    'sign-in',
    () => import('./pages/sign-in/confirm-email.tsx'),
    'KeepAccountPage',
  ),
  route(paths.welcome, 'desk', 'first-steps', () => import('./pages/first-steps/page.tsx'), 'FirstStepsPage'),
  route(paths.editor, 'paper', 'editor', () => import('./editor/page.tsx'), 'EditorPage'),
  route(paths.publishing, 'paper', 'publish', () => import('./pages/publish/page.tsx'), 'PublishPage'),
  route(paths.history, 'paper', 'history', () => import('./pages/history/page.tsx'), 'HistoryPage'),
  route(paths.profile, 'desk', 'profile', () => import('./pages/profile/page.tsx'), 'ProfilePage'),
  route(paths.presence, 'desk', 'integrations', () => import('./pages/integrations/page.tsx'), 'IntegrationsPage'),
  route(
    paths.deliveries,
    'desk',
    'integrations',
    () => import('./pages/integrations/webhook/deliveries.tsx'),
    'DeliveriesPage',
  ),
  route(
    paths.delivery,
    'desk',
    'integrations',
    () => import('./pages/integrations/webhook/delivery.tsx'),
    'DeliveryPage',
  ),
  route(paths.shop, 'desk', 'shop', () => import('./pages/shop/page.tsx'), 'ShopPage'),
  route(paths.listing, 'desk', 'shop', () => import('./pages/shop/listing.tsx'), 'ListingPage'),
  route(paths.stats, 'desk', 'stats', () => import('./pages/stats/page.tsx'), 'StatsPage'),
  route(paths.pieceStats, 'desk', 'stats', () => import('./pages/stats/page.tsx'), 'PieceStatsPage'),
  route(paths.followers, 'desk', 'followers', () => import('./pages/followers/page.tsx'), 'FollowersPage'),
  route(paths.review, 'desk', 'review', () => import('./pages/review/queue.tsx'), 'ReviewQueuePage'),
  route(paths.writers, 'desk', 'review', () => import('./pages/review/writers.tsx'), 'WritersPage'),
  route(paths.invitations, 'desk', 'review', () => import('./pages/review/invitations.tsx'), 'InvitationsPage'),
  route(paths.reviewing, 'desk', 'review', () => import('./pages/review/review-piece.tsx'), 'ReviewPiecePage'),
  route(paths.appeal, 'desk', 'review', () => import('./pages/review/appeal.tsx'), 'AppealPage'),
  route(paths.frontPage, 'desk', 'front-page', () => import('./pages/front-page/page.tsx'), 'FrontPagePage'),
  route(paths.decision, 'desk', 'decision', () => import('./pages/decision/page.tsx'), 'DecisionPage'),
  route(paths.account, 'desk', 'account', () => import('./pages/account/page.tsx'), 'AccountPage'),
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
