import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Refusal } from './api/refusal.ts'
import { routeFor } from './routes.tsx'
import { Failing } from './shell/failing.tsx'
import { Identify } from './shell/identify.tsx'
import { Nowhere } from './shell/nowhere.tsx'
import { Shell } from './shell/shell.tsx'
import { Threshold } from './shell/threshold.tsx'
import { Loading } from './ui/loading.tsx'
import { Notices } from './ui/notice.tsx'
import { usePlace } from './ui/place.ts'

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
      <Identify />
      <Notices />
    </QueryClientProvider>
  )
}

function Here() {
  const { path } = usePlace()
  const found = routeFor(path)
  if (!found) return <Nowhere />
  const { route, id } = found
  const room = (
    <Failing key={path}>
      <Suspense fallback={<Loading />}>
        <route.Room id={id} />
      </Suspense>
    </Failing>
  )
  return route.frame === 'threshold' ? <Threshold>{room}</Threshold> : <Shell frame={route.frame}>{room}</Shell>
}
