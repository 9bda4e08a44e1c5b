import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Refusal } from './api/api-error.ts'
import { Loading } from './components/loading.tsx'
import { Notices } from './components/notice.tsx'
import { usePlace } from './components/router.ts'
import { routeFor } from './routes.tsx'
import { Failing } from './shell/error-boundary.tsx'
import { NotFound } from './shell/not-found.tsx'
import { ReauthDialog } from './shell/reauth-dialog.tsx'
import { Shell } from './shell/shell.tsx'
import { SignedOutLayout } from './shell/signed-out-layout.tsx'

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What was refused will be refused again; what did not arrive may.
      retry: (tries, error) => tries < 2 && !(error instanceof Refusal && error.status >= 400 && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
})

/** The whole application: the frame, and in it the room of this address. */
export function Document() {
  // Not in StrictMode: its second mounting asks for a piece's lock while the first still holds it (editor/saving/tabs.ts).
  return (
    <QueryClientProvider client={queries}>
      <Here />
      <ReauthDialog />
      <Notices />
    </QueryClientProvider>
  )
}

function Here() {
  const { path } = usePlace()
  const found = routeFor(path)
  if (!found) return <NotFound />
  const { route, id } = found
  const room = (
    <Failing key={path}>
      <Suspense fallback={<Loading />}>
        <route.Room id={id} />
      </Suspense>
    </Failing>
  )
  return route.frame === 'threshold' ? (
    <SignedOutLayout>{room}</SignedOutLayout>
  ) : (
    <Shell frame={route.frame}>{room}</Shell>
  )
}
