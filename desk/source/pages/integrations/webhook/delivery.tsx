import { useState } from 'react'
import { type Attempt, type Delivery, type DeliveryFound, useDelivery, useWebhook } from '../../../api/webhook.ts'
import { CopyButton } from '../../../components/button.tsx'
import { RadioGroup } from '../../../components/choices.tsx'
import { Link } from '../../../components/link.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Page, Section } from '../../../components/page.tsx'
import { Time } from '../../../components/time.tsx'
import { formats, t } from '../../../messages.ts'
import { ReadOnlyText } from '../code.tsx'
import { DeliveryStateLabel, deliveriesPath } from './delivery-state.tsx'
import { adviceFor, deliveryTitle, describeDelivery, resultLabel } from './messages.ts'
import { ResendButton } from './resend.tsx'
import styles from './webhook.module.css'

/** One delivery: the request and all attempts. */
export function DeliveryPage({ id }: { readonly id: string }) {
  const query = useDelivery(id)
  return (
    <Page
      title={query.data ? deliveryTitle(query.data.delivery) : t('desk.integrations.webhook.delivery')}
      back={{ to: deliveriesPath(), words: t('desk.integrations.webhook.all_deliveries') }}
    >
      <Loaded query={query} gone={t('desk.integrations.webhook.delivery_gone')}>
        {(found) => <DeliveryDetails found={found} />}
      </Loaded>
    </Page>
  )
}

function DeliveryDetails({ found: { delivery, attempts } }: { readonly found: DeliveryFound }) {
  const { data: webhook } = useWebhook()
  const [newest] = attempts
  const advice = delivery.last && delivery.state !== 'cancelled' ? adviceFor(delivery.last, newest) : undefined
  return (
    <>
      <div className={styles.delivery}>
        <p className={`facts ${styles.about}`}>
          <DeliveryStateLabel of={delivery.state} />
          <Time at={delivery.created_at} isPast />
          {delivery.piece?.headline && (
            <Link to={`/desk/edit/pieces/${delivery.piece.id}`}>{t('desk.integrations.webhook.open_piece')}</Link>
          )}
        </p>
        <div className={styles.sentence} role="status">
          {describeDelivery(delivery, attempts, webhook ?? null).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
        {advice && <p>{advice}</p>}
        {delivery.can_resend && (
          <div className={styles.resend}>
            <ResendButton delivery={delivery} kind={delivery.state === 'delivered' ? 'plain' : 'main'} />
          </div>
        )}
      </div>
      <Section title={t('desk.integrations.webhook.attempts_title')} isWide>
        <Attempts attempts={attempts} />
      </Section>
      <Section
        title={t('desk.integrations.webhook.request')}
        lead={newest && t('desk.integrations.webhook.request_lead')}
        isWide
      >
        {newest && <RequestHeaders delivery={delivery} attempt={newest} />}
        <RequestBody text={delivery.body} />
      </Section>
    </>
  )
}

/** All attempts, newest first. Response bodies are untrusted and rendered as text only. */
function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  if (attempts.length === 0)
    return <p className={`facts ${styles.about}`}>{t('desk.integrations.webhook.attempt_none')}</p>
  return (
    <ol className={styles.attempts} aria-label={t('desk.integrations.webhook.attempts_list')}>
      {attempts.map((attempt) => (
        <li key={`${attempt.attempt} ${attempt.at}`}>
          <h3>{attemptTitle(attempt)}</h3>
          <p className={`facts ${styles.about}`}>
            <span>{t('desk.integrations.webhook.attempt_number', { number: attempt.attempt })}</span>
            <time dateTime={attempt.at}>{formats.date(attempt.at, { dateStyle: 'long', timeStyle: 'medium' })}</time>
            {attempt.ms !== null && <span>{formats.number(attempt.ms, { style: 'unit', unit: 'millisecond' })}</span>}
            {attempt.address && <span>{t('desk.integrations.webhook.sent_to', { address: attempt.address })}</span>}
            {attempt.answer_type && <span>{attempt.answer_type}</span>}
          </p>
          {attempt.detail && <p>{attempt.detail}</p>}
          {attempt.answer && <pre>{attempt.answer}</pre>}
        </li>
      ))}
    </ol>
  )
}

const attemptTitle = (attempt: Attempt): string =>
  attempt.status === null && attempt.problem === null
    ? t('desk.integrations.webhook.attempt_running')
    : resultLabel(attempt)

interface RequestHeadersProps {
  readonly delivery: Delivery
  readonly attempt: Attempt
}

const method = 'POST'

/** The request headers as sent. */
const RequestHeaders = ({ delivery, attempt }: RequestHeadersProps) => (
  <dl className={styles.headers} aria-label={t('desk.integrations.webhook.headers')}>
    <div>
      <dt>{method}</dt>
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

const views = ['formatted', 'raw'] as const
type View = (typeof views)[number]

/** The body. The signature covers its exact bytes, so they can be copied. */
function RequestBody({ text }: { readonly text: string | null }) {
  const [view, setView] = useState<View>('formatted')
  if (text === null) return <p className={`facts ${styles.about}`}>{t('desk.integrations.webhook.body_deleted')}</p>
  return (
    <div className={styles.body}>
      <RadioGroup
        label={t('desk.integrations.webhook.body')}
        options={views.map((value) => ({ value, words: t(`desk.integrations.webhook.body_view.${value}`) }))}
        value={view}
        onValue={setView}
      />
      <CopyButton text={text} label={t('desk.integrations.webhook.body_copy')} />
      <ReadOnlyText name={t('desk.integrations.webhook.body_text')} text={view === 'raw' ? text : prettyJson(text)} />
    </div>
  )
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** The headers of an attempt. The second signature header is derived from the first, which is the only one stored. */
function headersOf({ id, event }: Delivery, attempt: Attempt): readonly (readonly [string, string])[] {
  const { timestamp, signature } = attempt
  return [
    ['user-agent', `Standfirst-Webhooks/1 (+${location.origin}/developers/webhooks)`],
    ['content-type', 'application/json; charset=utf-8'],
    ['webhook-id', id],
    ...(timestamp === null || signature === null
      ? []
      : ([
          ['webhook-timestamp', String(timestamp)],
          ['webhook-signature', signature],
          ['x-service-signature', toHexSignature(id, timestamp, signature)],
        ] as const)),
    ['x-service-event', event],
    ['x-service-attempt', String(attempt.attempt)],
  ]
}

/** `v1,<base64> v1,<base64>` as `t=…,id=…,v1=<hex>,v1=<hex>`. */
const toHexSignature = (id: string, timestamp: number, signature: string): string =>
  [`t=${timestamp}`, `id=${id}`, ...signature.split(' ').map((one) => `v1=${hexOf(one.replace(/^v1,/, ''))}`)].join(',')

const hexOf = (base64: string): string =>
  [...atob(base64)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
