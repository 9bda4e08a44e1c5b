import { type ButtonHTMLAttributes, useEffect, useState } from 'react'
import { t } from '../messages.ts'
import styles from './button.module.css'
import { Link } from './link.tsx'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `main` is the primary action of a page; `grave` cannot be undone. */
  readonly kind?: 'main' | 'plain' | 'quiet' | 'grave'
  /** In progress: it cannot be pressed again, but keeps the focus. */
  readonly isBusy?: boolean
}

const classOf = (kind: NonNullable<ButtonProps['kind']>): string =>
  kind === 'plain' ? styles['button']! : `${styles['button']} ${styles[kind]}`

export function Button({ kind = 'plain', isBusy = false, className, onClick, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={className ? `${classOf(kind)} ${className}` : classOf(kind)}
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
  /** Where the words alone do not say which. */
  readonly label?: string
  readonly children: React.ReactNode
}

/** A link that looks like a button. */
export const LinkButton = ({ to, kind = 'plain', label, children }: LinkButtonProps) => (
  <Link to={to} className={classOf(kind)} aria-label={label}>
    {children}
  </Link>
)

interface CopyButtonProps {
  readonly text: string
  readonly label?: string
  readonly kind?: ButtonProps['kind']
}

/** Copies a text to the clipboard and confirms it in its label. */
export function CopyButton({ text, label = t('desk.common.copy'), kind = 'plain' }: CopyButtonProps) {
  const [feedback, setFeedback] = useState<'desk.common.copied' | 'desk.common.copy_failed'>()
  useEffect(() => {
    if (!feedback) return
    const timer = setTimeout(() => setFeedback(undefined), 2500)
    return () => clearTimeout(timer)
  }, [feedback])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setFeedback('desk.common.copied'),
      () => setFeedback('desk.common.copy_failed'),
    )
  return (
    <Button kind={kind} onClick={copy}>
      <span aria-live="polite">{feedback ? t(feedback) : label}</span>
    </Button>
  )
}
