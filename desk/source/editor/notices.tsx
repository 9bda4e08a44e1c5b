import { useEffect, useState } from 'react'
import { Button } from '../components/button.tsx'
import { DecisionLink, useLastDecision } from '../components/decision.tsx'
import { Link } from '../components/link.tsx'
import { Notice, showUndoToast } from '../components/notice.tsx'
import { scheduleTime } from '../components/status.tsx'
import { relativeTime } from '../components/time.tsx'
import { VoidSchedule } from '../components/void-schedule.tsx'
import { type PlainMessageId, t } from '../messages.ts'
import styles from './editor.module.css'
import type { Manuscript } from './saving/manuscript.ts'
import { journal, type Session, unsentPiece, useSession } from './session.ts'

interface EditorNoticesProps {
  readonly session: Session
  readonly wasDeleted: boolean
  readonly onTakeOver: () => void
}

/** Notices above the editor. */
export function EditorNotices({ session, wasDeleted, onTakeOver }: EditorNoticesProps) {
  const [isRead, setRead] = useState(false)
  const { restoredAt, isWriting, saver } = session
  const piece = session.piece()
  const status = piece?.status ?? 'draft'
  const decision = useLastDecision(piece?.note ? piece.id : null)
  const isDecided = decision !== undefined && decision.facts === piece?.note
  const isGone = saver.status().kind === 'gone'
  const isFixed = status === 'pending' || status === 'rejected'
  return (
    <>
      {!isWriting && (
        <Notice>
          <p>{t(saver.isOnDevice() ? 'desk.editor.notice.other_tab' : 'desk.editor.notice.other_tab_not_saved')}</p>
          <div className={styles.choices}>
            <Button onClick={onTakeOver}>{t('desk.editor.notice.edit_here')}</Button>
          </div>
        </Notice>
      )}
      {isWriting && restoredAt !== null && !isRead && (
        <Notice kind="good">
          <p>
            {t(wasDeleted ? 'desk.editor.notice.restored_as_new' : 'desk.editor.notice.restored', {
              when: relativeTime(restoredAt, Date.now()),
            })}
          </p>
          <div className={styles.choices}>
            <Button kind="quiet" onClick={() => setRead(true)}>
              {t('desk.common.ok')}
            </Button>
            {saver.id() && !wasDeleted && (
              <Link to={`/desk/edit/pieces/${saver.id()}/history`}>{t('desk.editor.notice.restored_history')}</Link>
            )}
          </div>
        </Notice>
      )}
      <VoidSchedule of={piece?.schedule}>
        <p>
          <Link to={`/desk/edit/pieces/${piece?.id}/publish`}>{t('desk.common.schedule.again')}</Link>
        </p>
      </VoidSchedule>
      {piece?.schedule?.problem === null && (
        <Notice>
          <p>
            {t('desk.common.schedule.for', { at: scheduleTime(piece.schedule.at) })}. {t('desk.editor.scheduled')}
          </p>
        </Notice>
      )}
      {piece?.note && (
        <Notice>
          <p>{t(leadOf(status, piece.is_taken_down))}</p>
          <blockquote className={styles.note}>{piece.note}</blockquote>
          {isDecided && <DecisionLink decision={decision} />}
        </Notice>
      )}
      {isFixed && saver.id() && (
        <Notice>
          <p>{t(status === 'pending' ? 'desk.editor.notice.in_review' : 'desk.editor.notice.rejected')}</p>
          <p>
            <Link to={`/desk/edit/pieces/${saver.id()}/publish`}>
              {t(status === 'pending' ? 'desk.editor.notice.in_review_withdraw' : 'desk.editor.notice.rejected_reopen')}
            </Link>
          </p>
        </Notice>
      )}
      {isGone && (
        <Notice kind="bad">
          <p>{t(saver.isOnDevice() ? 'desk.editor.notice.deleted' : 'desk.editor.notice.deleted_not_saved')}</p>
          {saver.isOnDevice() ? (
            <div className={styles.choices}>
              <Button onClick={onTakeOver}>{t('desk.editor.notice.deleted_recreate')}</Button>
            </div>
          ) : (
            <p>
              <Link to="/desk/edit/pieces/new" target="_blank">
                {t('desk.editor.notice.deleted_new_tab')}
              </Link>
            </p>
          )}
        </Notice>
      )}
    </>
  )
}

function leadOf(status: string, isTakenDown: boolean): PlainMessageId {
  if (isTakenDown) return 'desk.editor.notice.moderator_took_down'
  return status === 'rejected'
    ? 'desk.editor.notice.moderator_rejected'
    : 'desk.editor.notice.moderator_requested_changes'
}

/** Shown if an API key wrote the text, with a link to the changes since. */
export function KeyNotice({ session }: { readonly session: Session }) {
  useSession(session)
  const piece = session.piece()
  if (!piece?.by_key) return null
  const { revision, key } = piece.by_key
  const isOlder = piece.revision > revision
  const history = `/desk/edit/pieces/${piece.id}/history`
  return (
    <p className={styles.hand}>
      {keyNoticeText(revision, key, isOlder)}{' '}
      {isOlder ? (
        <Link to={`${history}?since=${revision}`}>{t('desk.editor.key.your_changes')}</Link>
      ) : (
        revision > 1 && <Link to={history}>{t('desk.editor.key.its_changes')}</Link>
      )}
    </p>
  )
}

function keyNoticeText(revision: number, key: string | null, isOlder: boolean): string {
  if (revision === 1)
    return key === null ? t('desk.editor.key.deleted_key_drafted') : t('desk.editor.key.drafted', { key })
  if (key === null) {
    return isOlder ? t('desk.editor.key.deleted_key_wrote', { revision }) : t('desk.editor.key.deleted_key_edited')
  }
  return isOlder ? t('desk.editor.key.wrote', { revision, key }) : t('desk.editor.key.edited', { key })
}

interface UnsentNoticeProps {
  readonly writer: string
  readonly exceptKey: string
  readonly onRestore: (key: string) => void
}

/** Offers the piece that was started on this device and never reached the server. */
export function UnsentNotice({ writer, exceptKey, onRestore }: UnsentNoticeProps) {
  const [found, setFound] = useState<{ key: string; manuscript: Manuscript; at: number }>()
  useEffect(() => {
    void unsentPiece(writer, exceptKey).then(setFound)
  }, [writer, exceptKey])
  if (!found) return null
  const { headline, body_md } = found.manuscript
  const name = headline.trim() || body_md.trim().slice(0, 60) || t('desk.editor.untitled')
  return (
    <Notice>
      <p>{t('desk.editor.notice.unsent', { name, when: relativeTime(found.at, Date.now()) })}</p>
      <div className={styles.choices}>
        <Button onClick={() => onRestore(found.key)}>{t('desk.editor.notice.unsent_continue')}</Button>
        <Button
          kind="quiet"
          onClick={() => {
            setFound(undefined)
            showUndoToast(
              t('desk.editor.notice.unsent_discarded', { name }),
              () => setFound(found),
              () => void journal().remove(found.key),
            )
          }}
        >
          {t('desk.editor.notice.unsent_discard')}
        </Button>
      </div>
    </Notice>
  )
}
