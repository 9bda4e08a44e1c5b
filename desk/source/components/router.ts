import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'

/** Where the person is: the address bar is the state. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

const listeners = new Set<() => void>()
let current = read()
/** What the address bar says of it. */
let address = current.href
let moves = 0

function read(): Place & { readonly href: string } {
  const { pathname, search } = location
  return { href: pathname + search, path: pathname, query: new URLSearchParams(search) }
}

function changed(): void {
  if (location.pathname + location.search === current.href) return
  if (location.pathname !== current.path) moves += 1
  current = read()
  address = current.href
  for (const listener of listeners) listener()
}

/** Stands before every way out of the page; `leave` is that way. */
type Guard = (leave: () => void) => void

let guard: Guard | undefined

/** Asks, if there is somebody to ask, before the person goes to another page of the desk. */
function guarded(leave: () => void): void {
  const ask = guard ?? ((go) => go())
  ask(() => {
    guard = undefined
    leave()
  })
}

addEventListener('popstate', () => {
  if (!guard || location.pathname + location.search === address) return changed()
  // The browser has gone there already. With this page on top of it again, going back is the way out.
  history.pushState(null, '', address)
  guarded(() => history.back())
})

/** While there is something to lose, `onLeaving` is asked first, and the browser asks before it closes the page. */
export function useGuard(isNeeded: boolean, onLeaving: Guard): void {
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
 * Goes to another address of the desk without loading it anew. `replace` leaves no step to go back to; `isMeant` asks
 * nobody, since what is on the page is no longer wanted.
 */
export function go(to: string, { replace = false, isMeant = false } = {}): void {
  const isElsewhere = new URL(to, location.href).pathname !== location.pathname
  const move = () => {
    if (replace) history.replaceState(null, '', to)
    else history.pushState(null, '', to)
    changed()
    if (isElsewhere) scrollTo(0, 0)
  }
  if (isElsewhere && !isMeant) guarded(move)
  else move()
}

/** The same page under another address: what is on it stays as it is. */
export function rename(to: string): void {
  history.replaceState(null, '', to)
  address = to
}

export const usePlace = (): Place =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )

/** Whether the person has moved inside the desk: then a new page takes the focus, as a loaded one would. */
export const hasMoved = (): boolean => moves > 0

/** What follows # in the address, taken out of it at once: it is a secret, and the bar is seen and kept. */
function takeFragment(): string {
  const { pathname, search, hash } = location
  if (hash) {
    taken = { path: pathname, fragment: hash.slice(1) }
    history.replaceState(null, '', pathname + search)
  }
  return taken.path === pathname ? taken.fragment : ''
}

let taken = { path: '', fragment: '' }

/** The newest: a link put in the bar above the page it leads to loads nothing anew. */
export function useFragment(): string {
  const [fragment, setFragment] = useState(takeFragment)
  useEffect(() => {
    const take = () => setFragment(takeFragment())
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return fragment
}
