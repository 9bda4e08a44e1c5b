import { useState } from 'react'
import { callApi } from '../../api/client.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { TextArea } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Filters } from '../../components/link.tsx'
import { Empty } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { useLocation } from '../../components/router.ts'
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
    <Page
      title="Reports"
      lead="What readers say about public pieces and listings, illegal content first. Taking one down settles its reports too."
    >
      <CategoryFilters chosen={category} />
      <ReviewList
        list={useReports(category)}
        items={({ items }) => items}
        label="Reported"
        empty={
          <Empty title={category ? `No open reports: ${categoryLabel(category)}` : 'No open reports'}>
            <p>Under every public piece and listing readers can report it. What they say comes here.</p>
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
    label="Which reports"
    choices={[
      { label: 'All', to: reportsPath, isCurrent: chosen === undefined },
      ...reportCategories.map(([category, label]) => ({
        label,
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
      {item.is_illegal && <strong className={styles.illegal}>Illegal content</strong>}
      <ReportSummary of={item} />
    </p>
    <h2 dir="auto">
      <a href={item.url}>{item.headline}</a>
    </h2>
    <p className="facts">
      <span>
        {item.kind === 'listing' && 'Listing in the shop, by '}
        {item.kind === 'piece' && 'By '}
        <bdi>{item.writer.name}</bdi>
      </span>
    </p>
    <ReportList reports={item.newest} />
    <div className={styles.acts}>
      {item.kind === 'piece' ? (
        <LinkButton to={`/desk/review/${item.id}`}>Read it and decide</LinkButton>
      ) : (
        <Button aria-label={`Take down “${item.headline}”`} onClick={onTakeDown}>
          Take down
        </Button>
      )}
      <Button kind="quiet" aria-label={`Dismiss the reports of “${item.headline}”`} onClick={onDismiss}>
        Dismiss
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
  return (
    <FormDialog
      title={`Take “${headline}” out of the shop?`}
      about="It leaves the shop at once and cannot be listed again. Its reports are settled with this. The writer is told by email, without your name, and can appeal."
      initial={{ category: (newest[0]?.reason ?? 'other') as Category, reason: '' }}
      onSubmit={async (given) => {
        await callApi('POST', `/review/listings/${id}/take-down`, given)
        showToast('The listing is out of the shop, and its writer is told why.')
        onClose()
        await invalidateReview()
      }}
      submit="Take down"
      kind="grave"
      onClose={onClose}
    >
      {({ field, values: { category }, change }) => (
        <>
          <CategoryField value={category} onValue={(category) => change({ category })} />
          <TextArea
            label="What you found"
            hint="The writer reads exactly this."
            {...field('reason')}
            limit={2000}
            required
          />
        </>
      )}
    </FormDialog>
  )
}
