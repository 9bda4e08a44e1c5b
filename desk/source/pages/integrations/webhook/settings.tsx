import { type ReactNode, useState } from 'react'
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
import { rich, t } from '../../../messages.ts'
import { NewSecret, ReadOnlyText } from '../code.tsx'
import { toWebUrl } from '../website.tsx'
import { timeValues } from './messages.ts'
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
          <dt>{t('desk.integrations.webhook.url_label')}</dt>
          <dd>
            <span className={styles.url}>{webhook.url}</span>
            <AddressStatus webhook={webhook} />
          </dd>
          <dd className={styles.change}>
            <Button
              kind="quiet"
              aria-label={t('desk.integrations.webhook.change_url')}
              onClick={() => setChanging('address')}
            >
              {t('desk.common.change')}
            </Button>
          </dd>
        </div>
        <div>
          <dt>{t('desk.integrations.webhook.secret')}</dt>
          <dd>
            {rich('desk.integrations.webhook.secret_ends', { hint: webhook.secret_hint, code: asCode })}
            <span>
              {rich('desk.integrations.webhook.secret_made', { time: <Time at={webhook.secret_made_at} isPast /> })}
            </span>
            {webhook.former_secret_until && <span>{previousSecretText(webhook.former_secret_until)}</span>}
          </dd>
          <dd className={styles.change}>
            <Button
              kind="quiet"
              aria-label={t('desk.integrations.webhook.rotate_secret')}
              onClick={() => setChanging('secret')}
            >
              {t('desk.integrations.webhook.rotate')}
            </Button>
          </dd>
        </div>
        <div>
          <dt>{t('desk.integrations.webhook.payload')}</dt>
          <dd>
            {t('desk.integrations.webhook.payload_when')}
            <span>{t('desk.integrations.webhook.payload_updates')}</span>
            <span>{rich('desk.integrations.webhook.payload_guide', { link: guideLink })}</span>
          </dd>
        </div>
      </dl>
      {changing === 'address' && <ChangeAddressDialog webhook={webhook} onClose={close} onSaved={onSaved} />}
      {changing === 'secret' && <RotateSecretDialog webhook={webhook} onClose={close} onSaved={onSaved} />}
    </>
  )
}

const asCode = (content: ReactNode) => <code>{content}</code>

export const guideLink = (content: ReactNode) => <a href="/developers/webhooks">{content}</a>

const previousSecretText = (until: string): string => t('desk.integrations.webhook.previous_secret', timeValues(until))

const AddressStatus = ({ webhook: { proven_at: proven, given_at: given } }: { readonly webhook: Webhook }) => (
  <span>
    {proven
      ? rich('desk.integrations.webhook.url_responded', { time: <Time at={proven} isPast /> })
      : rich('desk.integrations.webhook.url_unproven', { time: <Time at={given} isPast /> })}
  </span>
)

/** The address of the first webhook. A wrong one does no harm: the webhook is not live before it has answered. */
export function AddressForm({ onSaved }: Pick<WebhookDetailsProps, 'onSaved'>) {
  return (
    <Form initial={{ url: '' }} onSubmit={async ({ url }) => onSaved(await saveWebhook(toWebUrl(url) ?? ''))}>
      {({ field }) => (
        <>
          <AddressField label={t('desk.integrations.webhook.url')} {...field('url')} />
          <SubmitButton>{t('desk.common.save')}</SubmitButton>
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
    placeholder="https://example.org/hook"
    required
  />
)

/** What becomes of the webhook when its URL changes. */
const stateAfterChange = ({ state, live_since: wasLive }: Webhook) =>
  state === 'paused' ? 'paused' : wasLive ? 'held' : 'other'

interface ChangeDialogProps extends WebhookDetailsProps {
  readonly onClose: () => void
}

function ChangeAddressDialog({ webhook, onClose, onSaved }: ChangeDialogProps) {
  return (
    <FormDialog
      title={t('desk.integrations.webhook.change_url')}
      about={t('desk.integrations.webhook.change_url_about', { next: stateAfterChange(webhook) })}
      initial={{ url: webhook.url }}
      onSubmit={async ({ url }) => {
        onSaved(await saveWebhook(toWebUrl(url) ?? ''))
        onClose()
      }}
      submit={t('desk.integrations.webhook.save_and_test')}
      onClose={onClose}
    >
      {({ field }) => <AddressField label={t('desk.integrations.webhook.new_url')} {...field('url')} />}
    </FormDialog>
  )
}

/** Hours, as text, since radio values are strings. */
const overlaps = ['24', '72', '168', '0'] as const
type Overlap = (typeof overlaps)[number]

/** Creates a new secret and sets how long the old one stays valid. */
function RotateSecretDialog({ webhook: { former_secret_until: former }, onClose, onSaved }: ChangeDialogProps) {
  return (
    <FormDialog
      title={t('desk.integrations.webhook.rotate_secret')}
      initial={{ overlap: '24' as Overlap }}
      onSubmit={async ({ overlap }) => {
        onSaved(await rotateSecret({ keep_hours: Number(overlap), ...(former ? { force: true } : {}) }))
        onClose()
      }}
      submit={t('desk.integrations.webhook.rotate_submit')}
      onClose={onClose}
    >
      {({ values: { overlap }, change }) => (
        <>
          {former && (
            <>
              <p>{previousSecretText(former)}</p>
              <p>{t('desk.integrations.webhook.rotate_again')}</p>
            </>
          )}
          <RadioGroup
            label={t('desk.integrations.webhook.overlap')}
            options={overlaps.map((value) => ({ value, words: t(`desk.integrations.webhook.overlap.${value}`) }))}
            value={overlap}
            onValue={(overlap) => change({ overlap })}
          />
          <p>
            {overlap === '0'
              ? t('desk.integrations.webhook.overlap_none')
              : t('desk.integrations.webhook.overlap_both')}
          </p>
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
      title={t('desk.integrations.webhook.new_secret')}
      about={t('desk.integrations.webhook.new_secret_about')}
      secret={secret}
      copy={t('desk.integrations.webhook.copy_secret')}
      onDone={onDone}
    >
      {former && <p>{previousSecretText(former)}</p>}
      <ReceiverSamples />
    </NewSecret>
  )
}

/** Sample receivers that verify the signature. */
function ReceiverSamples() {
  const [chosen, setChosen] = useState<Sample['value']>('javascript')
  const { language, text } = samples.find(({ value }) => value === chosen)!
  return (
    <>
      <RadioGroup
        label={t('desk.integrations.webhook.sample')}
        options={samples.map(({ value, language }) => ({ value, words: language }))}
        value={chosen}
        onValue={setChosen}
      />
      <div className={styles.sample}>
        <p>{rich('desk.integrations.webhook.sample_secret', { code: asCode })}</p>
        <CopyButton text={text} label={t('desk.integrations.webhook.sample_copy')} />
        <ReadOnlyText name={t('desk.integrations.webhook.sample_in', { language })} text={text} isCode />
      </div>
    </>
  )
}

/** Complete receivers, the same as in the guide, each run by a test. */
const samples = [
  { value: 'javascript', language: 'JavaScript', text: javascript },
  { value: 'python', language: 'Python', text: python },
  { value: 'ruby', language: 'Ruby', text: ruby },
  { value: 'php', language: 'PHP', text: php },
] as const

type Sample = (typeof samples)[number]
