import { useState } from 'react'
import { flushSync } from 'react-dom'
import { newId } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { Form, FormActions, SubmitButton, useForm } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { navigate, useNavigationGuard } from '../../components/router.ts'
import { t } from '../../messages.ts'
import { PiecesField } from './pieces.tsx'
import { type DeskSeries, deleteSeries, limits, type SeriesValues, saveSeries, useSeries } from './queries.ts'

/** One series: its title, its description and its pieces in their order. */
export function EditSeriesPage({ id }: { readonly id: string }) {
  const query = useSeries()
  const [fresh] = useState(newId)
  // The form begins with what was found first: values do not change while typing.
  const [found, setFound] = useState<{ readonly id: string; readonly all: readonly DeskSeries[] }>()
  if (query.data && found?.id !== id) setFound({ id, all: query.data })
  const first = found?.all
  const series = first?.find((one) => one.id === id)
  const isMissing = first !== undefined && id !== 'new' && !series
  return (
    <Page
      title={series?.title ?? t('desk.series.new')}
      back={{ to: '/desk/series', words: t('desk.common.series') }}
      lead={isMissing && t('desk.series.gone')}
    >
      <Loaded query={{ ...query, data: first }}>
        {(all) =>
          isMissing ? null : (
            <SeriesForm key={id} id={series?.id ?? fresh} first={series} others={all.filter((one) => one !== series)} />
          )
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
  const [saved, setSaved] = useState(first)
  const form = useForm(() => valuesOf(first))
  const { values, change, field } = form
  const [isDeleting, setDeleting] = useState(false)
  const isUnsaved = JSON.stringify(values) !== JSON.stringify(valuesOf(saved))
  const save = async () => {
    const series = await saveSeries(id, values, saved?.revision ?? null)
    // At once, so that nothing is unsaved when the address changes.
    flushSync(() => {
      setSaved(series)
      change(valuesOf(series))
    })
    showToast(t(series.url ? 'desk.series.saved_public' : 'desk.series.saved'))
    if (!saved) navigate(`/desk/series/${id}`, { replace: true })
  }
  const taken = new Map(others.flatMap(({ title, pieces }) => pieces.map((piece) => [piece.id, title] as const)))
  return (
    <>
      <Form form={form} onSubmit={save}>
        <Field label={t('desk.series.title')} {...field('title')} limit={limits.title} autoComplete="off" required />
        <TextArea
          label={t('desk.series.description')}
          hint={t('desk.series.description_hint')}
          {...field('description')}
          limit={limits.description}
          rows={3}
        />
        <PiecesField pieces={values.pieces} taken={taken} onPieces={(pieces) => change({ pieces })} />
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
            flushSync(() => change(valuesOf(saved)))
            showToast(t('desk.series.deleted', { title: saved.title }))
            navigate('/desk/series', { replace: true })
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

/** Asks before unsaved changes are lost. */
function UnsavedChanges({ isUnsaved }: { readonly isUnsaved: boolean }) {
  // In an object, since useState would call a function.
  const [pending, setPending] = useState<{ readonly leave: () => void }>()
  useNavigationGuard(isUnsaved, (leave) => setPending({ leave }))
  if (!pending) return null
  const stay = () => setPending(undefined)
  return (
    <Dialog title={t('desk.series.leave_title')} onClose={stay}>
      <p>{t('desk.series.leave_about')}</p>
      <DialogActions>
        <Button kind="quiet" onClick={stay}>
          {t('desk.common.cancel')}
        </Button>
        <Button kind="grave" onClick={pending.leave}>
          {t('desk.series.leave')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
