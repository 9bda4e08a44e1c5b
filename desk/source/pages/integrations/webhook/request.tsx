import { useState } from 'react'
import type { Attempt, Delivery } from '../../../api/webhook.ts'
import { Copy } from '../../../components/copy.tsx'
import { Options } from '../../../components/options.tsx'
import { Verbatim } from './code.tsx'
import { headersOf } from './headers.ts'
import styles from './log.module.css'

interface HeadersProps {
  readonly delivery: Delivery
  readonly attempt: Attempt
}

/** The head of a request, as it was sent. */
export const Headers = ({ delivery, attempt }: HeadersProps) => (
  <dl className={styles.headers} aria-label="Headers">
    <div>
      <dt>POST</dt>
      <dd>{attempt.url}</dd>
    </div>
    {headersOf(delivery, attempt).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

const views = [
  { value: 'readable', words: 'Set to be read' },
  { value: 'exact', words: 'Exactly as sent' },
] as const
type View = (typeof views)[number]['value']

/** The body: its bytes are what is signed, so they can be had as they are. */
export function Body({ text }: { readonly text: string | null }) {
  const [view, setView] = useState<View>('readable')
  if (text === null) return <p className={styles.about}>The body is gone: there is nothing left to send.</p>
  return (
    <div className={styles.body}>
      <Options label="Body" options={views} value={view} onChosen={setView} />
      <Copy text={text} label="Copy the body" />
      <Verbatim name="The body" text={view === 'exact' ? text : laidOut(text)} />
    </div>
  )
}

function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
