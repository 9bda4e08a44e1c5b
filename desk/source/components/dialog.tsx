import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'
import styles from './dialog.module.css'

interface DialogProps {
  readonly title: string
  /** The words of a button that closes it. With one it is a sheet at the foot of the window. */
  readonly close?: string
  /** Escape, or a click outside. */
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Open while it is rendered. */
export function Dialog({ title, close, onClose, children }: DialogProps) {
  const dialog = useModal()
  const id = useId()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key for it, and the browser's own.
    <dialog
      ref={dialog}
      className={close ? styles.sheet : styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className={styles.content}>
        <header>
          <h2 id={id}>{title}</h2>
          {close && (
            <Button kind="quiet" onClick={onClose}>
              {close}
            </Button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** Opens the native dialog element, which traps the focus, and closes it while it is in the page, to restore it. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return dialog
}

/** The buttons of a dialog, the primary one last. */
export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.choices}>{children}</div>
)
