import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { TextArea } from '../components/field.tsx'
import { ErrorNotice, Form, SubmitButton, useAttempt, useForm } from '../components/form.tsx'
import { FormDialog } from '../components/form-dialog.tsx'
import { Time } from '../components/time.tsx'
import { t } from '../messages.ts'
import styles from './comments.module.css'
import { addComment, type Comment, deleteComment, isOpen, settle, type Thread } from './threads.ts'

/** Characters; as the server. */
export const longestComment = 2000

interface ThreadProps {
  readonly piece: string
  readonly thread: Thread
  /** The passage is not in the text any more. */
  readonly isRemoved: boolean
  /** Shows the passage in the text. */
  readonly onShow?: (() => void) | undefined
  /** Puts the suggestion in the place of the passage; for the writer. */
  readonly onAccept?: (() => void) | undefined
}

/** A comment with its replies, and what can be done with it. */
export function ThreadView({ piece, thread, isRemoved, onShow, onAccept }: ThreadProps) {
  const [isReplying, setReplying] = useState(false)
  const attempt = useAttempt()
  const { id, replacement, may_settle } = thread
  const open = isOpen(thread)
  const settled = (resolved: boolean, outcome: 'accepted' | 'dismissed' | null = null) =>
    attempt.handler(() => settle(piece, id, resolved, outcome))
  const accept = () => {
    onAccept?.()
    void settled(true, 'accepted')()
  }
  return (
    <>
      <PassageLine thread={thread} isRemoved={isRemoved} onShow={onShow} />
      <Said piece={piece} comment={thread} />
      {replacement !== null && (
        <div className={styles.suggestion}>
          <p>{replacement === '' ? t('desk.comments.suggestion.delete') : t('desk.comments.suggestion')}</p>
          {replacement !== '' && <blockquote dir="auto">{replacement}</blockquote>}
        </div>
      )}
      {!open && <p className={styles.state}>{t(`desk.comments.state.${thread.outcome ?? 'resolved'}`)}</p>}
      {thread.replies.length > 0 && (
        <ol className={styles.replies}>
          {thread.replies.map((reply) => (
            <li key={reply.id}>
              <Said piece={piece} comment={reply} />
            </li>
          ))}
        </ol>
      )}
      <ErrorNotice error={attempt.error} />
      {isReplying ? (
        <ReplyForm piece={piece} thread={id} onClose={() => setReplying(false)} />
      ) : (
        <div className={styles.acts}>
          {open && may_settle && replacement !== null && onAccept && !isRemoved && (
            <Button onClick={accept} isBusy={attempt.isBusy}>
              {t('desk.comments.act.accept')}
            </Button>
          )}
          {open && may_settle && replacement !== null && (
            <Button kind="quiet" onClick={settled(true, 'dismissed')} isBusy={attempt.isBusy}>
              {t('desk.comments.act.dismiss')}
            </Button>
          )}
          {open && may_settle && replacement === null && (
            <Button kind="quiet" onClick={settled(true)} isBusy={attempt.isBusy}>
              {t('desk.comments.act.resolve')}
            </Button>
          )}
          {!open && may_settle && (
            <Button kind="quiet" onClick={settled(false)} isBusy={attempt.isBusy}>
              {t('desk.comments.act.reopen')}
            </Button>
          )}
          <Button kind="quiet" onClick={() => setReplying(true)}>
            {t('desk.comments.act.reply')}
          </Button>
        </div>
      )}
    </>
  )
}

/** The passage as it was when the comment was made. */
function PassageLine({ thread, isRemoved, onShow }: Pick<ThreadProps, 'thread' | 'isRemoved' | 'onShow'>) {
  const { passage } = thread
  if (passage === null) return <p className={styles.state}>{t('desk.comments.passage.whole')}</p>
  const quote = shortened(passage.quote)
  return (
    <div className={styles.passage}>
      {isRemoved && <p className={styles.state}>{t('desk.comments.passage.removed')}</p>}
      {onShow && !isRemoved ? (
        <button type="button" dir="auto" aria-label={t('desk.comments.passage.show', { quote })} onClick={onShow}>
          {quote}
        </button>
      ) : (
        <blockquote dir="auto">{quote}</blockquote>
      )}
    </div>
  )
}

const shownOfQuote = 140

function shortened(text: string): string {
  const signs = [...text.replace(/\s+/g, ' ')]
  return signs.length > shownOfQuote ? `${signs.slice(0, shownOfQuote).join('').trimEnd()}…` : signs.join('')
}

/** Who said what, and when. */
function Said({ piece, comment }: { readonly piece: string; readonly comment: Comment }) {
  const [isAsking, setAsking] = useState(false)
  const { id, made_by, name, is_mine, body, created_at } = comment
  return (
    <>
      <p className={styles.by}>
        <bdi>{is_mine ? t('desk.comments.by.you') : (name ?? t(`desk.comments.by.${made_by}`))}</bdi>
        {!is_mine && (made_by === 'guest' || made_by === 'co_author') && (
          <span> {t(`desk.comments.by.${made_by}`)}</span>
        )}{' '}
        <Time at={created_at} isPast />
        {comment.may_delete && (
          <button type="button" className={styles.delete} onClick={() => setAsking(true)}>
            {t('desk.common.delete')}
          </button>
        )}
      </p>
      {body !== '' && (
        <p className={styles.body} dir="auto">
          {body}
        </p>
      )}
      {isAsking && (
        <FormDialog
          title={t('desk.comments.delete.question')}
          about={t('desk.comments.delete.about')}
          initial={{}}
          onSubmit={() => deleteComment(piece, id)}
          submit={t('desk.common.delete')}
          kind="grave"
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

interface ReplyFormProps {
  readonly piece: string
  readonly thread: string
  readonly onClose: () => void
}

function ReplyForm({ piece, thread, onClose }: ReplyFormProps) {
  const form = useForm({ body: '' })
  return (
    <Form
      form={form}
      onSubmit={async ({ body }) => {
        await addComment(piece, { body, thread })
        onClose()
      }}
    >
      <TextArea
        label={t('desk.comments.new.reply')}
        rows={3}
        limit={longestComment}
        dir="auto"
        autoFocus
        required
        {...form.field('body')}
      />
      <div className={styles.acts}>
        <SubmitButton>{t('desk.comments.new.send_reply')}</SubmitButton>
        <Button kind="quiet" onClick={onClose}>
          {t('desk.common.cancel')}
        </Button>
      </div>
    </Form>
  )
}
