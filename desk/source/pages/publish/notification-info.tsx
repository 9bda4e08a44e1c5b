import type { DeskPiece } from '../../../../server/features/pieces/desk-schema.ts'
import { useWebhook, type Webhook } from '../../api/webhook.ts'
import { Link } from '../../components/link.tsx'
import type { Act } from './actions.ts'

interface ToldProps {
  readonly piece: DeskPiece
  readonly act: Act
}

/** Who hears of a piece that becomes public for the first time. Later publications and updates are told to nobody. */
export function Told({ piece, act }: ToldProps) {
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
        {laterOf(webhook)}.
      </dd>
    </div>
  )
}

/** What keeps it from being told at once. */
function laterOf({ state, live_since: since }: Webhook): string {
  if (!since) return ': it has not answered a test yet'
  return {
    live: '',
    paused: ' when you resume it',
    unproven: ' when its new address answers',
    disabled: ' when it answers again and you resend it',
  }[state]
}
