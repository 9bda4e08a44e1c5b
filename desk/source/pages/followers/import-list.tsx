import { useState } from 'react'
import { agreeToImport, type FollowerImport, type ImportPreview, previewImport } from '../../api/followers.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/choices.tsx'
import { useFileInput } from '../../components/file-input.tsx'
import { ErrorNotice, FormActions, useAttempt } from '../../components/form.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/page.tsx'
import { t } from '../../messages.ts'
import styles from './followers.module.css'

interface Previewed {
  readonly name: string
  readonly preview: ImportPreview
}

/** Followers from elsewhere: a file, what it would change, the writer's statement, and how far earlier ones are. */
export function ImportList({ imports }: { readonly imports: readonly FollowerImport[] }) {
  const attempt = useAttempt()
  const [previewed, setPreviewed] = useState<Previewed>()
  const { choose, input, dropTarget } = useFileInput(
    t('desk.followers.import_file'),
    '.csv,.tsv,.txt,text/csv',
    (file) => attempt.handler(async () => setPreviewed({ name: file.name, preview: await previewImport(file) }))(),
  )
  const isStopped = imports.some(({ is_stopped }) => is_stopped)
  return (
    <Section title={t('desk.followers.import')} lead={t('desk.followers.import_lead')}>
      {isStopped && <Notice kind="bad">{t('desk.followers.import_stopped')}</Notice>}
      <ErrorNotice error={attempt.error} />
      {previewed ? (
        <Preview {...previewed} onEnd={() => setPreviewed(undefined)} />
      ) : (
        <div {...dropTarget}>
          <Button isBusy={attempt.isBusy} disabled={isStopped} onClick={choose}>
            {t('desk.followers.import_choose')}
          </Button>
        </div>
      )}
      {input}
      {imports.map((one) => (
        <Imported key={one.id} {...one} />
      ))}
    </Section>
  )
}

function Preview({ name, preview, onEnd }: Previewed & { readonly onEnd: () => void }) {
  const attempt = useAttempt()
  const [isAgreed, setAgreed] = useState(false)
  const isEmpty = preview.added + preview.asked === 0
  const agree = attempt.handler(async () => {
    await agreeToImport(preview.id)
    onEnd()
  })
  return (
    <div>
      <h3 ref={focus} tabIndex={-1} dir="auto">
        {t('desk.followers.import_preview', { name })}
      </h3>
      <Counts counts={preview} />
      {preview.asked > askedPerDay && <p>{t('desk.followers.import_asked_limit', { limit: askedPerDay })}</p>}
      {isEmpty ? (
        <p>{t('desk.followers.import_nothing')}</p>
      ) : (
        <>
          <Checkbox label={preview.statement} isOn={isAgreed} onChange={setAgreed} />
          <p className={styles.note}>{t('desk.followers.import_note')}</p>
        </>
      )}
      <ErrorNotice error={attempt.error} />
      <FormActions>
        {!isEmpty && (
          <Button kind="main" disabled={!isAgreed} isBusy={attempt.isBusy} onClick={agree}>
            {t('desk.followers.import_agree')}
          </Button>
        )}
        <Button onClick={onEnd}>{t('desk.common.cancel')}</Button>
      </FormActions>
    </div>
  )
}

const focus = (heading: HTMLElement | null) => heading?.focus()

/** The same limit as in the database. */
const askedPerDay = 30

const counted = ['added', 'asked', 'known', 'ended', 'malformed', 'repeated', 'over_limit'] as const

/** Those that are not zero; new followers in any case. */
const Counts = ({ counts }: { readonly counts: Partial<Record<(typeof counted)[number], number>> }) => (
  <dl className={styles.counts}>
    {counted
      .filter((name) => name === 'added' || counts[name])
      .map((name) => (
        <div key={name}>
          <dt>{t(`desk.followers.import_count.${name}`)}</dt>
          <dd>{(counts[name] ?? 0).toLocaleString(document.documentElement.lang)}</dd>
        </div>
      ))}
  </dl>
)

function Imported(one: FollowerImport) {
  const done = counted.reduce((sum, name) => sum + one[name], 0)
  const running = t('desk.followers.import_running', { done, total: one.rows })
  return one.is_finished ? (
    <details>
      <summary>{t('desk.followers.import_done', { at: one.agreed_at })}</summary>
      <Counts counts={one} />
    </details>
  ) : (
    <div role="status">
      <p>{running}</p>
      <progress aria-label={running} max={one.rows} value={done} />
    </div>
  )
}
