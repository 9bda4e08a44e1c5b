import { QueryClientProvider } from '@tanstack/react-query'
import { Component, type ReactNode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import '../../server/platform/page/style/tokens.css'
import '../../server/platform/page/style/common.css'
import './base.css'
import { queries } from './api/queries.ts'
import { Button } from './components/button.tsx'
import { Loading } from './components/load-states.tsx'
import { Notice, Toasts } from './components/notice.tsx'
import { useLocation } from './components/router.ts'
import { loadLanguage } from './load-messages.ts'
import { t } from './messages.ts'
import { routeFor } from './routes.tsx'
import { ReauthDialog } from './shell/reauth-dialog.tsx'
import { NotFound, Shell, SignedOutLayout } from './shell/shell.tsx'

/** The whole application: the layout, and in it the page of the current path. */
function App() {
  // Not in StrictMode: its second mount would request a piece's lock while the first still holds it
  // (editor/saving/tabs.ts).
  return (
    <QueryClientProvider client={queries}>
      <CurrentPage />
      <ReauthDialog />
      <Toasts />
    </QueryClientProvider>
  )
}

function CurrentPage() {
  const { path } = useLocation()
  const found = routeFor(path)
  if (!found) return <NotFound />
  const { route, id } = found
  const page = (
    <ErrorBoundary key={path}>
      <Suspense fallback={<Loading />}>
        <route.Page id={id} />
      </Suspense>
    </ErrorBoundary>
  )
  return route.frame === 'signed-out' ? (
    <SignedOutLayout>{page}</SignedOutLayout>
  ) : (
    <Shell frame={route.frame}>{page}</Shell>
  )
}

interface ErrorBoundaryProps {
  readonly children: ReactNode
}

/**
 * Shows a notice instead of a page that failed to render; the layout stays. React has only class components for this.
 */
class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <Notice kind="bad">
        <p>{t('desk.common.page_failed')}</p>
        <Button onClick={() => location.reload()}>{t('desk.common.reload')}</Button>
      </Notice>
    )
  }
}

void loadLanguage().then(() => createRoot(document.getElementById('desk')!).render(<App />))
