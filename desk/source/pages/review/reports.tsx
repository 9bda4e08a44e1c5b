import { useState } from 'react'
import { callApi } from '../../api/client.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { TextArea } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useKeptForm } from '../../components/kept-form.ts'
import { Filters } from '../../components/link.tsx'
import { Empty } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { useLocation } from '../../components/router.ts'
import { rich, t } from '../../messages.ts'
import { type Category, invalidateReview, type ReportedItem, useReports } from './queries.ts'
import {
  CategoryField,
  categoryLabel,
  DismissReportsDialog,
  isCategory,
  ReportList,
  ReportSummary,
  reportCategories,
} from './report-list.tsx'
import styles from './review.module.css'
import { ReviewList } from './review-nav.tsx'

/** Reports, illegal content first, then the most recent. */
export function Reports() {
  const given = useLocation().query.get('category')
  const category = isCategory(given) ? given : undefined
  const [settling, setSettling] = useState<ReportedItem>()
  const [taking, setTaking] = useState<ReportedItem>()
  return (
    <Page title={t('desk.review.reports.title')} lead={t('desk.review.reports.lead')}>
      <CategoryFilters chosen={category} />
      <ReviewList
        list={useReports(category)}
        items={({ items }) => items}
        label={t('desk.review.reports.list')}
        empty={
          <Empty
            title={
              category
                ? t('desk.review.reports.empty_in', { category: categoryLabel(category) })
                : t('desk.review.reports.empty')
            }
          >
            <p>{t('desk.review.reports.empty_about')}</p>
          </Empty>
        }
      >
        {(item) => (
          <ReportEntry
            key={`${item.kind} ${item.id}`}
            item={item}
            onDismiss={() => setSettling(item)}
            onTakeDown={() => setTaking(item)}
          />
        )}
      </ReviewList>
      {settling && <DismissReportsDialog dismissal={settling} onClose={() => setSettling(undefined)} />}
      {taking && <TakeDownListing listing={taking} onClose={() => setTaking(undefined)} />}
    </Page>
  )
}

const reportsPath = '/desk/review?list=reports'

const CategoryFilters = ({ chosen }: { readonly chosen: Category | undefined }) => (
  <Filters
    label={t('desk.review.reports.filter')}
    choices={[
      { label: t('desk.review.reports.filter_all'), to: reportsPath, isCurrent: chosen === undefined },
      ...reportCategories.map((category) => ({
        label: categoryLabel(category),
        to: `${reportsPath}&category=${category}`,
        isCurrent: chosen === category,
      })),
    ]}
  />
)

interface ReportEntryProps {
  readonly item: ReportedItem
  readonly onDismiss: () => void
  readonly onTakeDown: () => void
}

const ReportEntry = ({ item, onDismiss, onTakeDown }: ReportEntryProps) => (
  <li>
    <p className="facts">
      {item.is_illegal && <strong className={styles.illegal}>{categoryLabel('illegal')}</strong>}
      <ReportSummary of={item} />
    </p>
    <h2 dir="auto">
      <a href={item.url}>{item.headline}</a>
    </h2>
    <p className="facts">
      <span>
        {rich(item.kind === 'listing' ? 'desk.review.reports.listing_by' : 'desk.review.by', {
          writer: <bdi>{item.writer.name}</bdi>,
        })}
      </span>
    </p>
    <ReportList reports={item.newest} />
    <div className={styles.acts}>
      {item.kind === 'piece' ? (
        <LinkButton to={`/desk/review/${item.id}`}>{t('desk.review.reports.review')}</LinkButton>
      ) : (
        <Button aria-label={t('desk.review.reports.take_down_one', { headline: item.headline })} onClick={onTakeDown}>
          {t('desk.review.reports.take_down')}
        </Button>
      )}
      <Button
        kind="quiet"
        aria-label={t('desk.review.reports.dismiss_one', { headline: item.headline })}
        onClick={onDismiss}
      >
        {t('desk.review.reports.dismiss')}
      </Button>
    </div>
  </li>
)

interface TakeDownListingProps {
  readonly listing: ReportedItem
  readonly onClose: () => void
}

/** Takes a listing out of the shop, with a statement of reasons. */
function TakeDownListing({ listing: { id, headline, newest }, onClose }: TakeDownListingProps) {
  const form = useKeptForm(`listing:${id}`, { category: (newest[0]?.reason ?? 'other') as Category, reason: '' })
  return (
    <FormDialog
      title={t('desk.review.reports.take_down_title', { headline })}
      about={t('desk.review.reports.take_down_about')}
      form={form}
      onSubmit={async (given) => {
        await callApi('POST', `/review/listings/${id}/take-down`, given)
        form.forget()
        showToast(t('desk.review.reports.taken_down'))
        onClose()
        await invalidateReview()
      }}
      submit={t('desk.review.reports.take_down')}
      kind="grave"
      onClose={onClose}
    >
      {({ field, values: { category }, change }) => (
        <>
          <CategoryField value={category} onValue={(category) => change({ category })} />
          <TextArea
            label={t('desk.review.decide.explanation')}
            hint={t('desk.review.decide.explanation_hint')}
            {...field('reason')}
            limit={2000}
            required
          />
        </>
      )}
    </FormDialog>
  )
}
