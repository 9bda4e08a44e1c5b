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

interface ReadingCommentsProps {
  readonly piece: string
  /** The Markdown that is read. */
  readonly body: string
  readonly reader: 'moderator' | 'co_author'
}

/** Comments below a piece that others than its writer read: moderators in review, and co-authors. */
export function ReadingComments({ piece, body, reader }: ReadingCommentsProps) {
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
    <Section title={t('desk.comments.title')} lead={t(`desk.comments.reading.lead.${reader}`)}>
      <Loaded query={query}>
        {(threads) =>
          threads.length === 0 ? (
            <p>{t(`desk.comments.reading.empty.${reader}`)}</p>
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
            label={t('desk.comments.reading.quote')}
            hint={t('desk.comments.reading.quote_hint')}
            rows={2}
            dir="auto"
            value={quote}
            problem={isUnknown && !range && quote.trim() !== '' ? t('desk.comments.reading.quote_unknown') : undefined}
            onText={setQuote}
          />
        </NewComment>
      </div>
    </Section>
  )
}
