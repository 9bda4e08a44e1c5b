import type { Message } from '../../../../server/messages/message.ts'
import type { Post } from '../../../../server/sync/imports/post.ts'
import { Button } from '../../components/button.tsx'
import { Section } from '../../components/page.tsx'
import { saveFile } from '../../components/save-file.ts'
import { say, t } from '../../messages.ts'
import styles from './import.module.css'

interface ReportProps {
  readonly lost: readonly Message[]
  readonly posts: readonly { readonly post: Post; readonly notes: readonly Message[] }[]
  readonly isOpen?: boolean
}

/** More than anybody reads on a page; the file has all. */
const mostShown = 100

/** What is not carried over, of the export and of each post. */
export function Report({ lost, posts, isOpen = false }: ReportProps) {
  const noted = posts.filter(({ notes }) => notes.length > 0)
  if (lost.length === 0 && noted.length === 0) return null
  const text = () =>
    [
      ...lost.map((note) => `- ${say(note)}\n`),
      ...noted.map(
        ({ post, notes }) => `\n${post.draft.headline}\n${notes.map((note) => `- ${say(note)}\n`).join('')}`,
      ),
    ].join('')
  return (
    <Section title={t('desk.import.report')} lead={t('desk.import.report_lead')}>
      {lost.length > 0 && <Notes notes={lost} />}
      {noted.length > 0 && (
        <details open={isOpen} className={styles.report}>
          <summary>{t('desk.import.report_posts', { count: noted.length })}</summary>
          <ul>
            {noted.slice(0, mostShown).map(({ post, notes }) => (
              <li key={post.origin}>
                <strong dir="auto">{post.draft.headline}</strong>
                <Notes notes={notes} />
              </li>
            ))}
          </ul>
          {noted.length > mostShown && <p>{t('desk.import.report_more', { count: noted.length - mostShown })}</p>}
        </details>
      )}
      <Button onClick={() => saveFile(new File([text()], 'not-carried-over.txt', { type: 'text/plain' }))}>
        {t('desk.import.report_save')}
      </Button>
    </Section>
  )
}

const Notes = ({ notes }: { readonly notes: readonly Message[] }) => (
  <ul>
    {notes.map((note) => (
      <li key={JSON.stringify(note)} dir="auto">
        {say(note)}
      </li>
    ))}
  </ul>
)
