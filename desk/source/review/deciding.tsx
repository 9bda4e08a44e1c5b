import { useState } from 'react'
import { ask } from '../api/ask.ts'
import { problemOf, Refusal } from '../api/refusal.ts'
import { Button } from '../ui/button.tsx'
import { Choices, Dialog } from '../ui/dialog.tsx'
import { Area } from '../ui/field.tsx'
import { Form, useAttempt } from '../ui/form.tsx'
import { tell } from '../ui/notice.tsx'
import { Options } from '../ui/options.tsx'
import { go } from '../ui/place.ts'
import { Section } from '../ui/section.tsx'
import { type Shown, useReviewChanged } from './asking.ts'
import { type Decision, decisionsOn } from './decision.ts'
import styles from './review.module.css'

interface DecidingProps {
  readonly piece: Shown
  readonly nonce: string | null
  /** The piece is no longer what was shown. */
  readonly onStale: () => void
}

/** The acts a piece offers to a moderator. Each says what it does before it is done. */
export function Deciding({ piece, nonce, onStale }: DecidingProps) {
  const [chosen, setChosen] = useState<Decision>()
  const decisions = decisionsOn(piece.status)
  if (decisions.length === 0) return null
  return (
    <Section title="Your decision" lead={`${piece.writer.name} is told by letter, without your name.`}>
      <div className={styles.acts}>
        {decisions.map((decision) => (
          <Button key={decision.path} kind={decision.look} onClick={() => setChosen(decision)}>
            {decision.label}
          </Button>
        ))}
      </div>
      <Dialog title={chosen?.title ?? ''} isOpen={chosen !== undefined} onClose={() => setChosen(undefined)}>
        {chosen && (
          <Confirming
            decision={chosen}
            piece={piece}
            nonce={nonce}
            onStale={onStale}
            onClose={() => setChosen(undefined)}
          />
        )}
      </Dialog>
    </Section>
  )
}

const longest = 2000

const ways = [
  { value: 'changes_requested', words: 'It can come back, changed' },
  { value: 'rejected', words: 'It is not for this house' },
] as const
type Way = (typeof ways)[number]['value']

interface ConfirmingProps extends DecidingProps {
  readonly decision: Decision
  readonly onClose: () => void
}

function Confirming({ decision, piece, nonce, onStale, onClose }: ConfirmingProps) {
  const [words, setWords] = useState('')
  const [to, setTo] = useState<Way>('changes_requested')
  const changed = useReviewChanged()
  const attempt = useAttempt()
  const isStale = attempt.error instanceof Refusal && [409, 412].includes(attempt.error.status)
  const decide = attempt.by(async () => {
    await ask('POST', `/review/${piece.id}/${decision.path}`, {
      ...(decision.asks ? { [decision.asks.field]: words } : { nonce }),
      ...(decision.path === 'take-down' ? { to } : {}),
    })
    tell(decision.done)
    go('/desk/review')
    await changed()
  })
  return (
    <Form attempt={attempt} onSubmit={decide}>
      <p>{decision.words}</p>
      {decision.asks && (
        <Area
          label={decision.asks.label}
          hint={decision.asks.hint}
          value={words}
          onText={setWords}
          limit={longest}
          problem={problemOf(attempt.error, decision.asks.field)}
          required
        />
      )}
      {decision.path === 'take-down' && <Options label="And then" options={ways} value={to} onChosen={setTo} />}
      <Choices>
        <Button kind="quiet" onClick={onClose}>
          Not yet
        </Button>
        {isStale ? (
          <Button
            kind="main"
            onClick={() => {
              onClose()
              onStale()
            }}
          >
            Show it as it is now
          </Button>
        ) : (
          <Button kind={decision.look === 'grave' ? 'grave' : 'main'} type="submit" isBusy={attempt.isBusy}>
            {decision.label}
          </Button>
        )}
      </Choices>
    </Form>
  )
}
