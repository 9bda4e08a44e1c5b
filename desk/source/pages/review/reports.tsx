import { useState } from 'react'
import { problemOf } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { TextArea } from '../../components/field.tsx'
import { ErrorNotice, Form, useAttempt } from '../../components/form.tsx'
import { Filters } from '../../components/link.tsx'
import { Empty, Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { useLocation } from '../../components/router.ts'
import { CategoryField, categoryLabel, isCategory, reportCategories } from './categories.tsx'
import { type Category, type ReportedItem, useInvalidateReview, useReports } from './queries.ts'
import { DismissReportsDialog, ReportList, ReportSummary } from './report-list.tsx'
import styles from './review.module.css'
import { LoadMore } from './review-nav.tsx'

/** Reports, illegal content first, then the most recent. */
export function Reports() {
  const given = useLocation().query.get('category')
  const category = isCategory(given) ? given : undefined
  const reports = useReports(category)
  const [settling, setSettling] = useState<ReportedItem>()
  const [taking, setTaking] = useState<ReportedItem>()
  const items = reports.data?.pages.flatMap((page) => page.items)
  return (
    <Page
      title="Reports"
      lead="What readers say about public pieces and listings, illegal content first. Taking one down settles its reports too."
    >
      <CategoryFilters chosen={category} />
      <ErrorNotice error={reports.error} />
      {!items && !reports.error && <Loading />}
      {items?.length === 0 && (
        <Empty title={category ? `No open reports: ${categoryLabel(category)}` : 'No open reports'}>
          <p>Under every public piece and listing readers can report it. What they say comes here.</p>
        </Empty>
      )}
      {items && items.length > 0 && (
        <ol className={styles.index} aria-label="Reported">
          {items.map((item) => (
            <ReportEntry
              key={`${item.kind} ${item.id}`}
              item={item}
              onDismiss={() => setSettling(item)}
              onTakeDown={() => setTaking(item)}
            />
          ))}
        </ol>
      )}
      <LoadMore list={reports} />
      <DismissReportsDialog dismissal={settling} onClose={() => setSettling(undefined)} />
      <Dialog
        title={`Take “${taking?.headline}” out of the shop?`}
        isOpen={taking !== undefined}
        onClose={() => setTaking(undefined)}
      >
        {taking && <TakeDownListing listing={taking} onClose={() => setTaking(undefined)} />}
      </Dialog>
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
  <li className={styles.entry}>
    <p className={styles.facts}>
      {item.is_illegal && <strong className={styles.illegal}>Illegal content</strong>}
      <ReportSummary of={item} />
    </p>
    <h2 dir="auto">
      <a href={item.url}>{item.headline}</a>
    </h2>
    <p className={styles.facts}>
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
function TakeDownListing({ listing: { id, newest }, onClose }: TakeDownListingProps) {
  const [category, setCategory] = useState<Category>(newest[0]?.reason ?? 'other')
  const [reason, setReason] = useState('')
  const changed = useInvalidateReview()
  const attempt = useAttempt()
  const takeDown = attempt.handler(async () => {
    await callApi('POST', `/review/listings/${id}/take-down`, { category, reason })
    showToast('The listing is out of the shop, and its writer is told why.')
    onClose()
    await changed()
  })
  return (
    <Form attempt={attempt} onSubmit={takeDown}>
      <p>
        It leaves the shop at once and cannot be listed again. Its reports are settled with this. The writer is told by
        email, without your name, and can appeal.
      </p>
      <CategoryField value={category} onValue={setCategory} />
      <TextArea
        label="What you found"
        hint="The writer reads exactly this."
        value={reason}
        onText={setReason}
        limit={2000}
        problem={problemOf(attempt.error, 'reason')}
        required
      />
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="grave" type="submit" isBusy={attempt.isBusy}>
          Take down
        </Button>
      </DialogActions>
    </Form>
  )
}
