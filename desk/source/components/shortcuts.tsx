import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '../messages.ts'
import { Button } from './button.tsx'
import styles from './dialog.module.css'
import { Dialog, DialogActions } from './dialog.tsx'
import { modifier } from './modifier.ts'
import { createStore } from './store.ts'

/** A keyboard shortcut of this page, listed under `?`. */
export interface Shortcut {
  /** As typed, such as "Ctrl+S". */
  readonly keys: string
  readonly does: string
}

const registered = createStore<readonly (readonly Shortcut[])[]>([])

/** Lists a page's shortcuts, as first given, while it is mounted. `onKey` handles all its keys. */
export function useShortcuts(shortcuts: readonly Shortcut[], onKey: (event: KeyboardEvent) => void): void {
  const [own] = useState(shortcuts)
  useEffect(() => {
    registered.set([...registered.get(), own])
    return () => registered.set(registered.get().filter((one) => one !== own))
  }, [own])
  useKeyDown(onKey)
}

/** Calls `onKey` for each key pressed anywhere in the window. */
export function useKeyDown(onKey: (event: KeyboardEvent) => void): void {
  const listen = useEffectEvent(onKey)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => listen(event)
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

const listShortcuts = (): readonly Shortcut[] =>
  ['?', `${modifier}/`].map((keys) => ({ keys, does: t('desk.common.shortcuts.show_list') }))

/** `?`, or Ctrl+/ also while typing, opens the list of the registered shortcuts. */
export function ShortcutsDialog() {
  const [isOpen, setOpen] = useState(false)
  const shortcuts = registered.use().flat()
  useKeyDown((event) => {
    const hasModifier = event.ctrlKey || event.metaKey
    const isAsked = hasModifier ? event.key === '/' : event.key === '?' && !isTyping(event.target)
    if (!isAsked || event.altKey) return
    event.preventDefault()
    setOpen(true)
  })
  if (!isOpen) return null
  return (
    <Dialog title={t('desk.common.shortcuts.title')} onClose={() => setOpen(false)}>
      <dl className={styles.shortcuts}>
        {[...shortcuts, ...listShortcuts()].map(({ keys, does }) => (
          <div key={keys + does}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button onClick={() => setOpen(false)}>{t('desk.common.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
