import { useState } from 'react'
import { t } from '../messages.ts'
import { diffParagraphs, isUnchanged, type Paragraph } from './diff.ts'
import styles from './view.module.css'

interface DiffViewProps {
  readonly before: string
  readonly after: string
  /** The text shown if nothing differs. */
  readonly same?: string
}

/** A readable diff: words and lines mark the changes, not colour alone. */
export function DiffView({ before, after, same = t('desk.common.diff.same') }: DiffViewProps) {
  const paragraphs = diffParagraphs(before, after)
  if (isUnchanged(paragraphs)) return <p className={styles.quiet}>{same}</p>
  return (
    <div className={styles.difference}>
      {foldUnchanged(paragraphs).map((one, place) =>
        Array.isArray(one) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the position is the only identity.
          <Unchanged key={place} paragraphs={one} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <DiffParagraph key={place} paragraph={one as Paragraph} />
        ),
      )}
    </div>
  )
}

function DiffParagraph({ paragraph: { kind, parts } }: { readonly paragraph: Paragraph }) {
  return (
    <p className={styles.paragraph} data-kind={kind}>
      {kind !== 'same' && <span className={styles.word}>{t(`desk.common.diff.${kind}`)}</span>}
      {parts.map(({ kind: part, text }, place) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id but their position.
        if (part === 'added') return <ins key={place}>{text}</ins>
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        if (part === 'removed') return <del key={place}>{text}</del>
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        return <span key={place}>{text}</span>
      })}
    </p>
  )
}

/** Unchanged paragraphs, shown on request. */
function Unchanged({ paragraphs }: { readonly paragraphs: readonly Paragraph[] }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) {
    // biome-ignore lint/suspicious/noArrayIndexKey: as above.
    return paragraphs.map((paragraph, place) => <DiffParagraph key={place} paragraph={paragraph} />)
  }
  return (
    <button type="button" className={styles.unchanged} onClick={() => setOpen(true)}>
      {t('desk.common.diff.unchanged', { count: paragraphs.length })}
    </button>
  )
}

/** Folds runs of unchanged paragraphs, except the one next to a change. */
function foldUnchanged(paragraphs: readonly Paragraph[]): (Paragraph | Paragraph[])[] {
  const found: (Paragraph | Paragraph[])[] = []
  let run: Paragraph[] = []
  const close = (isLast: boolean) => {
    const before = found.length > 0 ? run.slice(0, 1) : []
    const after = isLast ? [] : run.slice(Math.max(before.length, run.length - 1))
    const middle = run.slice(before.length, run.length - after.length)
    found.push(...before, ...(middle.length > 1 ? [middle] : middle), ...after)
    run = []
  }
  for (const paragraph of paragraphs) {
    if (paragraph.kind === 'same') run.push(paragraph)
    else {
      close(false)
      found.push(paragraph)
    }
  }
  close(true)
  return found
}
