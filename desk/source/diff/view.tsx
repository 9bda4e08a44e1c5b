import { useState } from 'react'
import { difference, isSame, type Paragraph } from './diff.ts'
import styles from './view.module.css'

interface ShownDifferenceProps {
  readonly before: string
  readonly after: string
  /** What is said where nothing differs. */
  readonly same?: string
}

/** What changed between two texts, to be read: words and lines say it, not colour alone. */
export function ShownDifference({ before, after, same = 'The text is the same.' }: ShownDifferenceProps) {
  const paragraphs = difference(before, after)
  if (isSame(paragraphs)) return <p className={styles.quiet}>{same}</p>
  return (
    <div className={styles.difference}>
      {folded(paragraphs).map((one, place) =>
        Array.isArray(one) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: what stands where is all that tells them apart.
          <Unchanged key={place} paragraphs={one} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <ShownParagraph key={place} paragraph={one as Paragraph} />
        ),
      )}
    </div>
  )
}

const words = { same: '', added: 'Added', removed: 'Removed', changed: 'Changed' } as const

function ShownParagraph({ paragraph: { kind, parts } }: { readonly paragraph: Paragraph }) {
  return (
    <p className={styles.paragraph} data-kind={kind}>
      {kind !== 'same' && <span className={styles.word}>{words[kind]}</span>}
      {parts.map(({ kind: part, text }, place) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name but their place.
        if (part === 'added') return <ins key={place}>{text}</ins>
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        if (part === 'removed') return <del key={place}>{text}</del>
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        return <span key={place}>{text}</span>
      })}
    </p>
  )
}

/** What nobody changed is there for whoever wants to see it. */
function Unchanged({ paragraphs }: { readonly paragraphs: readonly Paragraph[] }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) {
    // biome-ignore lint/suspicious/noArrayIndexKey: as above.
    return paragraphs.map((paragraph, place) => <ShownParagraph key={place} paragraph={paragraph} />)
  }
  return (
    <button type="button" className={styles.unchanged} onClick={() => setOpen(true)}>
      {paragraphs.length} paragraphs unchanged
    </button>
  )
}

/** Runs of three and more that stayed the same are folded, all but the one beside a change. */
function folded(paragraphs: readonly Paragraph[]): (Paragraph | Paragraph[])[] {
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
