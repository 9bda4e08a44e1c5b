import { useState } from 'react'
import { ApiError, newId } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { ConflictNotice } from '../../components/conflict-notice.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { Form, FormActions, SubmitButton, useForm } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { showToast } from '../../components/notice.tsx'
import { focusHeading, Page } from '../../components/page.tsx'
import { navigate, replaceUrl } from '../../components/router.ts'
import { UnsavedChanges } from '../../components/unsaved-changes.tsx'
import { t } from '../../messages.ts'
import { PiecesField } from './pieces.tsx'
import {
  type DeskSeries,
  deleteSeries,
  limits,
  readSeries,
  type SeriesValues,
  saveSeries,
  useSeries,
} from './queries.ts'

/** One series: its title, its description and its pieces in their order. */
export function EditSeriesPage({ id }: { readonly id: string }) {
  const query = useSeries()
  const [fresh] = useState(newId)
  const isNew = id === 'new'
  const isThis = (series: DeskSeries): boolean => series.id === (isNew ? fresh : id)
  // The form begins with what was found first: values do not change while typing.
  const [first, setFirst] = useState<readonly DeskSeries[]>()
  if (query.data && !first) setFirst(query.data)
  const series = first?.find(isThis)
  const isMissing = first !== undefined && !isNew && !series
  const title = (query.data?.find(isThis) ?? series)?.title
  return (
    <Page
      title={title ?? t(isNew ? 'desk.series.new' : 'desk.common.series')}
      back={{ to: '/desk/series', words: t('desk.common.series') }}
      lead={isMissing && t('desk.series.gone')}
    >
      <Loaded query={query}>
        {(all) =>
          !isMissing && <SeriesForm id={isNew ? fresh : id} first={series} others={all.filter((one) => !isThis(one))} />
        }
      </Loaded>
    </Page>
  )
}

interface SeriesFormProps {
  readonly id: string
  /** Undefined for a new series. */
  readonly first: DeskSeries | undefined
  readonly others: readonly DeskSeries[]
}

const valuesOf = (series: DeskSeries | undefined): SeriesValues => ({
  title: series?.title ?? '',
  description: series?.description ?? '',
  pieces: series?.pieces ?? [],
})

function SeriesForm({ id, first, others }: SeriesFormProps) {
  const [{ saved, sent }, setSaved] = useState(() => ({ saved: first, sent: valuesOf(first) }))
  const form = useForm(() => valuesOf(first))
  const { values, change, field } = form
  const [isDeleting, setDeleting] = useState(false)
  const isUnsaved = JSON.stringify(values) !== JSON.stringify(sent)
  /** What was saved elsewhere since `saved`. */
  const [theirs, setTheirs] = useState<DeskSeries>()
  const resolve = () => {
    setTheirs(undefined)
    // The pressed button is removed with the notice.
    if (theirs) focusHeading()
  }
  const save = async (version: DeskSeries | undefined) => {
    try {
      const series = await saveSeries(id, values, version?.revision ?? null)
      // What was typed meanwhile stays, and is not saved.
      setSaved({ saved: series, sent: values })
      resolve()
      showToast(t(series.url ? 'desk.series.saved_public' : 'desk.series.saved'))
      if (!version) replaceUrl(`/desk/series/${id}`)
    } catch (error) {
      const other = error instanceof ApiError && error.status === 412 ? await readSeries(id) : undefined
      if (!other) throw error
      setTheirs(other)
    }
  }
  const takeTheirs = (series: DeskSeries) => {
    setSaved({ saved: series, sent: valuesOf(series) })
    change(valuesOf(series))
    resolve()
  }
  const taken = new Set(others.flatMap(({ pieces }) => pieces.map((piece) => piece.id)))
  return (
    <>
      <Form form={form} onSubmit={() => save(saved)}>
        <Field label={t('desk.series.title')} {...field('title')} limit={limits.title} autoComplete="off" required />
        <TextArea
          label={t('desk.series.description')}
          hint={t('desk.series.description_hint')}
          {...field('description')}
          limit={limits.description}
          rows={3}
        />
        <PiecesField pieces={values.pieces} taken={taken} onPieces={(pieces) => change({ pieces })} />
        {theirs && (
          <ConflictNotice
            isBusy={form.isBusy}
            onKeep={form.handler(() => save(theirs))}
            onUseOther={() => takeTheirs(theirs)}
          >
            <p>{t('desk.series.conflict')}</p>
          </ConflictNotice>
        )}
        <FormActions>
          <SubmitButton disabled={!isUnsaved}>{t('desk.common.save')}</SubmitButton>
          {saved && (
            <Button kind="quiet" onClick={() => setDeleting(true)}>
              {t('desk.common.delete')}
            </Button>
          )}
          {saved?.url && <a href={saved.url}>{t('desk.series.view')}</a>}
        </FormActions>
      </Form>
      <UnsavedChanges isUnsaved={isUnsaved} />
      {saved && isDeleting && (
        <FormDialog
          title={t('desk.series.delete_title', { title: saved.title })}
          about={t('desk.series.delete_about')}
          submit={t('desk.common.delete')}
          kind="grave"
          onSubmit={async () => {
            await deleteSeries(id)
            showToast(t('desk.series.deleted', { title: saved.title }))
            navigate('/desk/series', { replace: true, skipGuard: true })
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}
