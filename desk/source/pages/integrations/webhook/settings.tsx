import { useEffect, useRef, useState } from 'react'
import ruby from '../../../../../server/features/webhooks/samples/config.ru?raw'
import python from '../../../../../server/features/webhooks/samples/receiver.py?raw'
import javascript from '../../../../../server/features/webhooks/samples/sdk.mjs?raw'
import php from '../../../../../server/features/webhooks/samples/webhook.php?raw'
import { problemOf } from '../../../api/api-error.ts'
import { useWebhookActions, type Webhook, type WebhookSaved } from '../../../api/webhook.ts'
import { Button, CopyButton } from '../../../components/button.tsx'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { Field, RadioGroup } from '../../../components/field.tsx'
import { Form, useAttempt } from '../../../components/form.tsx'
import { Time } from '../../../components/time.tsx'
import { ReadOnlyText } from '../code.tsx'
import presenceStyles from '../presence.module.css'
import { toWebUrl } from '../website.tsx'
import { formatUntil } from './messages.ts'
import styles from './webhook.module.css'

interface WebhookDetailsProps {
  readonly webhook: Webhook
  readonly onSaved: (saved: WebhookSaved) => void
}

/** Address, secret and content of the webhook, with their dialogs. */
export function WebhookDetails({ webhook, onSaved }: WebhookDetailsProps) {
  const [changing, setChanging] = useState<'address' | 'secret'>()
  const close = () => setChanging(undefined)
  return (
    <>
      <dl className={styles.facts}>
        <div>
          <dt>Address</dt>
          <dd>
            <span className={styles.url}>{webhook.url}</span>
            <AddressStatus webhook={webhook} />
          </dd>
          <dd className={styles.change}>
            <Button kind="quiet" aria-label="Change the address" onClick={() => setChanging('address')}>
              Change
            </Button>
          </dd>
        </div>
        <div>
          <dt>Secret</dt>
          <dd>
            It ends in <code>{webhook.secret_hint}</code>
            <span>
              Made <Time at={webhook.secret_made_at} isPast />.
              {webhook.former_secret_until &&
                ` The one before it signs too, until ${formatUntil(webhook.former_secret_until)}.`}
            </span>
          </dd>
          <dd className={styles.change}>
            <Button kind="quiet" aria-label="Rotate the secret" onClick={() => setChanging('secret')}>
              Rotate
            </Button>
          </dd>
        </div>
        <div>
          <dt>What is sent</dt>
          <dd>
            Each piece once, when it first becomes public: whole, as JSON, and signed.
            <span>
              Updates send nothing, nor do they change what is still to be sent; to stop that, unpublish.{' '}
              <a href="/developers/webhooks">The guide to webhooks</a> has every detail.
            </span>
          </dd>
        </div>
      </dl>
      <ChangeAddressDialog webhook={webhook} isOpen={changing === 'address'} onClose={close} onSaved={onSaved} />
      <RotateSecretDialog webhook={webhook} isOpen={changing === 'secret'} onClose={close} onRotated={onSaved} />
    </>
  )
}

const AddressStatus = ({ webhook: { proven_at: proven, given_at: given } }: { readonly webhook: Webhook }) =>
  proven ? (
    <span>
      First answered <Time at={proven} isPast />.
    </span>
  ) : (
    <span>
      Given <Time at={given} isPast />; it has not answered yet.
    </span>
  )

interface AddressFormProps {
  readonly onSaved: (saved: WebhookSaved) => void
  /** The current address, if any. */
  readonly url?: string
  readonly onClose?: () => void
}

/** The address form. A wrong address does no harm: the webhook is not live before it has answered. */
export function AddressForm({ onSaved, url = '', onClose }: AddressFormProps) {
  const [typed, setTyped] = useState(url)
  const { save } = useWebhookActions()
  const attempt = useAttempt()
  const submit = attempt.handler(async () => {
    onSaved(await save(toWebUrl(typed) ?? ''))
    onClose?.()
  })
  const button = (
    <Button kind="main" type="submit" isBusy={attempt.isBusy}>
      {onClose ? 'Save and test it' : 'Save'}
    </Button>
  )
  return (
    <Form attempt={attempt} onSubmit={submit}>
      <Field
        label={url ? 'Its new address' : 'The address to send to'}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://example.org/hooks/new-piece"
        value={typed}
        onText={setTyped}
        problem={problemOf(attempt.error, 'url')}
        required
      />
      {onClose ? (
        <DialogActions>
          <Button kind="quiet" onClick={onClose}>
            Leave it as it is
          </Button>
          {button}
        </DialogActions>
      ) : (
        button
      )}
    </Form>
  )
}

function whatFollows({ state, live_since: wasLive }: Webhook): string {
  if (state === 'paused') return 'It stays paused until you resume.'
  return wasLive ? 'Until it answers, what you publish is held for it.' : 'It is live as soon as it answers.'
}

interface ChangeAddressProps {
  readonly webhook: Webhook
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onSaved: (saved: WebhookSaved) => void
}

const ChangeAddressDialog = ({ webhook, isOpen, onClose, onSaved }: ChangeAddressProps) => (
  <Dialog title="Change the address" isOpen={isOpen} onClose={onClose}>
    <p>The new address gets a test at once. {whatFollows(webhook)} The secret stays the same.</p>
    <AddressForm url={webhook.url} onSaved={onSaved} onClose={onClose} />
  </Dialog>
)

/** Hours, as text, since radio values are strings. */
const overlaps = [
  { value: '24', words: 'For 24 hours' },
  { value: '72', words: 'For 3 days' },
  { value: '168', words: 'For 7 days' },
  { value: '0', words: 'Not at all: it leaked' },
] as const
type Overlap = (typeof overlaps)[number]['value']

const spans: Readonly<Record<Exclude<Overlap, '0'>, string>> = { 24: '24 hours', 72: '3 days', 168: '7 days' }

const consequence = (overlap: Overlap): string =>
  overlap === '0'
    ? 'From now on only the new secret signs. Your server refuses what we send until it has it; nothing is lost, since each delivery is tried ten times in three days.'
    : `For ${spans[overlap]} each delivery carries two signatures, one of either secret, so your server takes it before and after you change the secret there. Then the old one ends by itself.`

interface RotateSecretProps {
  readonly webhook: Webhook
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onRotated: (saved: WebhookSaved) => void
}

/** Creates a new secret and sets how long the old one stays valid. */
const RotateSecretDialog = ({ webhook, isOpen, onClose, onRotated }: RotateSecretProps) => (
  <Dialog title="Rotate the secret" isOpen={isOpen} onClose={onClose}>
    <RotateSecretForm webhook={webhook} onClose={onClose} onRotated={onRotated} />
  </Dialog>
)

function RotateSecretForm({ webhook, onClose, onRotated }: Omit<RotateSecretProps, 'isOpen'>) {
  const [overlap, setOverlap] = useState<Overlap>('24')
  const { rotate } = useWebhookActions()
  const attempt = useAttempt()
  const former = webhook.former_secret_until
  const submit = attempt.handler(async () => {
    onRotated(await rotate({ keep_hours: Number(overlap), ...(former ? { force: true } : {}) }))
    onClose()
  })
  return (
    <Form attempt={attempt} onSubmit={submit}>
      {former && (
        <p>
          You rotated it not long ago: the secret before this one signs until {formatUntil(former)}. If you rotate
          again, that one ends at once.
        </p>
      )}
      <RadioGroup label="Keep the old secret" options={overlaps} value={overlap} onValue={setOverlap} />
      <p>{consequence(overlap)}</p>
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Not now
        </Button>
        <Button kind="main" type="submit" isBusy={attempt.isBusy}>
          Make a new secret
        </Button>
      </DialogActions>
    </Form>
  )
}

interface NewSecretProps {
  readonly saved: WebhookSaved
  readonly secret: string
  readonly onDone: () => void
}

/** The secret, shown once, so it takes the focus. */
export function NewSecret({ saved, secret, onDone }: NewSecretProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { former_secret_until: former } = saved.webhook
  return (
    <div className={presenceStyles.secret}>
      <h3 ref={heading} tabIndex={-1}>
        Your webhook’s secret, shown only now
      </h3>
      <p>
        {saved.advice} If it is lost, rotate it.
        {former && ` The former one signs too, until ${formatUntil(former)}.`}
      </p>
      <p className={presenceStyles.key}>
        <code>{secret}</code>
      </p>
      <CopyButton text={secret} label="Copy the secret" kind="main" />
      <ReceiverSamples />
      <Button onClick={onDone}>I have kept it</Button>
    </div>
  )
}

/** Sample receivers that verify the signature. */
function ReceiverSamples() {
  const [language, setLanguage] = useState<Language>('javascript')
  const { words, text } = samples.find(({ value }) => value === language)!
  return (
    <>
      <RadioGroup label="A receiver to begin with, in" options={samples} value={language} onValue={setLanguage} />
      <div className={styles.sample}>
        <p>It reads the secret from WEBHOOK_SECRET.</p>
        <CopyButton text={text} label={`Copy the ${words}`} />
        <ReadOnlyText name={`A receiver in ${words}`} text={text} isCode />
      </div>
    </>
  )
}

/** Complete receivers, the same as in the guide, each run by a test. */
const samples = [
  { value: 'javascript', words: 'JavaScript', text: javascript },
  { value: 'python', words: 'Python', text: python },
  { value: 'ruby', words: 'Ruby', text: ruby },
  { value: 'php', words: 'PHP', text: php },
] as const

type Language = (typeof samples)[number]['value']
