import type { ReactNode } from 'react'
import { t } from '../messages.ts'
import { Button } from './button.tsx'
import styles from './notice.module.css'
import { createStore } from './store.ts'

/** Toasts at the bottom of the page, in a live region. */
interface Toast {
  readonly id: number
  readonly words: string
  readonly undo?: () => void
}

const undoFor = 10_000
const shownFor = 6_000
const toasts = createStore<readonly Toast[]>([])
let lastId = 0

/** Shown after the last two, and all that can still be undone. */
function add(toast: Omit<Toast, 'id'>): number {
  const before = toasts.get()
  const id = ++lastId
  toasts.set([...before.filter(({ undo }, at) => undo || at >= before.length - 2), { ...toast, id }])
  return id
}

const dismiss = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id))

/** Shows a toast. */
export function showToast(words: string): void {
  const id = add({ words })
  setTimeout(() => dismiss(id), shownFor)
}

/**
 * Shows a toast with an undo button for ten seconds. `act` is what can be prevented so long; it runs at once if the user
 * leaves the page.
 */
export function showUndoToast(words: string, onUndone: () => void, act: () => void = () => {}): void {
  const settle = (): void => {
    clearTimeout(timer)
    removeEventListener('pagehide', finish)
    dismiss(id)
  }
  const finish = (): void => {
    settle()
    act()
  }
  const undo = (): void => {
    settle()
    onUndone()
  }
  const timer = setTimeout(finish, undoFor)
  addEventListener('pagehide', finish)
  const id = add({ words, undo })
}

/** The toasts; rendered once. */
export function Toasts() {
  return (
    <div className={styles.toasts} role="status">
      {toasts.use().map(({ id, words, undo }) => (
        <p key={id} className={styles.toast}>
          {words}
          {undo && (
            <Button kind="quiet" onClick={undo}>
              {t('desk.common.undo')}
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
