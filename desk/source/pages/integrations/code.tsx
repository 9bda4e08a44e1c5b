import { type ReactNode, useId } from 'react'
import { Button, CopyButton } from '../../components/button.tsx'
import { FocusedHeading } from '../../components/page.tsx'
import { t } from '../../messages.ts'
import styles from './presence.module.css'

interface SnippetProps {
  readonly title: string
  readonly text: string
}

/** A code snippet with a copy button. */
export function Snippet({ title, text }: SnippetProps) {
  const id = useId()
  return (
    <section className={styles.snippet} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <CopyButton text={text} />
      <pre>
        <code>{text}</code>
      </pre>
    </section>
  )
}

interface NewSecretProps {
  readonly title: string
  readonly about: string
  readonly secret: string
  /** The label of its copy button. */
  readonly copy: string
  /** How to use it. */
  readonly children: ReactNode
  readonly onDone: () => void
}

/** A secret that is shown once. */
export const NewSecret = ({ title, about, secret, copy, children, onDone }: NewSecretProps) => (
  <div className={styles.secret}>
    <FocusedHeading>{title}</FocusedHeading>
    <p>{about}</p>
    <p className={styles.key}>
      <code>{secret}</code>
    </p>
    <CopyButton text={secret} label={copy} kind="main" />
    {children}
    <Button onClick={onDone}>{t('desk.common.done')}</Button>
  </div>
)

interface ReadOnlyTextProps {
  readonly name: string
  readonly text: string
  /** Disables line wrapping. */
  readonly isCode?: boolean
}

/** A long read-only text. A textarea, since it scrolls and can be selected by keyboard. */
export const ReadOnlyText = ({ name, text, isCode = false }: ReadOnlyTextProps) => (
  <textarea
    className={styles.verbatim}
    readOnly
    rows={16}
    wrap={isCode ? 'off' : 'soft'}
    spellCheck={false}
    aria-label={name}
    value={text}
  />
)
