import { type ReactNode, useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import styles from './notice.module.css'

/** Words that appear for a while at the foot of the page, and are read aloud. */
interface Toast {
  readonly id: number
  readonly words: string
  readonly undo?: () => void
}

const undoFor = 10_000
const shownFor = 6_000
let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function show(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** The last few, and whatever can still be undone. */
const latest = (): readonly Toast[] => toasts.filter(({ undo }, at) => undo || at >= toasts.length - 2)

const dismiss = (id: number): void => show(toasts.filter((toast) => toast.id !== id))

/** Says what happened. */
export function tell(words: string): void {
  const id = ++lastId
  show([...latest(), { id, words }])
  setTimeout(() => dismiss(id), shownFor)
}

/** Says what was done, with a way to undo it for ten seconds. */
export function tellWithUndo(words: string, onUndone: () => void): void {
  const id = ++lastId
  const timer = setTimeout(() => dismiss(id), undoFor)
  const undo = (): void => {
    clearTimeout(timer)
    dismiss(id)
    onUndone()
  }
  show([...latest(), { id, words, undo }])
}

/**
 * Says what is about to happen and does it ten seconds later, unless it is undone. Whoever leaves the page meanwhile
 * meant it: it is done at once.
 */
export function doUnlessUndone(words: string, act: () => void, onUndone: () => void): void {
  const id = ++lastId
  const settle = (): void => {
    clearTimeout(timer)
    removeEventListener('pagehide', finish)
    dismiss(id)
  }
  const finish = (): void => {
    settle()
    act()
  }
  const timer = setTimeout(finish, undoFor)
  addEventListener('pagehide', finish)
  const undo = (): void => {
    settle()
    onUndone()
  }
  show([...latest(), { id, words, undo }])
}

/** Where those words appear; once in the document. */
export function Notices() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
  return (
    <div className={styles.toasts} role="status">
      {shown.map(({ id, words, undo }) => (
        <p key={id} className={styles.toast}>
          {words}
          {undo && (
            <Button kind="quiet" onClick={undo}>
              Undo
            </Button>
          )}
        </p>
      ))}
    </div>
  )
}

interface NoticeProps {
  readonly kind?: 'plain' | 'good' | 'bad'
  readonly children: ReactNode
}

/** Words inside the page about what happened there. Bad news is read aloud at once. */
export const Notice = ({ kind = 'plain', children }: NoticeProps) => (
  <div className={styles.notice} data-kind={kind} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
)
