import { useState } from 'react'
import type { DeskPiece } from '../../../../server/features/pieces/desk-schema.ts'
import { useAccount } from '../../api/account.ts'
import { errorMessage } from '../../api/client.ts'
import { useWebhook, type Webhook } from '../../api/webhook.ts'
import { Button } from '../../components/button.tsx'
import { useAttempt } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { modifier, type Shortcut, useShortcuts } from '../../components/shortcuts.tsx'
import type { PublishAction } from './actions.ts'
import styles from './publishing.module.css'

interface ConfirmPublishProps {
  readonly piece: DeskPiece
  readonly actions: readonly PublishAction[]
  readonly onConfirm: (act: PublishAction) => Promise<void>
}

const shortcuts: readonly Shortcut[] = [{ keys: `${modifier}Enter`, does: 'The button of this page, after a question' }]

const languages = new Intl.DisplayNames('en-GB', { type: 'language' })

/** Address, consequences and actions. Nothing happens before the dialog is confirmed. */
export function ConfirmPublish({ piece, actions, onConfirm }: ConfirmPublishProps) {
  const { data: account } = useAccount()
  const [confirming, setConfirming] = useState<PublishAction>()
  const attempt = useAttempt()
  const [main, ...others] = actions

  useShortcuts(shortcuts, (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !main) return
    event.preventDefault()
    setConfirming(main)
  })

  const isOpen = piece.status !== 'pending' && piece.status !== 'rejected'
  const authorPath = account?.writer ? `${location.host}/author/${account.writer.slug}/` : ''
  return (
    <>
      <dl className={styles.facts}>
        <div>
          <dt>Address</dt>
          <dd>
            {piece.url ? (
              <a href={piece.url}>{piece.url.replace(/^https?:\/\//, '')}</a>
            ) : piece.published_at ? (
              `The one it had before, in ${authorPath}`
            ) : (
              `${authorPath}… with the words of the headline. Once public, it never moves.`
            )}
          </dd>
        </div>
        <div>
          <dt>Filed under</dt>
          <dd>
            <span className={styles.category}>{piece.category}</span>
            {piece.tags.length > 0 && ` · ${piece.tags.join(', ')}`} · {languages.of(piece.locale)}
            {isOpen && (
              <>
                {' '}
                · <Link to={`/desk/edit/pieces/${piece.id}`}>Change</Link>
              </>
            )}
          </dd>
        </div>
        {main && (
          <div>
            <dt>“{main.button}” means</dt>
            <dd>{main.before}</dd>
          </div>
        )}
        {main && <NotificationInfo piece={piece} act={main} />}
      </dl>
      {attempt.error !== undefined && <Notice kind="bad">{errorMessage(attempt.error)}</Notice>}
      <div className={styles.choices}>
        {main && (
          <Button kind={main.isGrave ? 'plain' : 'main'} onClick={() => setConfirming(main)}>
            {main.button}
          </Button>
        )}
        {others.map((act) => (
          <Button key={act.name} kind="quiet" onClick={() => setConfirming(act)}>
            {act.button}
          </Button>
        ))}
      </div>
      {others.map(
        ({ name, button, instead }) =>
          instead && (
            <p key={name} className={styles.instead}>
              “{button}” {instead}
            </p>
          ),
      )}
      {confirming && (
        <FormDialog
          title={confirming.question}
          about={confirming.before}
          onSubmit={async () => {
            await attempt.handler(() => onConfirm(confirming))()
            setConfirming(undefined)
          }}
          submit={confirming.button}
          kind={confirming.isGrave ? 'grave' : 'main'}
          cancel="Not yet"
          onClose={() => setConfirming(undefined)}
        />
      )}
    </>
  )
}

interface NotificationInfoProps {
  readonly piece: DeskPiece
  readonly act: PublishAction
}

/** Who is notified when a piece becomes public for the first time. Later publications and updates notify nobody. */
function NotificationInfo({ piece, act }: NotificationInfoProps) {
  const { data: webhook } = useWebhook()
  const isFirst = piece.published_at === null && /^(publish|submit|resubmit)$/.test(act.name)
  if (!isFirst || !webhook) return null
  return (
    <div>
      <dt>Who is told</dt>
      <dd>
        {act.name === 'publish' ? 'Whoever follows your feeds' : 'Once it is public, whoever follows your feeds'}
        {webhook.live_since ? ', and ' : '. Not '}
        <Link to="/desk/edit/online-presence#webhook">your webhook</Link> at {new URL(webhook.url).host}
        {delayText(webhook)}.
      </dd>
    </div>
  )
}

/** What delays the webhook. */
function delayText({ state, live_since: since }: Webhook): string {
  if (!since) return ': it has not answered a test yet'
  return {
    live: '',
    paused: ' when you resume it',
    unproven: ' when its new address answers',
    disabled: ' when it answers again and you resend it',
  }[state]
}
