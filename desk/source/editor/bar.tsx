import { useSyncExternalStore } from 'react'
import type { DeskPiece } from '../../../server/features/pieces/desk-schema.ts'
import { callApi } from '../api/client.ts'
import { Button } from '../components/button.tsx'
import { BackArrow, Link } from '../components/link.tsx'
import { Menu } from '../components/menu.tsx'
import { navigate } from '../components/router.ts'
import { Status } from '../components/status.tsx'
import { type PlainMessageId, t } from '../messages.ts'
import type { Commenting } from './commenting.tsx'
import { conflictAnchor } from './conflict.tsx'
import styles from './editor.module.css'
import { saveStatusText } from './saving/save-status.ts'
import { type Session, useSession } from './session.ts'

interface BarProps {
  readonly session: Session
  /** Only what leaves focus mode is shown, and what is wrong. */
  readonly isFocused: boolean
  readonly comments: Pick<Commenting, 'count' | 'hasAny' | 'isShown' | 'toggle'>
  readonly onFind: () => void
  readonly onOutline: () => void
  readonly onFocus: () => void
  readonly onGoal: () => void
  readonly onDetails: () => void
  readonly onPublish: () => void
}

/** The label of the publish button, by what the piece's status allows. */
const publishLabel = (piece: DeskPiece | null): PlainMessageId => {
  const acts = piece?.acts ?? ['publish']
  if (acts.includes('publish')) return 'desk.editor.action.publish'
  if (acts.includes('submit')) return 'desk.editor.action.submit'
  if (acts.includes('resubmit')) return 'desk.editor.action.resubmit'
  if (acts.includes('update') && piece?.has_unpublished_changes) return 'desk.editor.action.update'
  return 'desk.editor.action.preview'
}

/** The bar above the editor: back link, save status and actions. */
export function Bar({
  session,
  isFocused,
  comments,
  onFind,
  onOutline,
  onFocus,
  onGoal,
  onDetails,
  onPublish,
}: BarProps) {
  useSession(session)
  const { saver } = session
  const id = saver.id()
  const history = `/desk/edit/pieces/${id}/history`
  const { headline, sub, body_md } = saver.manuscript()
  const isEmpty = (headline + sub + body_md).trim() === ''
  if (isFocused) {
    return (
      <header className={styles.bar} data-focused>
        <SaveStatusLine session={session} isOnlyGrave />
        <Button kind="quiet" onClick={onFocus}>
          {t('desk.editor.focus.leave')}
        </Button>
      </header>
    )
  }
  return (
    <header className={styles.bar}>
      <Link to="/desk" className={styles.back}>
        <BackArrow /> <span>{t('desk.common.nav.pieces')}</span>
      </Link>
      <SaveStatusLine session={session} />
      <div className={styles.acts}>
        {id && (
          <Link to={history} className={`${styles.quiet} ${styles.wide}`}>
            {t('desk.common.history')}
          </Link>
        )}
        {id && (
          <Button
            kind="quiet"
            className={comments.hasAny ? undefined : styles.find}
            onClick={comments.toggle}
            aria-expanded={comments.isShown}
          >
            {t('desk.editor.action.comments', { count: comments.count })}
          </Button>
        )}
        <Button kind="quiet" className={styles.find} onClick={onFind}>
          {t('desk.editor.act.find')}
        </Button>
        <Menu
          label={t('desk.editor.view')}
          items={[
            { label: t('desk.editor.outline.title'), onSelect: onOutline },
            { label: t('desk.editor.focus.enter'), onSelect: onFocus },
            { label: t('desk.editor.goal.title'), onSelect: onGoal },
            ...(id
              ? [{ label: t('desk.common.history'), onSelect: () => navigate(history), className: styles.narrow }]
              : []),
          ]}
        />
        <Button kind="quiet" onClick={onDetails} aria-haspopup="dialog">
          {t('desk.editor.action.details')}
        </Button>
        <Button kind={isEmpty ? 'quiet' : 'main'} onClick={onPublish}>
          {t(publishLabel(session.piece()))}
        </Button>
      </div>
    </header>
  )
}

const isOnline = () => navigator.onLine
function onNetwork(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
export const useOnline = (): boolean => useSyncExternalStore(onNetwork, isOnline)

/** The status and the save status in one line. */
function SaveStatusLine({ session, isOnlyGrave }: { readonly session: Session; readonly isOnlyGrave?: boolean }) {
  useSession(session)
  const online = useOnline()
  const saveStatus = session.saver.status()
  const piece = session.piece()
  const words = session.isWriting
    ? saveStatusText(saveStatus, {
        isOnDevice: session.saver.isOnDevice(),
        isOnline: online,
        isCreated: piece !== null,
      })
    : t('desk.editor.save.read_only')
  /** Calls without skipReauth, so that the sign-in dialog opens above the page. */
  const signIn = () => void callApi('GET', '/account').then(session.saver.tryAgain, () => undefined)
  const isGrave = !['saved', 'changed', 'saving'].includes(saveStatus.kind)
  return (
    <>
      <p className={styles.standing} hidden={isOnlyGrave && !isGrave} data-grave={isGrave || undefined}>
        <Status of={piece?.status ?? 'draft'} isTakenDown={piece?.is_taken_down} schedule={piece?.schedule} />
        {piece?.has_unpublished_changes && ` · ${t('desk.editor.save.changes_unpublished')}`}
        {` · ${words} `}
        {saveStatus.kind === 'signed_out' && (
          <button type="button" onClick={signIn}>
            {t('desk.common.sign_in')}
          </button>
        )}
        {saveStatus.kind === 'unreachable' && (
          <button type="button" onClick={session.saver.tryAgain}>
            {t('desk.common.try_again')}
          </button>
        )}
        {saveStatus.kind === 'contested' && (
          <button type="button" onClick={() => document.getElementById(conflictAnchor)?.focus()}>
            {t('desk.editor.save.conflict_resolve')}
          </button>
        )}
      </p>
      <p className="hidden" role="status">
        {isGrave && words}
      </p>
    </>
  )
}
