import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ImportedDraft, ImportedDrafts } from '../../../../server/features/pieces/import-schema.ts'
import { callApi } from '../../api/client.ts'
import { useWebhook } from '../../api/webhook.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Select } from '../../components/choices.tsx'
import { FormActions } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Link } from '../../components/link.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { focusHeading, Page, Section } from '../../components/page.tsx'
import { categories } from '../../components/piece.ts'
import { formats, t } from '../../messages.ts'
import styles from './import.module.css'
import { type Failure, publishImported, publishRun, stopPublishing, unfinishedBatch } from './publish-run.ts'

/** Imported drafts are published in one batch, with the dates they had. */
export function PublishImportedPage() {
  const drafts = useQuery({
    queryKey: ['imports'],
    queryFn: ({ signal }) => callApi<ImportedDrafts>('GET', '/imports', undefined, { signal, isFresh: true }),
    // What the writer has chosen stays as it is shown; the server refuses what has changed.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const run = publishRun.use()
  const state = run === undefined ? 'choosing' : run.isOver ? 'over' : 'running'
  // The button that had the focus is gone.
  const shown = useRef(state)
  useEffect(() => {
    if (shown.current !== state) focusHeading()
    shown.current = state
  }, [state])
  return (
    <Page
      title={t('desk.import.batch.title')}
      back={{ to: '/desk/import', words: t('desk.import.title') }}
      lead={t('desk.import.batch.lead')}
    >
      {run && <Progress />}
      {state !== 'running' && (
        <Loaded query={drafts}>
          {(list) => (list.total === 0 ? <Nothing /> : <Choose key={drafts.dataUpdatedAt} list={list} />)}
        </Loaded>
      )}
    </Page>
  )
}

const Nothing = () => (
  <Section title={t('desk.import.batch.none')} lead={t('desk.import.batch.none_lead')}>
    <FormActions>
      <LinkButton to="/desk">{t('desk.common.go_to_pieces')}</LinkButton>
      <LinkButton to="/desk/import" kind="quiet">
        {t('desk.import.batch.import')}
      </LinkButton>
    </FormActions>
  </Section>
)

function Progress() {
  const run = publishRun.use()
  if (!run) return null
  const { done, total, published, failures, isOver, problem } = run
  if (!isOver) {
    return (
      <Section title={t('desk.import.batch.publishing')}>
        <label className={styles.progress}>
          {t('desk.import.batch.progress', { done, total })}
          <progress max={Math.max(total, 1)} value={done} />
        </label>
        <p>{t('desk.import.batch.may_leave')}</p>
        <FormActions>
          <Button onClick={stopPublishing}>{t('desk.import.stop')}</Button>
        </FormActions>
      </Section>
    )
  }
  return (
    <Section title={t(published + failures.length === total ? 'desk.import.batch.done' : 'desk.import.batch.not_done')}>
      <div role="status">
        {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
        <Notice kind={published === total ? 'good' : 'plain'}>
          <p>{t('desk.import.batch.published', { count: published })}</p>
          {published < total && <p>{t('desk.import.batch.rest', { count: total - published })}</p>}
        </Notice>
      </div>
      {failures.length > 0 && (
        <ul className={styles.failures}>
          {failures.map(({ draft, problem }) => (
            <li key={draft.id}>
              <Link to={`/desk/edit/pieces/${draft.id}`}>
                <bdi>{draft.headline}</bdi>
              </Link>
              : {wordsOf(problem)}
            </li>
          ))}
        </ul>
      )}
      <FormActions>
        <LinkButton to="/desk?status=approved">{t('desk.import.batch.see')}</LinkButton>
      </FormActions>
    </Section>
  )
}

const wordsOf = (problem: Failure['problem']): string =>
  typeof problem === 'string' ? t('desk.import.batch.problem', { problem }) : problem.words

/** The writer must choose, since an import has no section of its own. */
type Chosen = '' | 'keep' | (typeof categories)[number]

function Choose({ list: { pieces, total, allowance } }: { readonly list: ImportedDrafts }) {
  const { data: webhook } = useWebhook()
  const possible = pieces.filter(({ problem }) => problem === null)
  const others = pieces.filter(({ problem }) => problem !== null)
  const most = allowance ?? Number.POSITIVE_INFINITY
  const [left, setLeft] = useState<ReadonlySet<string>>(() => new Set(possible.slice(most).map(({ id }) => id)))
  const [chosen, setChosen] = useState<Chosen>('')
  const [isAsking, setAsking] = useState(false)
  const selected = possible.filter(({ id }) => !left.has(id))
  const isTooMany = selected.length > most
  const canKeep = selected.every(({ is_category_chosen: isChosen }) => isChosen)
  const category = chosen === 'keep' && !canKeep ? '' : chosen
  const count = selected.length

  const toggle = (id: string): void => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    setLeft(next)
  }

  return (
    <>
      <Unfinished possible={possible} most={most} />
      {allowance !== null && <Notice>{t('desk.import.batch.allowance', { count: allowance })}</Notice>}
      {possible.length > 0 && (
        <Section title={t('desk.import.batch.ready', { count: possible.length })}>
          {total > pieces.length && <p>{t('desk.import.batch.more', { shown: pieces.length, total })}</p>}
          <FormActions>
            <Button onClick={() => setLeft(new Set())}>{t('desk.import.batch.all')}</Button>
            <Button onClick={() => setLeft(new Set(possible.map(({ id }) => id)))}>
              {t('desk.import.batch.clear')}
            </Button>
          </FormActions>
          <ul className={styles.drafts} aria-label={t('desk.import.batch.ready', { count: possible.length })}>
            {possible.map((draft) => (
              <li key={draft.id}>
                <input
                  type="checkbox"
                  id={`select-${draft.id}`}
                  checked={!left.has(draft.id)}
                  onChange={() => toggle(draft.id)}
                />
                <Entry draft={draft} />
              </li>
            ))}
          </ul>
          <Select
            label={t('desk.import.batch.section')}
            hint={t('desk.import.batch.section_hint')}
            value={category}
            onValue={setChosen}
            options={[
              ['', t('desk.import.batch.choose')] as const,
              ...(canKeep ? [['keep', t('desk.import.batch.section_keep')] as const] : []),
              ...categories.map((one) => [one, t(`desk.common.category.${one}`)] as const),
            ]}
          />
          <p className={styles.told}>
            {t('desk.import.batch.feeds')}
            {webhook?.live_since && ` ${t('desk.import.batch.webhook', { count, host: new URL(webhook.url).host })}`}
          </p>
          {isTooMany && <Notice kind="bad">{t('desk.import.batch.too_many', { count: most })}</Notice>}
          <FormActions>
            <Button kind="main" disabled={count === 0 || category === '' || isTooMany} onClick={() => setAsking(true)}>
              {t('desk.import.batch.publish', { count })}
            </Button>
          </FormActions>
        </Section>
      )}
      {others.length > 0 && (
        <Section
          title={t('desk.import.batch.others', { count: others.length })}
          lead={t('desk.import.batch.others_lead')}
        >
          <ul className={styles.drafts}>
            {others.map((draft) => (
              <li key={draft.id}>
                <Entry draft={draft} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {isAsking && (
        <FormDialog
          title={t('desk.import.batch.confirm', { count })}
          about={t('desk.import.batch.confirm_about')}
          initial={{}}
          onSubmit={async () => {
            setAsking(false)
            void publishImported(selected, category === 'keep' ? null : category)
          }}
          submit={t('desk.import.batch.publish', { count })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

interface UnfinishedProps {
  readonly possible: readonly ImportedDraft[]
  readonly most: number
}

/** What is left of a batch goes on with one press: its section and its posts were chosen. */
function Unfinished({ possible, most }: UnfinishedProps) {
  const [batch] = useState(unfinishedBatch)
  const rest = possible.filter(({ id }) => batch?.ids.includes(id)).slice(0, most)
  if (!batch || rest.length === 0) return null
  return (
    <Notice>
      <p>{t('desk.import.batch.unfinished', { count: rest.length })}</p>
      <FormActions>
        <Button kind="main" onClick={() => void publishImported(rest, batch.category)}>
          {t('desk.import.batch.publish_rest', { count: rest.length })}
        </Button>
      </FormActions>
    </Notice>
  )
}

const day = (date: string): string => formats.date(date, { dateStyle: 'long' })

function Entry({ draft: { id, headline, date, notes, problem } }: { readonly draft: ImportedDraft }) {
  return (
    <div>
      {problem === null ? (
        <label htmlFor={`select-${id}`} dir="auto">
          {headline}
        </label>
      ) : (
        <Link to={`/desk/edit/pieces/${id}`}>
          <bdi>{headline}</bdi>
        </Link>
      )}
      <p className={styles.told}>
        {problem !== null && <span>{t('desk.import.batch.problem', { problem })} </span>}
        {date !== null && <time dateTime={date}>{day(date)}</time>}
      </p>
      {notes.length > 0 && (
        <details className={styles.notes}>
          <summary>{t('desk.import.batch.notes', { count: notes.length })}</summary>
          <ul>
            {notes.map((note) => (
              <li key={note} dir="auto">
                {note}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
