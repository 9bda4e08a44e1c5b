import { useEffect, useState } from 'react'
import type { DeskPiece } from '../../../../server/features/pieces/desk-schema.ts'
import { useAccount } from '../../api/account.ts'
import { errorMessage } from '../../api/api-error.ts'
import { useWebhook, type Webhook } from '../../api/webhook.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { modifier, type Shortcut, useRegisterShortcuts } from '../../components/shortcuts.tsx'
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
  useRegisterShortcuts(shortcuts)
  const { data: account } = useAccount()
  const [confirming, setConfirming] = useState<PublishAction>()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [main, ...others] = actions

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !main) return
      event.preventDefault()
      setConfirming(main)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [main])

  const decide = async (act: PublishAction) => {
    setBusy(true)
    setError(undefined)
    try {
      await onConfirm(act)
    } catch (error) {
      setError(error)
    }
    setConfirming(undefined)
    setBusy(false)
  }
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
      {error !== undefined && <Notice kind="bad">{errorMessage(error)}</Notice>}
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
      <Dialog
        title={confirming?.question ?? ''}
        isOpen={confirming !== undefined}
        onClose={() => setConfirming(undefined)}
      >
        {confirming && (
          <>
            <p>{confirming.before}</p>
            <DialogActions>
              <Button kind="quiet" onClick={() => setConfirming(undefined)}>
                Not yet
              </Button>
              <Button
                kind={confirming.isGrave ? 'grave' : 'main'}
                isBusy={isBusy}
                onClick={() => void decide(confirming)}
              >
                {confirming.button}
              </Button>
            </DialogActions>
          </>
        )}
      </Dialog>
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
