import { DecisionLink, useLastDecision } from '../../components/decision.tsx'
import { Notice } from '../../components/notice.tsx'
import { siteName } from '../../components/site.ts'
import { StatusLabel } from '../../components/status.tsx'
import type { DeskProduct } from './listing-form.ts'

type ListingState = Pick<DeskProduct, 'status' | 'has_unpublished_changes' | 'withheld'>

/** The public status of a listing. */
export const ListingStatus = ({ of: { status, has_unpublished_changes, withheld } }: { readonly of: ListingState }) => {
  if (withheld !== null) return <StatusLabel like="rejected" word="Taken out by the site" />
  if (status === 'draft') return <StatusLabel like="draft" word="Draft" />
  return has_unpublished_changes ? (
    <StatusLabel like="changes_requested" word="Listed with unpublished changes" />
  ) : (
    <StatusLabel like="approved" word="Listed" />
  )
}

/** Why the listing was taken down, with a link to appeal. */
export const WithheldNotice = ({ id, why }: { readonly id: string; readonly why: string }) => (
  <Notice kind="bad">
    <p>
      <bdi>{siteName}</bdi> took this listing out of its shop: <q dir="auto">{why}</q>
    </p>
    <p>You can still change it, but not list it.</p>
    <DecisionLink decision={useLastDecision(id)} />
  </Notice>
)
