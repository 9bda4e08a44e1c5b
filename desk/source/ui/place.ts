import { useSyncExternalStore } from 'react'

/** Where the person is: the address bar is the state. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

const listeners = new Set<() => void>()
let current = read()
let moves = 0

function read(): Place & { readonly href: string } {
  const { pathname, search } = location
  return { href: pathname + search, path: pathname, query: new URLSearchParams(search) }
}

function changed(): void {
  if (location.pathname + location.search === current.href) return
  if (location.pathname !== current.path) moves += 1
  current = read()
  for (const listener of listeners) listener()
}

addEventListener('popstate', changed)

/** Goes to another address of the desk without loading it anew. `replace` leaves no step to go back to. */
export function go(to: string, { replace = false } = {}): void {
  const isElsewhere = new URL(to, location.href).pathname !== location.pathname
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  changed()
  if (isElsewhere) scrollTo(0, 0)
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
export function takeFragment(): string {
  const { pathname, search, hash } = location
  if (hash) {
    taken = { path: pathname, fragment: hash.slice(1) }
    history.replaceState(null, '', pathname + search)
  }
  return taken.path === pathname ? taken.fragment : ''
}

let taken = { path: '', fragment: '' }
