import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import styles from './shortcuts.module.css'

/** A keyboard shortcut of this page, listed under `?`. */
export interface Shortcut {
  /** As typed, such as "Ctrl+S". */
  readonly keys: string
  readonly does: string
}

let registered: readonly (readonly Shortcut[])[] = []
let all: readonly Shortcut[] = []
const listeners = new Set<() => void>()

function setRegistered(next: readonly (readonly Shortcut[])[]): void {
  registered = next
  all = registered.flat()
  for (const listener of listeners) listener()
}

/** Registers a page's shortcuts while it is mounted; pass a module constant. The page handles the keys itself. */
export function useRegisterShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => {
    setRegistered([...registered, shortcuts])
    return () => setRegistered(registered.filter((one) => one !== shortcuts))
  }, [shortcuts])
}

const useShortcuts = (): readonly Shortcut[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => all,
  )

/** Ctrl, or ⌘ on Apple devices. */
export const modifier: string = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl+'

/** `?` opens the list of the registered shortcuts. */
export function ShortcutsDialog() {
  const [isOpen, setOpen] = useState(false)
  const shortcuts = useShortcuts()
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => setOpen(false)}>
      <dl className={styles.list}>
        {[...shortcuts, { keys: '?', does: 'This list' }].map(({ keys, does }) => (
          <div key={keys + does}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button onClick={() => setOpen(false)}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
