import { useState } from 'react'
import { problemOf, Refusal } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Choices, Dialog } from '../../components/dialog.tsx'
import { Area } from '../../components/field.tsx'
import { Form, useAttempt } from '../../components/form.tsx'
import { tell } from '../../components/notice.tsx'
import { Options } from '../../components/options.tsx'
import { go } from '../../components/router.ts'
import { Section } from '../../components/section.tsx'
import { type Decision, decisionsOn } from './decision.ts'
import { type Dismissal, Dismissing } from './dismiss.tsx'
import { type Category, type OpenReports, type Shown, useReviewChanged } from './queries.ts'
import { CategoryField } from './reject.tsx'
import styles from './review.module.css'

interface DecidingProps {
  readonly piece: Shown
  readonly nonce: string | null
  /** What is open of it. */
  readonly reports: OpenReports | null
  /** The list it was found in. */
  readonly backTo: string
  /** The piece is no longer what was shown. */
  readonly onStale: () => void
}

/** The acts a piece offers to a moderator. Each says what it does before it is done. */
export function Deciding(props: DecidingProps) {
  const { piece, reports, backTo } = props
  const [chosen, setChosen] = useState<Decision>()
  const [dismissal, setDismissal] = useState<Dismissal>()
  const decisions = decisionsOn(piece.status)
  if (decisions.length === 0) return null
  return (
    <Section title="Your decision" lead={leadOf(piece, reports)}>
      <div className={styles.acts}>
        {decisions.map((decision) => (
          <Button key={decision.path} kind={decision.look} onClick={() => setChosen(decision)}>
            {decision.label}
          </Button>
        ))}
        {reports && (
          <Button
            onClick={() =>
              setDismissal({ kind: 'piece', id: piece.id, headline: piece.headline, reports: reports.reports })
            }
          >
            Dismiss the reports
          </Button>
        )}
      </div>
      <Dismissing dismissal={dismissal} onClose={() => setDismissal(undefined)} onDone={() => go(backTo)} />
      <Dialog title={chosen?.title ?? ''} isOpen={chosen !== undefined} onClose={() => setChosen(undefined)}>
        {chosen && <Confirming {...props} decision={chosen} onClose={() => setChosen(undefined)} />}
      </Dialog>
    </Section>
  )
}

/** Who is told what. */
const leadOf = ({ writer }: Shown, reports: OpenReports | null): string =>
  reports
    ? `Whoever left an address is told what you decide. ${writer.name} is told by email if you take it down, without your name.`
    : `${writer.name} is told by email, without your name.`

const longest = 2000

const ways = [
  { value: 'changes_requested', words: 'It can come back, changed' },
  { value: 'rejected', words: 'It is not for this site' },
] as const
type Way = (typeof ways)[number]['value']

interface ConfirmingProps extends DecidingProps {
  readonly decision: Decision
  readonly onClose: () => void
}

function Confirming({ decision, piece, nonce, reports, backTo, onStale, onClose }: ConfirmingProps) {
  const [words, setWords] = useState('')
  const [category, setCategory] = useState<Category>(reports?.newest[0]?.reason ?? 'editorial')
  const [to, setTo] = useState<Way>('changes_requested')
  const changed = useReviewChanged()
  const attempt = useAttempt()
  const isStale = attempt.error instanceof Refusal && [409, 412].includes(attempt.error.status)
  const decide = attempt.by(async () => {
    await ask('POST', `/review/${piece.id}/${decision.path}`, {
      ...(decision.asks ? { [decision.asks.field]: words } : { nonce }),
      ...(decision.isReasoned ? { category } : {}),
      ...(decision.path === 'take-down' ? { to } : {}),
    })
    tell(decision.done)
    go(backTo)
    await changed()
  })
  return (
    <Form attempt={attempt} onSubmit={decide}>
      <p>{decision.words}</p>
      {decision.isReasoned && <CategoryField value={category} onValue={setCategory} />}
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
