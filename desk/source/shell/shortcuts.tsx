import { useEffect, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Choices, Dialog } from '../components/dialog.tsx'
import { useShortcuts } from '../components/shortcuts.ts'
import styles from './shortcuts.module.css'

/** `?` lists what the keyboard does here; the rooms say what that is. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
  const shortcuts = useShortcuts()
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return
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
      <Choices>
        <Button onClick={() => setOpen(false)}>Close</Button>
      </Choices>
    </Dialog>
  )
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
