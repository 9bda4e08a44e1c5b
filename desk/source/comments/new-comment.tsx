import { type ReactNode, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Checkbox } from '../components/choices.tsx'
import { TextArea } from '../components/field.tsx'
import { Form, SubmitButton, useForm } from '../components/form.tsx'
import { showToast } from '../components/notice.tsx'
import { t } from '../messages.ts'
import styles from './comments.module.css'
import { longestComment } from './thread.tsx'
import { addComment, type Thread } from './threads.ts'

type Passage = NonNullable<Thread['passage']>

interface NewCommentProps {
  readonly piece: string
  /** Looked up when the comment is sent. Null for the whole piece; undefined, with a problem shown, to send nothing. */
  readonly passage: () => Passage | null | undefined
  /** What a suggestion begins with; none can be made if null. */
  readonly quote: string | null
  readonly isFocused?: boolean
  /** Fields before those of the comment. */
  readonly children?: ReactNode
  readonly onDone: () => void
  readonly onCancel?: () => void
}

/** The form for a comment or suggestion. */
export function NewComment({ piece, passage, quote, isFocused = false, children, onDone, onCancel }: NewCommentProps) {
  const form = useForm({ body: '', replacement: quote ?? '' })
  const [isSuggesting, setSuggesting] = useState(false)
  const [isEmpty, setEmpty] = useState(false)
  const send = async ({ body, replacement }: { readonly body: string; readonly replacement: string }) => {
    const isMissing = body.trim() === '' && !isSuggesting
    setEmpty(isMissing)
    const of = isMissing ? undefined : passage()
    if (of === undefined) return
    await addComment(piece, { body, passage: of, replacement: isSuggesting ? replacement : null })
    form.change({ body: '', replacement: '' })
    setSuggesting(false)
    showToast(t('desk.comments.done.added'))
    onDone()
  }
  const suggest = (isOn: boolean) => {
    setSuggesting(isOn)
    if (isOn && form.values.replacement === '') form.change({ replacement: quote ?? '' })
  }
  const body = form.field('body')
  return (
    <Form form={form} onSubmit={send}>
      {children}
      <TextArea
        label={t('desk.comments.new.comment')}
        rows={3}
        limit={longestComment}
        dir="auto"
        autoFocus={isFocused}
        {...body}
        problem={isEmpty ? t('desk.comments.new.empty') : body.problem}
      />
      {quote !== null && <Checkbox label={t('desk.comments.new.suggest')} isOn={isSuggesting} onChange={suggest} />}
      {isSuggesting && (
        <TextArea
          label={t('desk.comments.new.replacement')}
          rows={4}
          limit={5000}
          dir="auto"
          {...form.field('replacement')}
        />
      )}
      <div className={styles.acts}>
        <SubmitButton>{t('desk.comments.new.add')}</SubmitButton>
        {onCancel && (
          <Button kind="quiet" onClick={onCancel}>
            {t('desk.common.cancel')}
          </Button>
        )}
      </div>
    </Form>
  )
}
