import { useState } from 'react'
import ruby from '../../../../../server/features/webhooks/samples/config.ru?raw'
import python from '../../../../../server/features/webhooks/samples/receiver.py?raw'
import javascript from '../../../../../server/features/webhooks/samples/sdk.mjs?raw'
import php from '../../../../../server/features/webhooks/samples/webhook.php?raw'
import { rotateSecret, saveWebhook, type Webhook, type WebhookSaved } from '../../../api/webhook.ts'
import { Button, CopyButton } from '../../../components/button.tsx'
import { RadioGroup } from '../../../components/choices.tsx'
import { Field, type FieldProps } from '../../../components/field.tsx'
import { Form, SubmitButton } from '../../../components/form.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Time } from '../../../components/time.tsx'
import { NewSecret, ReadOnlyText } from '../code.tsx'
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
      {changing === 'address' && <ChangeAddressDialog webhook={webhook} onClose={close} onSaved={onSaved} />}
      {changing === 'secret' && <RotateSecretDialog webhook={webhook} onClose={close} onSaved={onSaved} />}
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

/** The address of the first webhook. A wrong one does no harm: the webhook is not live before it has answered. */
export function AddressForm({ onSaved }: Pick<WebhookDetailsProps, 'onSaved'>) {
  return (
    <Form initial={{ url: '' }} onSubmit={async ({ url }) => onSaved(await saveWebhook(toWebUrl(url) ?? ''))}>
      {({ field }) => (
        <>
          <AddressField label="The address to send to" {...field('url')} />
          <SubmitButton>Save</SubmitButton>
        </>
      )}
    </Form>
  )
}

const AddressField = (props: Pick<FieldProps, 'label' | 'value' | 'onText' | 'problem'>) => (
  <Field
    {...props}
    inputMode="url"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    placeholder="https://example.org/hooks/new-piece"
    required
  />
)

function whatFollows({ state, live_since: wasLive }: Webhook): string {
  if (state === 'paused') return 'It stays paused until you resume.'
  return wasLive ? 'Until it answers, what you publish is held for it.' : 'It is live as soon as it answers.'
}

interface ChangeDialogProps extends WebhookDetailsProps {
  readonly onClose: () => void
}

function ChangeAddressDialog({ webhook, onClose, onSaved }: ChangeDialogProps) {
  return (
    <FormDialog
      title="Change the address"
      about={`The new address gets a test at once. ${whatFollows(webhook)} The secret stays the same.`}
      initial={{ url: webhook.url }}
      onSubmit={async ({ url }) => {
        onSaved(await saveWebhook(toWebUrl(url) ?? ''))
        onClose()
      }}
      submit="Save and test it"
      cancel="Leave it as it is"
      onClose={onClose}
    >
      {({ field }) => <AddressField label="Its new address" {...field('url')} />}
    </FormDialog>
  )
}

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

/** Creates a new secret and sets how long the old one stays valid. */
function RotateSecretDialog({ webhook: { former_secret_until: former }, onClose, onSaved }: ChangeDialogProps) {
  return (
    <FormDialog
      title="Rotate the secret"
      initial={{ overlap: '24' as Overlap }}
      onSubmit={async ({ overlap }) => {
        onSaved(await rotateSecret({ keep_hours: Number(overlap), ...(former ? { force: true } : {}) }))
        onClose()
      }}
      submit="Make a new secret"
      cancel="Not now"
      onClose={onClose}
    >
      {({ values: { overlap }, change }) => (
        <>
          {former && (
            <p>
              You rotated it not long ago: the secret before this one signs until {formatUntil(former)}. If you rotate
              again, that one ends at once.
            </p>
          )}
          <RadioGroup
            label="Keep the old secret"
            options={overlaps}
            value={overlap}
            onValue={(overlap) => change({ overlap })}
          />
          <p>{consequence(overlap)}</p>
        </>
      )}
    </FormDialog>
  )
}

interface WebhookSecretProps {
  readonly saved: WebhookSaved
  readonly secret: string
  readonly onDone: () => void
}

/** The secret, shown once. */
export function WebhookSecret({ saved, secret, onDone }: WebhookSecretProps) {
  const { former_secret_until: former } = saved.webhook
  return (
    <NewSecret
      title="Your webhook’s secret, shown only now"
      about={`${saved.advice} If it is lost, rotate it.${former ? ` The former one signs too, until ${formatUntil(former)}.` : ''}`}
      secret={secret}
      copy="Copy the secret"
      onDone={onDone}
    >
      <ReceiverSamples />
    </NewSecret>
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
