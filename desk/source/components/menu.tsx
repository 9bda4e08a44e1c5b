import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { Button } from './button.tsx'
import styles from './menu.module.css'

interface MenuProps {
  readonly label: ReactNode
  /** The accessible name, if the label is a symbol. */
  readonly name?: string
  readonly items: readonly MenuItem[]
}

export interface MenuItem {
  readonly label: string
  readonly onSelect: () => void
  readonly isGrave?: boolean
  readonly className?: string | undefined
}

/** A button with a menu. Arrow keys move, Escape closes. */
export function Menu({ label, name, items }: MenuProps) {
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const move = (event: KeyboardEvent) => {
    const buttons = buttonsIn(list.current)
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    buttons.at(to % buttons.length)?.focus()
  }
  return (
    <>
      <Button kind="quiet" popoverTarget={id} aria-label={name} aria-haspopup="menu">
        {label}
      </Button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        className={styles.menu}
        onKeyDown={move}
        onToggle={(event) => {
          if (event.newState === 'open') buttonsIn(list.current)[0]?.focus()
        }}
      >
        {items.map(({ label, onSelect, isGrave, className }) => (
          <button
            key={label}
            type="button"
            role="menuitem"
            data-grave={isGrave || undefined}
            className={className}
            onClick={() => {
              list.current?.hidePopover()
              onSelect()
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </>
  )
}

const buttonsIn = (list: HTMLElement | null): HTMLButtonElement[] =>
  [...(list?.querySelectorAll('button') ?? [])].filter((one) => one.checkVisibility())
