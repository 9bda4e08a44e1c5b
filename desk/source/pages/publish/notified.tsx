import type { ReactNode } from 'react'
import type { DeskPiece } from '../../../../server/features/pieces/desk-schema.ts'
import { useFollowers } from '../../api/followers.ts'
import { useWebhook, type Webhook } from '../../api/webhook.ts'
import { Link } from '../../components/link.tsx'
import { rich, t } from '../../messages.ts'
import type { PublishAction } from './actions.ts'
import styles from './sheet.module.css'

interface NotifiedProps {
  readonly piece: DeskPiece
  readonly act: PublishAction
}

const firsts: readonly string[] = ['publish', 'schedule', 'submit', 'resubmit']

/** Who hears of a piece when it becomes public for the first time. Later publications and updates notify nobody. */
export function Notified({ piece, act }: NotifiedProps) {
  const { data: webhook } = useWebhook()
  const isFirst = piece.published_at === null && firsts.includes(act.name)
  const { data: followers } = useFollowers(isFirst)
  if (act.name !== 'update' && !firsts.includes(act.name)) return null
  const original = piece.translation_of
  const isReviewed = act.name === 'submit' || act.name === 'resubmit'
  return (
    <div>
      <dt>{t(isReviewed ? 'desk.publish.notify.title_after_review' : 'desk.publish.notify.title')}</dt>
      <dd>
        {isFirst ? (
          <ul className={styles.notified}>
            {followers && followers.total > 0 && (
              <li>{t('desk.publish.notify.followers', { count: followers.total })}</li>
            )}
            <li>{t('desk.publish.notify.feeds')}</li>
            <li>{t('desk.publish.notify.search')}</li>
            {original && original.consent !== 'own' && original.title !== null && (
              <li>
                {rich('desk.publish.notify.original', {
                  title: <bdi>{original.title}</bdi>,
                  author: <bdi>{original.author}</bdi>,
                })}
              </li>
            )}
            {webhook && <li>{webhookText(webhook)}</li>}
          </ul>
        ) : (
          t('desk.publish.notify.nobody')
        )}
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
