import type { ButtonHTMLAttributes } from 'react'
import styles from './button.module.css'
import { Link } from './link.tsx'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `main` is the one thing to do on a page; `grave` cannot be undone. */
  readonly kind?: 'main' | 'plain' | 'quiet' | 'grave'
  /** Something is under way: it cannot be pressed again, and keeps the focus. */
  readonly isBusy?: boolean
}

const looks = { main: styles.main, plain: styles.plain, quiet: styles.quiet, grave: styles.grave }

export function Button({ kind = 'plain', isBusy = false, className, onClick, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={[styles.button, looks[kind], className].filter(Boolean).join(' ')}
      aria-disabled={isBusy || rest['aria-disabled']}
      data-busy={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}

interface LinkButtonProps {
  readonly to: string
  readonly kind?: ButtonProps['kind']
  readonly children: React.ReactNode
}

/** Leads somewhere, and looks like a button because it is the thing to do. */
export const LinkButton = ({ to, kind = 'plain', children }: LinkButtonProps) => (
  <Link to={to} className={`${styles.button} ${looks[kind]}`}>
    {children}
  </Link>
)
