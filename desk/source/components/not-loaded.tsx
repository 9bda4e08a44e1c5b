import { Refusal, wordsOf } from '../api/api-error.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

interface NotLoadedProps {
  readonly error: unknown
  readonly onAgain: () => unknown
  /** What to say where there is no such thing: then another try would change nothing. */
  readonly gone?: string
}

/** In the place of what could not be asked for. */
export function NotLoaded({ error, onAgain, gone }: NotLoadedProps) {
  const isGone = gone !== undefined && error instanceof Refusal && [400, 404].includes(error.status)
  return (
    <Notice kind="bad">
      <p>{isGone ? gone : wordsOf(error)}</p>
      {!isGone && <Button onClick={() => onAgain()}>Try again</Button>}
    </Notice>
  )
}
