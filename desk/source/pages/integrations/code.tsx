import { useId } from 'react'
import { CopyButton } from '../../components/button.tsx'
import codeStyles from './code.module.css'
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

interface ReadOnlyTextProps {
  readonly name: string
  readonly text: string
  /** Disables line wrapping. */
  readonly isCode?: boolean
}

/** A long read-only text. A textarea, since it scrolls and can be selected by keyboard. */
export const ReadOnlyText = ({ name, text, isCode = false }: ReadOnlyTextProps) => (
  <textarea
    className={codeStyles.verbatim}
    readOnly
    rows={16}
    wrap={isCode ? 'off' : 'soft'}
    spellCheck={false}
    aria-label={name}
    value={text}
  />
)
