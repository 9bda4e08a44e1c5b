import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeskPieceFound, History, RevisionFound } from '../../../../server/features/pieces/desk-schema.ts'
import { callApi, callApiWithTag, errorMessage } from '../../api/client.ts'
import { invalidate } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Form, SubmitButton, useAttempt } from '../../components/form.tsx'
import { BackLink } from '../../components/link.tsx'
import { Empty, Loading } from '../../components/load-states.tsx'
import { Notice, showToast } from '../../components/notice.tsx'
import { usePageHeading } from '../../components/page.tsx'
import { navigate, useLocation } from '../../components/router.ts'
import { t } from '../../messages.ts'
import { Changes } from './changes.tsx'
import styles from './history.module.css'
import { eventsOf, type Revision, revisionBefore, Timeline } from './timeline.tsx'

/** The history of a piece: timeline, diff and restore. */
export function HistoryPage({ id }: { readonly id: string }) {
  const heading = usePageHeading(t('desk.common.history'))
  const { data, error } = useQuery({
    queryKey: ['history', id],
    queryFn: async () => ({
      history: await callApi<History>('GET', `/pieces/${id}/history`),
      piece: (await callApi<DeskPieceFound>('GET', `/pieces/${id}`)).piece,
    }),
    staleTime: 0,
  })
  const [chosen, setChosen] = useState<number>()
  const [from, setFrom] = useState<number>()
  const since = Number(useLocation().query.get('since'))
  const restoring = useAttempt()

  const restore = (revision: number) =>
    restoring.handler(async () => {
      const { revision: old } = await callApi<RevisionFound>('GET', `/pieces/${id}/revisions/${revision}`)
      const { tag, answer } = await callApiWithTag<DeskPieceFound>('GET', `/pieces/${id}`)
      // The other details stay as they are: consent to a translation belongs to its present original.
      const { headline, sub, body_md, tags } = old
      // One that nobody had chosen is not chosen by this.
      const category = old.category === answer.piece.category ? undefined : old.category
      const options = tag ? { ifMatch: tag } : {}
      await callApi('PATCH', `/pieces/${id}`, { headline, sub, body_md, category, tags }, options)
      await invalidate('history', id)
      showToast(t('desk.history.restored', { revision }))
      navigate(`/desk/edit/pieces/${id}`)
    })

  const newest = data?.history.revisions[0]?.revision
  const shown = chosen ?? newest
  const shownSave = data?.history.revisions.find(({ revision }) => revision === shown)
  const before =
    from ?? (data && shown !== undefined ? comparedWith(data.history, shown, chosen ? 0 : since) : undefined)
  return (
    <div className={styles.history}>
      <header>
        <BackLink to={`/desk/edit/pieces/${id}`}>{t('desk.history.back')}</BackLink>
        <h1 ref={heading} tabIndex={-1}>
          {t('desk.common.history')}
        </h1>
        {data && <p dir="auto">{data.piece.headline}</p>}
      </header>
      {error && <Notice kind="bad">{errorMessage(error)}</Notice>}
      {!data && !error && <Loading />}
      {data && shown === undefined && (
        <Empty title={t('desk.history.empty_title')}>
          <p>{t('desk.history.empty')}</p>
        </Empty>
      )}
      {data && shown !== undefined && (
        <div className={styles.columns}>
          <Timeline
            events={eventsOf(data.history)}
            chosen={shown}
            onChosen={(revision, before) => {
              setChosen(revision)
              setFrom(before)
            }}
          />
          <Changes
            id={id}
            history={data.history}
            revision={shown}
            before={before}
            onBefore={setFrom}
            isChosen={chosen !== undefined}
          >
            {shownSave && <NameVersion key={shown} id={id} saved={shownSave} />}
            {restoring.error !== undefined && <Notice kind="bad">{errorMessage(restoring.error)}</Notice>}
            {shown !== newest && (
              <div className={styles.restore}>
                <Button isBusy={restoring.isBusy} onClick={restore(shown)}>
                  {t('desk.history.restore')}
                </Button>
                <p>{t('desk.history.restore_hint')}</p>
              </div>
            )}
          </Changes>
        </div>
      )}
    </div>
  )
}

/** The revision the URL asks for, if it exists; otherwise the one before the edit session. */
const comparedWith = (history: History, shown: number, since: number): number | undefined =>
  history.revisions.some(({ revision }) => revision === since && revision < shown)
    ? since
    : revisionBefore(history, shown)

interface NameVersionProps {
  readonly id: string
  readonly saved: Revision
}

/** Collapsed until opened. A named version is kept forever. */
function NameVersion({ id, saved: { revision, name } }: NameVersionProps) {
  const [isOpen, setOpen] = useState(false)
  if (!isOpen)
    return (
      <p>
        {name && <strong>{name} </strong>}
        <button type="button" className={styles.word} onClick={() => setOpen(true)}>
          {t(name ? 'desk.history.name.change' : 'desk.history.name.add')}
        </button>
      </p>
    )
  return (
    <Form
      initial={{ name: name ?? '' }}
      onSubmit={async (given) => {
        const newName = given.name.trim() || null
        await callApi('PUT', `/pieces/${id}/revisions/${revision}/name`, { name: newName })
        await invalidate('history', id)
        setOpen(false)
        showToast(t(newName ? 'desk.history.name.saved' : 'desk.history.name.removed'))
      }}
    >
      {({ field }) => (
        <>
          <Field
            label={t('desk.history.name.label')}
            hint={t('desk.history.name.hint')}
            limit={80}
            {...field('name')}
            autoFocus
          />
          <div className={styles.restore}>
            <SubmitButton kind="plain">{t('desk.common.save')}</SubmitButton>
            <button type="button" className={styles.word} onClick={() => setOpen(false)}>
              {t('desk.common.cancel')}
            </button>
          </div>
        </>
      )}
    </Form>
  )
}
