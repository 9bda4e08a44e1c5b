import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { go } from './router.ts'

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: string
  readonly replace?: boolean
}

/** A link inside the desk. In a new tab, or with a modifier, it is one like any other. */
export function Link({ to, replace = false, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (event.defaultPrevented || !isPlain || rest.target) return
    event.preventDefault()
    go(to, { replace })
  }
  return <a {...rest} href={to} onClick={follow} />
}
