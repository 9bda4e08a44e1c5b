import { useEffect } from 'react'
import { go } from '../../components/router.ts'
import { type Shortcut, useNamedShortcuts } from '../../components/shortcuts.ts'

const shortcuts: readonly Shortcut[] = [
  { keys: '/', does: 'Find in your pieces' },
  { keys: 'n', does: 'New piece' },
  { keys: 'j', does: 'Next piece' },
  { keys: 'k', does: 'Previous piece' },
  { keys: 'Enter', does: 'Open the piece' },
]

/** What the keys do in the index. A piece in focus is a link, so Enter opens it by itself. */
export function useIndexKeys(): void {
  useNamedShortcuts(shortcuts)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isBusyElsewhere(event.target)) return
      const act = acts[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

const acts: Readonly<Record<string, () => void>> = {
  '/': () => document.getElementById('find-pieces')?.focus(),
  n: () => go('/desk/edit/pieces/new'),
  j: () => step(1),
  k: () => step(-1),
}

function step(by: 1 | -1): void {
  const entries = [...document.querySelectorAll<HTMLElement>('[data-entry]')]
  const at = entries.indexOf(document.activeElement as HTMLElement)
  const next = entries[at === -1 ? 0 : Math.min(Math.max(at + by, 0), entries.length - 1)]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

const isBusyElsewhere = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select') || target.closest('dialog') !== null)
