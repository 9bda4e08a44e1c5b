import { useState } from 'react'
import { wordsOf } from '../../../api/api-error.ts'
import { type Delivery, mostAtOnce, type Range, useResend, useResendable, type Webhook } from '../../../api/webhook.ts'
import { Button } from '../../../components/button.tsx'
import { Choices, Dialog } from '../../../components/dialog.tsx'
import { Choice, Field } from '../../../components/field.tsx'
import { Form, useAttempt } from '../../../components/form.tsx'
import { tell } from '../../../components/notice.tsx'
import { localOf, rangeOf } from './dates.ts'
import styles from './log.module.css'

interface ResendProps {
  readonly delivery: Pick<Delivery, 'id'>
  readonly name?: string
  readonly kind?: 'main' | 'plain'
}

/** Sends one again. */
export function Resend({ delivery, name, kind = 'plain' }: ResendProps) {
  const { one } = useResend()
  const attempt = useAttempt()
  const resend = attempt.by(async () => {
    try {
      await one(delivery.id)
      tell('It is on its way again, under the same id.')
    } catch (error) {
      tell(wordsOf(error))
    }
  })
  return (
    <Button kind={kind} aria-label={name} isBusy={attempt.isBusy} onClick={resend}>
      Resend
    </Button>
  )
}

const keptFor = 30 * 86_400_000

/** Why nothing can be resent, and what to do first. */
const closed: Readonly<Record<Exclude<Webhook['state'], 'live'>, string>> = {
  unproven: 'Your webhook is not live yet. Make it live first: send it a test, and when it answers, you can resend.',
  paused: 'Your webhook is paused. Resume it first: what is held is sent then, and what failed can be resent.',
  disabled: 'Your webhook is stopped. Make it live first: send it a test, and when it answers, you can resend.',
}

/** Sends many again: all that failed, or what was made in a span of time. */
export function ResendMany({ webhook }: { readonly webhook: Webhook }) {
  const [asked, setAsked] = useState<'failed' | 'range'>()
  const { exhausted, held, delivered } = webhook.deliveries
  if (exhausted + held + delivered === 0) return null
  if (webhook.state !== 'live') return exhausted + held > 0 ? <p>{closed[webhook.state]}</p> : null
  const close = () => setAsked(undefined)
  return (
    <>
      <div className={styles.acts}>
        {exhausted + held > 0 && <Button onClick={() => setAsked('failed')}>Resend all that failed</Button>}
        <Button kind="quiet" onClick={() => setAsked('range')}>
          Resend by time
        </Button>
      </div>
      <Dialog
        title={asked === 'failed' ? 'Resend all that failed?' : 'Resend by time'}
        isOpen={asked !== undefined}
        onClose={close}
      >
        {asked && <Choosing isOfFailed={asked === 'failed'} onClose={close} />}
      </Dialog>
    </>
  )
}

interface ChoosingProps {
  readonly isOfFailed: boolean
  readonly onClose: () => void
}

function Choosing({ isOfFailed, onClose }: ChoosingProps) {
  const [opened] = useState(() => new Date())
  const [from, setFrom] = useState(() => localOf(new Date(opened.getTime() - (isOfFailed ? keptFor : 86_400_000))))
  const [to, setTo] = useState(() => localOf(opened, 'up'))
  const [onlyFailed, setOnlyFailed] = useState(true)
  const range = rangeOf(from, to, onlyFailed)
  const { data: count, error } = useResendable(range)
  const { range: resend } = useResend()
  const attempt = useAttempt()
  const submit = attempt.by(async () => {
    if (!range || !count) return
    const sent = await resend(range)
    tell(sent === 1 ? 'One delivery is on its way again.' : `${sent} deliveries are on their way again.`)
    onClose()
  })
  return (
    <Form attempt={attempt} onSubmit={submit}>
      {!isOfFailed && (
        <>
          <div className={styles.hours}>
            <Field label="From" type="datetime-local" value={from} onText={setFrom} required />
            <Field label="To" type="datetime-local" value={to} onText={setTo} required />
          </div>
          <Choice
            label="Only what failed or is held"
            hint="Otherwise your server also gets again what it has; the id tells it so."
            isOn={onlyFailed}
            onChoice={setOnlyFailed}
          />
        </>
      )}
      <p role="status">{error ? wordsOf(error) : goingOf(range, count)}</p>
      <Choices>
        <Button kind="quiet" onClick={onClose}>
          Not now
        </Button>
        <Button kind="main" type="submit" isBusy={attempt.isBusy} disabled={!count}>
          Resend
        </Button>
      </Choices>
    </Form>
  )
}

/** How many will go, before they do. */
function goingOf(range: Range | undefined, count: number | undefined): string {
  if (!range) return 'Give two times, the earlier one first.'
  if (count === undefined) return 'Counting …'
  if (count === 0) return 'Nothing in this time can be resent.'
  const many = count > mostAtOnce ? `The oldest ${mostAtOnce.toLocaleString('en-GB')}` : String(count)
  return `${count === 1 ? 'One delivery goes' : `${many} deliveries go`} out again, with the same ids and new signatures. Pieces that are no longer public are left out.`
}
