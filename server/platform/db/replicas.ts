import type { Position } from './lsn.ts'
import { ReplicaWatch } from './replica-watch.ts'

const longestWait = 1000

export interface Replicas {
  readonly count: number
  /** Whether all that can be reached have replayed it, now or within a second. One that was late is not waited for again. */
  have(position: Position): Promise<boolean>
  stop(): Promise<void>
}

/** Every replica that readers may be answered from. */
export function followAll(urls: readonly string[], onError: (error: Error) => void): Replicas {
  const waiting = new Set<() => void>()
  const look = () => {
    for (const one of waiting) one()
  }
  const onGone = (error: Error) => {
    onError(error)
    look()
  }
  const followers = urls.map((url) => new ReplicaWatch(url, { onMoved: look, onGone }))
  /** Those that were waited for in vain, and for what. */
  const late = new Map<ReplicaWatch, Position>()
  const lacking = (position: Position) => followers.filter(({ isThere, replayed }) => isThere && replayed < position)
  const isLate = (follower: ReplicaWatch) => follower.replayed < (late.get(follower) ?? 0n)

  return {
    count: followers.length,
    have: (position) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          waiting.delete(check)
          resolve(lacking(position).length === 0)
        }
        const check = () => {
          if (lacking(position).every(isLate)) end()
        }
        const timer = setTimeout(() => {
          for (const follower of lacking(position)) if (!isLate(follower)) late.set(follower, position)
          end()
        }, longestWait)
        waiting.add(check)
        for (const follower of lacking(position)) follower.hasten(position)
        check()
      }),
    stop: async () => {
      await Promise.all(followers.map((follower) => follower.stop()))
    },
  }
}
