import { type ReactNode, useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import styles from './notice.module.css'

/** Toasts at the bottom of the page, in a live region. */
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

function setToasts(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** The last two, and all that can still be undone. */
const latest = (): readonly Toast[] => toasts.filter(({ undo }, at) => undo || at >= toasts.length - 2)

const dismiss = (id: number): void => setToasts(toasts.filter((toast) => toast.id !== id))

/** Shows a toast. */
export function showToast(words: string): void {
  const id = ++lastId
  setToasts([...latest(), { id, words }])
  setTimeout(() => dismiss(id), shownFor)
}

/** Shows a toast with an undo button for ten seconds. */
export function showUndoToast(words: string, onUndone: () => void): void {
  const id = ++lastId
  const timer = setTimeout(() => dismiss(id), undoFor)
  const undo = (): void => {
    clearTimeout(timer)
    dismiss(id)
    onUndone()
  }
  setToasts([...latest(), { id, words, undo }])
}

/** Announces an action and runs it ten seconds later, unless undone. If the user leaves the page it runs at once. */
export function runUnlessUndone(words: string, act: () => void, onUndone: () => void): void {
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
  setToasts([...latest(), { id, words, undo }])
}

/** The toasts; rendered once. */
export function Toasts() {
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

/** A notice inside the page. Bad news is announced at once. */
export const Notice = ({ kind = 'plain', children }: NoticeProps) => (
  <div className={styles.notice} data-kind={kind} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
)
