import { Fragment, type ReactNode, useId, useMemo, useState } from 'react'
import type { DeskPiece } from '../../../../server/features/pieces/desk-schema.ts'
import type { Category } from '../../../../server/features/pieces/schema.ts'
import { errorMessage } from '../../api/client.ts'
import { useWebhook, type Webhook } from '../../api/webhook.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { askAuthor, Consent, lacksConsent, type Original } from '../../components/consent.tsx'
import { useAttempt } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { languageName } from '../../components/language.ts'
import { Link } from '../../components/link.tsx'
import { fromLocal, toLocal } from '../../components/local-time.ts'
import { modifier } from '../../components/modifier.ts'
import { Notice } from '../../components/notice.tsx'
import { editorAt, hasHeadline } from '../../components/piece.ts'
import { type Shortcut, useShortcuts } from '../../components/shortcuts.tsx'
import { scheduleTime } from '../../components/status.tsx'
import { formats, rich, t } from '../../messages.ts'
import { isScheduled, type PublishAction, schedule } from './actions.ts'
import { Address } from './address.tsx'
import styles from './publishing.module.css'
import { When } from './when.tsx'

interface ConfirmPublishProps {
  readonly piece: DeskPiece
  /** The last part of its address; null while it has no headline. */
  readonly slug: string | null
  readonly actions: readonly PublishAction[]
  /** `at` is the chosen time, if it is not now. */
  readonly onConfirm: (act: PublishAction, at?: string) => Promise<void>
  readonly onSlug: (slug: string | null) => void
  readonly onAsked: (original: Original | null) => void
}

const shortcutList = (): readonly Shortcut[] => [{ keys: `${modifier}Enter`, does: t('desk.publish.shortcut') }]

/** Address, consequences and actions. Nothing happens before the dialog is confirmed. */
export function ConfirmPublish({ piece, slug, actions, onConfirm, onSlug, onAsked }: ConfirmPublishProps) {
  const [confirming, setConfirming] = useState<PublishAction>()
  const attempt = useAttempt()
  const [first, ...others] = actions
  const [at, setAt] = useState(isScheduled(piece) ? toLocal(piece.schedule!.at) : undefined)
  const main = first?.name === 'publish' && at !== undefined ? schedule : first
  const time = at === undefined ? undefined : fromLocal(at)
  const original = piece.translation_of
  const id = useId()
  const lacksHeadline = !hasHeadline(piece)
  const isUnconsented = lacksConsent(original)
  /** The server would refuse it, too. */
  const isBlocked = ({ needsNonce }: PublishAction): boolean => needsNonce && (lacksHeadline || isUnconsented)
  const isReady = (act: PublishAction): boolean => !isBlocked(act) && (act !== schedule || time !== undefined)
  const ask = async () => {
    onAsked(await askAuthor(piece.id))
    return undefined
  }

  const shortcuts = useMemo(shortcutList, [])
  useShortcuts(shortcuts, (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !main || !isReady(main)) return
    event.preventDefault()
    setConfirming(main)
  })

  const isOpen = piece.status !== 'pending' && piece.status !== 'rejected'
  return (
    <>
      {isOpen && lacksHeadline && (
        <div id={`${id}-headline`}>
          <Notice>
            <p>{t('desk.publish.headline_missing')}</p>
            <div className={styles.choices}>
              <LinkButton to={editorAt(piece.id, 'headline')}>{t('desk.publish.headline_add')}</LinkButton>
            </div>
          </Notice>
        </div>
      )}
      <dl className={styles.facts}>
        <div>
          <dt>{t('desk.publish.address')}</dt>
          <dd>
            <Address piece={piece} slug={slug} isEditable={isOpen} onSlug={onSlug} />
          </dd>
        </div>
        <div>
          <dt>{t('desk.publish.details')}</dt>
          <dd>
            {detailsOf(piece).map((detail, at) => (
              <Fragment key={detail}>
                {at > 0 && ' · '}
                <bdi>{detail}</bdi>
              </Fragment>
            ))}
            {isOpen && (
              <>
                {' · '}
                <Link to={editorAt(piece.id, 'details')}>{t('desk.common.change')}</Link>
              </>
            )}
          </dd>
        </div>
        {original && (
          <div>
            <dt>{t('desk.common.translation.of')}</dt>
            <dd>
              {original.title !== null && original.url !== null && (
                <p>
                  {rich('desk.common.translation.by', {
                    title: <bdi>{original.title}</bdi>,
                    author: <bdi>{original.author}</bdi>,
                    link: (words) => <a href={original.url!}>{words}</a>,
                  })}
                </p>
              )}
              <div id={`${id}-consent`} className={styles.consent}>
                <Consent original={original} onAsk={ask} />
              </div>
            </dd>
          </div>
        )}
        {main && (
          <div>
            <dt>{t('desk.publish.what_happens')}</dt>
            <dd>{t(`desk.publish.effect.${main.name}`)}</dd>
          </div>
        )}
        {main && <NotificationInfo piece={piece} act={main} />}
      </dl>
      {attempt.error !== undefined && <Notice kind="bad">{errorMessage(attempt.error)}</Notice>}
      {first?.name === 'publish' && <When at={at} onAt={setAt} />}
      <div className={styles.choices}>
        {main && (
          <Button
            kind={main.isGrave ? 'plain' : 'main'}
            disabled={!isReady(main)}
            aria-describedby={isBlocked(main) ? `${id}-${lacksHeadline ? 'headline' : 'consent'}` : undefined}
            onClick={() => setConfirming(main)}
          >
            {t(`desk.publish.act.${main.name}`)}
          </Button>
        )}
        {others.map((act) => (
          <Button key={act.name} kind="quiet" disabled={isBlocked(act)} onClick={() => setConfirming(act)}>
            {t(`desk.publish.act.${act.name}`)}
          </Button>
        ))}
      </div>
      {others.some(({ name }) => name === 'submit') && (
        <p className={styles.instead}>{t('desk.publish.submit_instead')}</p>
      )}
      {confirming && (
        <FormDialog
          title={t(`desk.publish.confirm.${confirming.name}`)}
          about={
            confirming === schedule && time !== undefined
              ? `${t('desk.common.schedule.for', { at: scheduleTime(time) })}. ${t('desk.publish.effect.schedule')}`
              : t(`desk.publish.effect.${confirming.name}`)
          }
          onSubmit={async () => {
            await attempt.handler(() => onConfirm(confirming, confirming === schedule ? time : undefined))()
            setConfirming(undefined)
          }}
          submit={t(`desk.publish.act.${confirming.name}`)}
          kind={confirming.isGrave ? 'grave' : 'main'}
          onClose={() => setConfirming(undefined)}
        />
      )}
    </>
  )
}

/** Category, tags and language. */
const detailsOf = ({ category, tags, locale }: DeskPiece): string[] => [
  t(`desk.common.category.${category as Category}`),
  ...(tags.length > 0 ? [new Intl.ListFormat(formats.locale, { type: 'unit' }).format(tags)] : []),
  languageName(locale),
]

interface NotificationInfoProps {
  readonly piece: DeskPiece
  readonly act: PublishAction
}

/** Who is notified when a piece becomes public for the first time. Later publications and updates notify nobody. */
function NotificationInfo({ piece, act }: NotificationInfoProps) {
  const { data: webhook } = useWebhook()
  const isFirst = piece.published_at === null && /^(publish|schedule|submit|resubmit)$/.test(act.name)
  if (!isFirst || !webhook) return null
  return (
    <div>
      <dt>{t('desk.publish.notify.title')}</dt>
      <dd>
        {t(
          /^(publish|schedule)$/.test(act.name)
            ? 'desk.publish.notify.feeds'
            : 'desk.publish.notify.feeds_after_review',
        )}{' '}
        {webhookText(webhook)}
      </dd>
    </div>
  )
}

/** Whether and when the webhook is called. */
const webhookText = ({ state, live_since: since, url }: Webhook): ReactNode =>
  rich(`desk.publish.notify.webhook_${since ? state : 'untested'}`, {
    host: new URL(url).host,
    link: (words) => <Link to="/desk/edit/online-presence#webhook">{words}</Link>,
  })
