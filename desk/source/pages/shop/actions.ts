import type { DeskProduct } from './form-values.ts'

/** What a writer does with a listing, in words. */
export interface Act {
  readonly name: 'publish' | 'update' | 'withdraw'
  readonly button: string
  readonly question: string
  /** What happens then, before it does. */
  readonly before: string
  /** What has happened. */
  readonly after: string
  /** It is about exactly what was shown. */
  readonly isOfText: boolean
}

const list: Act = {
  name: 'publish',
  button: 'List it',
  question: 'List it now?',
  before:
    'Everyone can find it at once: in the site’s shop, on your page, and by AI clients. Its address is made of its name and never moves.',
  after: 'It is listed',
  isOfText: true,
}
const update: Act = {
  name: 'update',
  button: 'Update',
  question: 'Show readers this?',
  before: 'Readers get this instead of what they have. Its address stays.',
  after: 'Readers have the new listing',
  isOfText: true,
}
export const withdraw: Act = {
  name: 'withdraw',
  button: 'Withdraw',
  question: 'Take it out of the shop?',
  before: 'Readers can no longer see it, at once. It is a draft again; listed later, it has the same address.',
  after: 'It is no longer listed',
  isOfText: false,
}

/** How it becomes what readers see: nothing to do where they see it already, or where the site keeps it from them. */
export function showingOf(product: DeskProduct | undefined, isUnsaved: boolean): Act | undefined {
  if (product && product.withheld !== null) return undefined
  if (!product || product.status === 'draft') return list
  return product.has_unpublished_changes || isUnsaved ? update : undefined
}

/** Whether an act whose answer was lost has been done. */
export const isDone = ({ name }: Act, { status, has_unpublished_changes }: DeskProduct): boolean =>
  name === 'withdraw' ? status === 'draft' : status === 'listed' && !has_unpublished_changes
