import { Sign } from '../../components/status.tsx'
import type { DeskProduct } from './form-values.ts'

type Of = Pick<DeskProduct, 'status' | 'has_unpublished_changes' | 'withheld'>

/** What readers have of a listing, in words. */
export const Standing = ({ of: { status, has_unpublished_changes, withheld } }: { readonly of: Of }) => {
  if (withheld !== null) return <Sign like="rejected" word="Taken out by the site" />
  if (status === 'draft') return <Sign like="draft" word="Draft" />
  return has_unpublished_changes ? (
    <Sign like="changes_requested" word="Listed with unpublished changes" />
  ) : (
    <Sign like="approved" word="Listed" />
  )
}
