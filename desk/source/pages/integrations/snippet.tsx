import { useId } from 'react'
import { Copy } from '../../components/copy.tsx'
import styles from './presence.module.css'

interface SnippetProps {
  readonly title: string
  readonly text: string
}

/** Something to paste elsewhere, exactly as it is. */
export function Snippet({ title, text }: SnippetProps) {
  const id = useId()
  return (
    <section className={styles.snippet} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <Copy text={text} />
      <pre>
        <code>{text}</code>
      </pre>
    </section>
  )
}
