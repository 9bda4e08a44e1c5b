import { useId, useMemo, useState } from 'react'
import type { Category } from '../../../../server/features/pieces/schema.ts'
import { errorMessage } from '../../api/client.ts'
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
import { rich, t } from '../../messages.ts'
import { isScheduled, type PublishAction, schedule } from './actions.ts'
import { Address } from './address.tsx'
import { DetailFields } from './detail-fields.tsx'
import type { Details } from './details.ts'
import { Notified } from './notified.tsx'
import styles from './publishing.module.css'
import { When } from './when.tsx'

interface ConfirmPublishProps {
  readonly details: Details
  /** The last part of its address; null while it has no headline. */
  readonly slug: string | null
  readonly actions: readonly PublishAction[]
  /** `at` is the chosen time, if it is not now. */
  readonly onConfirm: (act: PublishAction, at?: string) => Promise<void>
  readonly onSlug: (slug: string | null) => void
  readonly onAsked: (original: Original | null) => void
}

const shortcutList = (): readonly Shortcut[] => [{ keys: `${modifier}Enter`, does: t('desk.publish.shortcut') }]

/** Address, details, consequences and actions. The sheet is the confirmation; only what is grave asks once more. */
export function ConfirmPublish({ details, slug, actions, onConfirm, onSlug, onAsked }: ConfirmPublishProps) {
  const { piece } = details
  const [confirming, setConfirming] = useState<PublishAction>()
  const attempt = useAttempt()
  const [first, ...others] = actions
  const [at, setAt] = useState(isScheduled(piece) ? toLocal(piece.schedule!.at) : undefined)
  const main = first?.name === 'publish' && at !== undefined ? schedule : first
  const time = at === undefined ? undefined : fromLocal(at)
  const original = piece.translation_of
  const id = useId()
  const lacksHeadline = !hasHeadline(piece)
  const lacksCategory = !piece.is_category_chosen && piece.published_at === null
  const isUnconsented = lacksConsent(original)
  /** Which of the explanations on the page says why an act is not possible yet. */
  const blockedBy = ({ needsNonce }: PublishAction): string | undefined => {
    if (!needsNonce) return undefined
    if (lacksHeadline) return `${id}-headline`
    if (isUnconsented) return `${id}-consent`
    return lacksCategory ? `${id}-category` : undefined
  }
  const isBlocked = (act: PublishAction): boolean => blockedBy(act) !== undefined
  const isReady = (act: PublishAction): boolean => !isBlocked(act) && (act !== schedule || time !== undefined)
  const ask = async () => {
    onAsked(await askAuthor(piece.id))
    return undefined
  }
  /** What is not saved yet would not be published. */
  const isWaiting = ({ needsNonce }: PublishAction): boolean => attempt.isBusy || (needsNonce && details.isUnsaved)
  const perform = (act: PublishAction) => attempt.handler(() => onConfirm(act, act === schedule ? time : undefined))()
  const press = (act: PublishAction): void => {
    if (act.isGrave) setConfirming(act)
    else void perform(act)
  }

  const shortcuts = useMemo(shortcutList, [])
  useShortcuts(shortcuts, (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || document.querySelector('dialog[open]')) return
    // Who holds the keys down in the editor has not seen the sheet.
    if (event.repeat || !main || !isReady(main) || isWaiting(main)) return
    event.preventDefault()
    press(main)
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
            {!isOpen && `${t(`desk.common.category.${piece.category as Category}`)} · `}
            <bdi>{languageName(piece.locale)}</bdi>
            {isOpen && (
              <>
                {' · '}
                <Link to={editorAt(piece.id, 'details')}>{t('desk.publish.more_details')}</Link>
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
      </dl>
      {isOpen && <DetailFields details={details} />}
      <dl className={styles.facts}>
        {main && (
          <div>
            <dt>{t('desk.publish.what_happens')}</dt>
            <dd>{t(`desk.publish.effect.${main.name}`)}</dd>
          </div>
        )}
        {main && <Notified piece={piece} act={main} />}
      </dl>
      {attempt.error !== undefined && <Notice kind="bad">{errorMessage(attempt.error)}</Notice>}
      {first?.name === 'publish' && <When at={at} onAt={setAt} />}
      <div className={styles.choices}>
        {main && (
          <Button
            kind={main.isGrave ? 'plain' : 'main'}
            disabled={!isReady(main)}
            isBusy={isWaiting(main)}
            aria-describedby={blockedBy(main)}
            onClick={() => press(main)}
          >
            {t(`desk.publish.act.${main.name}`)}
          </Button>
        )}
        {others.map((act) => (
          <Button
            key={act.name}
            kind="quiet"
            disabled={isBlocked(act)}
            isBusy={isWaiting(act)}
            onClick={() => press(act)}
          >
            {t(`desk.publish.act.${act.name}`)}
          </Button>
        ))}
      </div>
      {main?.needsNonce && lacksCategory && (
        <p className={styles.instead} id={`${id}-category`}>
          {t('desk.publish.category_missing')}
        </p>
      )}
      {others.some(({ name }) => name === 'submit') && (
        <p className={styles.instead}>{t('desk.publish.submit_instead')}</p>
      )}
      {confirming && (
        <FormDialog
          title={t('desk.publish.confirm.unpublish')}
          about={t('desk.publish.effect.unpublish')}
          onSubmit={async () => {
            await perform(confirming)
            setConfirming(undefined)
          }}
          submit={t('desk.publish.act.unpublish')}
          kind="grave"
          onClose={() => setConfirming(undefined)}
        />
      )}
    </>
  )
}
