import { difference, isSame, type Paragraph, type Part, wordsBetween } from '../../diff/diff.ts'
import type { BeforeText, Shown } from './queries.ts'
import styles from './side-by-side.module.css'

interface Row extends Paragraph {
  /** Which part of the piece it is, where that is not the text. */
  readonly of?: 'Headline' | 'Standfirst'
}

/** What it was and what it is, paragraph beside paragraph. */
export function SideBySide({ before, now }: { readonly before: BeforeText; readonly now: Shown }) {
  const rows = [
    line('Headline', before.headline, now.headline),
    line('Standfirst', before.sub ?? '', now.sub ?? ''),
    ...difference(before.body_md, now.body_md ?? ''),
  ].filter(({ parts }) => parts.length > 0)
  if (isSame(rows)) return <p>Nothing. It was submitted again as it was.</p>
  return (
    <div className={styles.sheet}>
      <p className={styles.head} aria-hidden="true">
        <span>Before</span>
        <span>Now</span>
      </p>
      <ol aria-label="Before and now, paragraph by paragraph">
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows never move.
          <li key={at} data-kind={row.kind}>
            <Side name="Before" row={row} leftOut="added" />
            <Side name="Now" row={row} leftOut="removed" />
          </li>
        ))}
      </ol>
    </div>
  )
}

function line(of: NonNullable<Row['of']>, before: string, now: string): Row {
  const parts = wordsBetween(before, now)
  return { of, kind: before === now ? 'same' : 'changed', parts }
}

interface SideProps {
  readonly name: 'Before' | 'Now'
  readonly row: Row
  readonly leftOut: Part['kind']
}

function Side({ name, row, leftOut }: SideProps) {
  const parts = row.parts.filter(({ kind }) => kind !== leftOut)
  return (
    <div data-side={name === 'Before' ? 'before' : 'now'} data-empty={parts.length === 0 || undefined} dir="auto">
      {row.kind !== 'same' && <span className="hidden">{parts.length > 0 ? `${name}: ` : `${name}: nothing.`}</span>}
      {row.of && parts.length > 0 && <span className={styles.of}>{row.of}</span>}
      {parts.map(({ kind, text }, at) => {
        const key = `${at} ${kind}`
        if (kind === 'removed') return <del key={key}>{text}</del>
        if (kind === 'added') return <ins key={key}>{text}</ins>
        return <span key={key}>{text}</span>
      })}
    </div>
  )
}
