import styles from './code.module.css'

interface VerbatimProps {
  readonly name: string
  readonly text: string
  /** Whether its lines stay as long as they are. */
  readonly isCode?: boolean
}

/** A long text as it is. A field, though it takes nothing: it scrolls, and all of it can be selected, by keys too. */
export const Verbatim = ({ name, text, isCode = false }: VerbatimProps) => (
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
