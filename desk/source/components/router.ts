import { useEffect, useEffectEvent, useState } from 'react'
import { createStore } from './store.ts'

/** The current location; the address bar is the state. */
interface RouteLocation {
  readonly path: string
  readonly query: URLSearchParams
}

const current = createStore(read())
/** The path the address bar shows. */
let address = current.get().href
let navigations = 0

function read(): RouteLocation & { readonly href: string } {
  const { pathname, search } = location
  return { href: pathname + search, path: pathname, query: new URLSearchParams(search) }
}

function syncLocation(): void {
  const before = current.get()
  const now = read()
  if (now.href === before.href) return
  if (now.path !== before.path) navigations += 1
  address = now.href
  current.set(now)
}

/** Called before the user leaves the page; `leave` continues the navigation. */
type Guard = (leave: () => void) => void

let guard: Guard | undefined

/** Runs the guard, if there is one, before the user goes to another page. */
function runGuard(leave: () => void): void {
  const ask = guard ?? ((go) => go())
  ask(() => {
    guard = undefined
    leave()
  })
}

addEventListener('popstate', () => {
  if (!guard || location.pathname + location.search === address) return syncLocation()
  // The browser has already navigated. With this page on top of the history again, leaving means going back.
  history.pushState(null, '', address)
  runGuard(() => history.back())
})

/** While `isNeeded`, calls `onLeaving` before navigation, and makes the browser ask before it closes the page. */
export function useNavigationGuard(isNeeded: boolean, onLeaving: Guard): void {
  const ask = useEffectEvent(onLeaving)
  useEffect(() => {
    if (!isNeeded) return
    const stand: Guard = (leave) => ask(leave)
    const keep = (event: BeforeUnloadEvent) => event.preventDefault()
    guard = stand
    addEventListener('beforeunload', keep)
    return () => {
      if (guard === stand) guard = undefined
      removeEventListener('beforeunload', keep)
    }
  }, [isNeeded])
}

/**
 * Navigates inside the desk without a page load. `replace` adds no history entry; `skipGuard` leaves without asking.
 */
export function navigate(to: string, { replace = false, skipGuard = false } = {}): void {
  const isElsewhere = new URL(to, location.href).pathname !== location.pathname
  const move = () => {
    if (replace) history.replaceState(null, '', to)
    else history.pushState(null, '', to)
    syncLocation()
    if (isElsewhere) scrollTo(0, 0)
  }
  if (isElsewhere && !skipGuard) runGuard(move)
  else move()
}

/** Changes the URL of the current page without rendering another. */
export function replaceUrl(to: string): void {
  history.replaceState(null, '', to)
  address = to
}

export const useLocation: () => RouteLocation = current.use

/** Whether the user has navigated inside the desk: then a new page takes the focus, as a loaded one would. */
export const hasNavigated = (): boolean => navigations > 0

/**
 * The URL fragment, removed from the address bar at once: it is a secret, and the address bar is visible and kept in
 * the history.
 */
function takeFragment(): string {
  const { pathname, search, hash } = location
  if (hash) {
    takenFragment = { path: pathname, fragment: hash.slice(1) }
    history.replaceState(null, '', pathname + search)
  }
  return takenFragment.path === pathname ? takenFragment.fragment : ''
}

let takenFragment = { path: '', fragment: '' }

/** The newest fragment: pasting a link to the same page loads nothing. */
export function useFragment(): string {
  const [fragment, setFragment] = useState(takeFragment)
  useEffect(() => {
    const take = () => setFragment(takeFragment())
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return fragment
}
