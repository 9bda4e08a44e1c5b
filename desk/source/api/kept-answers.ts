import { useSyncExternalStore } from 'react'

/**
 * The last answers about the account, the list and single pieces, kept on the device so that the desk can be opened
 * without a network. What is written without one is in the journal (editor/saving/journal.ts), not here.
 */

export interface KeptAnswer {
  readonly answer: unknown
  readonly tag: string | null
}

const cacheName = 'desk-answers'
/** Of some kilobytes each. */
const mostKept = 300
const keptPath = /^\/(account|pieces(\?.*)?|pieces\/counts|pieces\/[0-9a-f-]{36})$/
const ownPiece = /^\/pieces(\?id=[^&]+|\/[0-9a-f-]{36})$/

/** Browsers have `caches` on secure origins only. */
const open = (): Promise<Cache> | undefined => globalThis.caches?.open(cacheName)

/** Under which path an answer is kept. A piece that was saved replaces the one that was read. */
function pathOf(method: string, path: string, answer: unknown): string | undefined {
  if (method === 'GET') return keptPath.test(path) ? path : undefined
  if ((method !== 'PATCH' && method !== 'POST') || !ownPiece.test(path)) return undefined
  const { piece } = answer as { readonly piece?: { readonly id?: string } }
  return piece?.id && `/pieces/${piece.id}`
}

/** Fails silently: a full or forbidden storage is no reason to refuse an answer. */
export async function keepAnswer(method: string, path: string, { answer, tag }: KeptAnswer): Promise<void> {
  const place = pathOf(method, path, answer)
  if (!place) return
  try {
    const cache = await open()
    await cache?.put(`/desk/api${place}`, new Response(JSON.stringify({ answer, tag })))
    const kept = (await cache?.keys()) ?? []
    for (const oldest of kept.slice(0, Math.max(0, kept.length - mostKept))) await cache?.delete(oldest)
  } catch {}
}

export async function keptAnswer(path: string): Promise<KeptAnswer | undefined> {
  if (!keptPath.test(path)) return undefined
  try {
    const found = await (await open())?.match(`/desk/api${path}`)
    return found && ((await found.json()) as KeptAnswer)
  } catch {
    return undefined
  }
}

/** When another account may follow. */
export async function forgetAnswers(): Promise<void> {
  await globalThis.caches?.delete(cacheName).catch(() => false)
}

let isOffline = false
const listeners = new Set<() => void>()

/** Whether the last request reached the site. */
export function noteConnection(reached: boolean): void {
  if (isOffline === !reached) return
  isOffline = !reached
  for (const listener of listeners) listener()
}

export const useIsOffline = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isOffline,
  )
