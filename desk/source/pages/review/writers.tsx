import { useState } from 'react'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { useSearch } from '../../components/choices.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Empty } from '../../components/load-states.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page, Row, Rows } from '../../components/page.tsx'
import { t } from '../../messages.ts'
import { type FoundWriter, invalidateReview, useWriters } from './queries.ts'
import { ReviewNav } from './review-nav.tsx'

/** Find writers, verify their identity, suspend them. */
export function WritersPage() {
  const { q, field } = useSearch()
  const [chosen, setChosen] = useState<FoundWriter>()
  const [suspending, setSuspending] = useState<FoundWriter>()
  return (
    <>
      <ReviewNav />
      <Page title={t('desk.review.writers.title')} lead={t('desk.review.writers.lead')}>
        <Field label={t('desk.review.writers.find')} hint={t('desk.review.writers.find_hint')} {...field} />
        <Loaded query={useWriters(q)}>
          {(writers) =>
            writers.length === 0 ? (
              <Empty title={q ? t('desk.review.writers.no_results', { query: q }) : t('desk.review.writers.empty')}>
                <p>{q ? t('desk.review.writers.no_results_about') : t('desk.review.writers.empty_about')}</p>
              </Empty>
            ) : (
              <Rows>
                {writers.map((writer) => (
                  <Row
                    key={writer.slug}
                    title={<bdi>{writer.name}</bdi>}
                    about={<WriterDetails of={writer} />}
                    actions={
                      <>
                        {!writer.moderates && (
                          <ActButton
                            writer={writer}
                            act={writer.suspended ? 'restore' : 'suspend'}
                            onClick={() => setSuspending(writer)}
                          />
                        )}
                        <ActButton
                          writer={writer}
                          act={writer.identity_verified ? 'unverify' : 'verify'}
                          onClick={() => setChosen(writer)}
                        />
                      </>
                    }
                  />
                ))}
              </Rows>
            )
          }
        </Loaded>
      </Page>
      {chosen && <VerifyDialog writer={chosen} onClose={() => setChosen(undefined)} />}
      {suspending && <SuspendDialog writer={suspending} onClose={() => setSuspending(undefined)} />}
    </>
  )
}

interface ActButtonProps {
  readonly writer: FoundWriter
  readonly act: 'restore' | 'suspend' | 'unverify' | 'verify'
  readonly onClick: () => void
}

const ActButton = ({ writer, act, onClick }: ActButtonProps) => (
  <Button
    kind={act === 'restore' || act === 'verify' ? 'plain' : 'quiet'}
    aria-label={t(`desk.review.writers.label_one.${act}`, writer)}
    onClick={onClick}
  >
    {t(`desk.review.writers.label.${act}`)}
  </Button>
)

const WriterDetails = ({ of }: { readonly of: FoundWriter }) => (
  <span className="facts">
    {of.suspended && <strong>{t('desk.review.writers.suspended_for', { reason: of.suspended.reason })}</strong>}
    <span>{of.identity_verified ? t('desk.review.writers.verified') : t('desk.review.writers.unverified')}</span>
    {of.website_verified && <span>{t('desk.review.writers.website_verified')}</span>}
    {of.pieces_count > 0 ? (
      <a href={`/author/${of.slug}`}>{t('desk.review.writers.pieces', { count: of.pieces_count })}</a>
    ) : (
      <span>{t('desk.review.writers.no_pieces')}</span>
    )}
    <span dir="ltr">{`/author/${of.slug}`}</span>
  </span>
)

interface WriterDialogProps {
  readonly writer: FoundWriter
  readonly onClose: () => void
}

function VerifyDialog({ writer: { slug, name, identity_verified }, onClose }: WriterDialogProps) {
  const verified = !identity_verified
  const act = verified ? 'verify' : 'unverify'
  return (
    <FormDialog
      title={t(`desk.review.writers.question.${act}`, { name })}
      about={t(`desk.review.writers.effect.${act}`)}
      initial={{ note: '' }}
      onSubmit={async ({ note }) => {
        await callApi('PUT', `/review/writers/${slug}/identity`, { verified, note, name })
        showToast(t(`desk.review.writers.done.${act}`, { name }))
        onClose()
        await invalidateReview()
      }}
      submit={t(`desk.review.writers.label.${act}`)}
      kind={verified ? 'main' : 'grave'}
      onClose={onClose}
    >
      {({ field }) => (
        <TextArea
          label={verified ? t('desk.review.writers.evidence') : t('desk.review.writers.reason')}
          hint={t('desk.review.writers.note_hint')}
          {...field('note')}
          limit={2000}
          required
        />
      )}
    </FormDialog>
  )
}

/** Suspends or restores a writer, with a reason. */
function SuspendDialog({ writer: { slug, name, suspended }, onClose }: WriterDialogProps) {
  const act = suspended ? 'restore' : 'suspend'
  return (
    <FormDialog
      title={t(`desk.review.writers.question.${act}`, { name })}
      about={t(`desk.review.writers.effect.${act}`)}
      initial={{ reason: '' }}
      onSubmit={async (given) => {
        await callApi('POST', `/review/writers/${slug}/${act}`, given)
        showToast(t(`desk.review.writers.done.${act}`, { name }))
        onClose()
        await invalidateReview()
      }}
      submit={t(`desk.review.writers.label.${act}`)}
      kind={suspended ? 'main' : 'grave'}
      onClose={onClose}
    >
      {({ field }) => (
        <TextArea
          label={t('desk.review.writers.reason')}
          hint={t(`desk.review.writers.hint.${act}`)}
          {...field('reason')}
          limit={2000}
          required
        />
      )}
    </FormDialog>
  )
}
