import { useState } from 'react'
import { findQuotation, passageAt, withPlainLines } from '../../../server/platform/text/passages.ts'
import { TextArea } from '../components/field.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Section } from '../components/page.tsx'
import { t } from '../messages.ts'
import styles from './comments.module.css'
import { NewComment } from './new-comment.tsx'
import { ThreadView } from './thread.tsx'
import { useThreads } from './threads.ts'

interface ReviewCommentsProps {
  readonly piece: string
  /** The Markdown under review. */
  readonly body: string
}

/** What moderators tell the writer about passages of a piece that waits for review. */
export function ReviewComments({ piece, body }: ReviewCommentsProps) {
  const query = useThreads(piece)
  const [quote, setQuote] = useState('')
  const [isUnknown, setUnknown] = useState(false)
  const text = withPlainLines(body)
  const range = quote.trim() === '' ? undefined : findQuotation(text, quote)
  const passage = () => {
    const isMissing = quote.trim() !== '' && !range
    setUnknown(isMissing)
    if (isMissing) return undefined
    return range ? passageAt(text, range) : null
  }
  return (
    <Section title={t('desk.comments.title')} lead={t('desk.comments.review.lead')}>
      <Loaded query={query}>
        {(threads) =>
          threads.length === 0 ? (
            <p>{t('desk.comments.review.empty')}</p>
          ) : (
            <ol className={`${styles.cards} ${styles.list}`}>
              {threads.map((thread) => (
                <li key={thread.id} className={styles.card}>
                  <ThreadView piece={piece} thread={thread} isRemoved={false} />
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
      <div className={styles.form}>
        <NewComment
          piece={piece}
          passage={passage}
          quote={range ? text.slice(range.from, range.to) : null}
          onDone={() => setQuote('')}
        >
          <TextArea
            label={t('desk.comments.review.quote')}
            hint={t('desk.comments.review.quote_hint')}
            rows={2}
            dir="auto"
            value={quote}
            problem={isUnknown && !range && quote.trim() !== '' ? t('desk.comments.review.quote_unknown') : undefined}
            onText={setQuote}
          />
        </NewComment>
      </div>
    </Section>
  )
}
