import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { Button, CopyButton, LinkButton } from '../../components/button.tsx'
import { ErrorNotice, FormActions, useAttempt } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Notice, showToast } from '../../components/notice.tsx'
import { navigate } from '../../components/router.ts'
import { useKeyDown } from '../../components/shortcuts.tsx'
import styles from './listing.module.css'
import {
  type DeskProduct,
  formatPrice,
  isSameListing,
  type ListingValues,
  paymentHost,
  type SavedListing,
  toValues,
} from './listing-form.ts'
import { deleteListing, performAction, readListing } from './queries.ts'
import type { ListingForm } from './use-listing-form.ts'

interface ListingActionsProps {
  readonly id: string
  readonly form: ListingForm
}

/** The listing changed meanwhile: the writer must confirm what they saw. */
const staleTexts: Readonly<Record<number, string>> = {
  409: 'Something else was done with this listing since you opened it. Look at it, then decide.',
  412: 'This listing was changed since you opened it. This is how it is now: look at it, then decide.',
}

/** Actions on the listing. It is saved first, then confirmed in a dialog. */
export function ListingActions({ id, form }: ListingActionsProps) {
  const { saved, theirs, isUnsaved, saving, save, applyAnswer } = form
  const [asked, setAsked] = useState<{ readonly act: ListingAction; readonly of: SavedListing }>()
  const [done, setDone] = useState<ListingAction>()
  const [stale, setStale] = useState<string>()
  const acting = useAttempt()
  const showing = publishAction(saved?.product, isUnsaved)
  const isBusy = saving.isBusy || acting.isBusy
  const product = saved?.product

  const begin = async (act: ListingAction) => {
    setDone(undefined)
    setStale(undefined)
    const of = act.needsRevision ? await save() : saved
    if (of) setAsked({ act, of })
  }
  useKeyDown((event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!event.repeat && showing && !asked && !acting.isBusy) void begin(showing)
  })

  const perform = acting.handler(async () => {
    if (!asked) return
    const { act, of } = asked
    setAsked(undefined)
    try {
      applyAnswer(await performAction(id, act.name, act.needsRevision ? of.product.revision : undefined))
    } catch (error) {
      const isStale = error instanceof ApiError && error.reason !== 'limit_reached'
      const words = isStale ? staleTexts[error.status] : undefined
      const isUnheard = error instanceof ApiError && error.status === 0
      if (!words && !isUnheard) throw error
      const now = await readListing(id)
      applyAnswer(now)
      if (words) return setStale(words)
      // The answer may have been lost although the action succeeded.
      if (!hasHappened(act, now.product)) throw error
    }
    setDone(act)
  })
  return (
    <div className={styles.deciding}>
      {done && product && <ListingDone act={done} product={product} />}
      {theirs ? <EditConflict form={form} theirs={theirs} /> : stale && <Notice kind="bad">{stale}</Notice>}
      <ErrorNotice error={acting.error} />
      <FormActions>
        {showing && (
          <Button kind="main" isBusy={isBusy} onClick={() => void begin(showing)}>
            {showing.button}
          </Button>
        )}
        <Button
          isBusy={isBusy}
          disabled={!isUnsaved && saved !== undefined}
          onClick={async () => {
            if (await save())
              showToast(product?.status === 'listed' ? 'Saved. Readers see it once you update.' : 'Saved.')
          }}
        >
          {product?.status === 'listed' ? 'Save' : 'Save as a draft'}
        </Button>
        {product?.status === 'listed' && (
          <Button kind="quiet" isBusy={isBusy} onClick={() => void begin(withdrawAction)}>
            Withdraw
          </Button>
        )}
        {product?.status === 'draft' && (
          <Button
            kind="quiet"
            onClick={() => {
              navigate('/desk/shop', { skipGuard: true })
              deleteListing(product)
            }}
          >
            Delete
          </Button>
        )}
      </FormActions>
      {asked && (
        <FormDialog
          title={asked.act.question}
          onSubmit={perform}
          submit={asked.act.button}
          kind={asked.act.needsRevision ? 'main' : 'grave'}
          cancel="Not yet"
          onClose={() => setAsked(undefined)}
        >
          {asked.act.needsRevision && <ListingSummary product={asked.of.product} />}
          <p>{asked.act.before}</p>
        </FormDialog>
      )}
    </div>
  )
}

/** Shows what was saved, whatever has been typed since. */
function ListingSummary({ product }: { readonly product: DeskProduct }) {
  const values = toValues(product, '')
  return (
    <p>
      <strong>{values.name}</strong>
      {[formatPrice(values), paymentHost(values)].filter(Boolean).map((one) => ` · ${one}`)}
    </p>
  )
}

interface ListingDoneProps {
  readonly act: ListingAction
  readonly product: DeskProduct
}

/** The result. The pressed button may be gone, so the heading takes the focus. */
function ListingDone({ act, product }: ListingDoneProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section className={styles.done} aria-labelledby="listing-done">
      <h2 id="listing-done" ref={heading} tabIndex={-1}>
        {act.after}
      </h2>
      {product.url ? (
        <p className={styles.live}>
          <a href={product.url}>{product.url.replace(/^https?:\/\//, '')}</a>
        </p>
      ) : (
        <p>Only you see it now. You can change it, and list it again.</p>
      )}
      <FormActions>
        {product.url && <CopyButton text={product.url} label="Copy the link" />}
        <LinkButton to="/desk/shop" kind={product.url ? 'quiet' : 'plain'}>
          To your shop
        </LinkButton>
      </FormActions>
    </section>
  )
}

interface EditConflictProps {
  readonly form: ListingForm
  readonly theirs: SavedListing
}

const fieldNames: Readonly<Partial<Record<keyof ListingValues, string>>> = {
  name: 'Name',
  summary: 'Summary',
  description: 'Description',
  amount: 'Price',
  category: 'Category',
  payment_url: 'Payment address',
}

/** An edit conflict: shows the other version and two ways to resolve it. Nothing is overwritten before. */
function EditConflict({ form: { values, saving, keepMine, takeTheirs }, theirs }: EditConflictProps) {
  const other = toValues(theirs.product, values.currency)
  const differing = Object.entries(fieldNames).filter(
    ([member]) => !isSameListing({ ...values, ...pick(other, member as keyof ListingValues) }, values),
  )
  const notice = useRef<HTMLDivElement>(null)
  // The user may have saved by shortcut, far from here.
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={notice}>
      <Notice kind="bad">
        <p>
          This listing was saved from another window or device since you opened it. What you typed is still here;
          nothing is overwritten. Choose which one stays.
        </p>
        {differing.length > 0 && (
          <dl className={styles.other}>
            {differing.map(([member, word]) => (
              <div key={member}>
                <dt>{word}, there</dt>
                <dd>{String(other[member as keyof ListingValues]) || 'Nothing'}</dd>
              </div>
            ))}
          </dl>
        )}
        <FormActions>
          <Button isBusy={saving.isBusy} onClick={() => void keepMine()}>
            Keep mine
          </Button>
          <Button isBusy={saving.isBusy} onClick={takeTheirs}>
            Take the other
          </Button>
        </FormActions>
      </Notice>
    </div>
  )
}

const pick = (values: ListingValues, member: keyof ListingValues): Partial<ListingValues> => ({
  [member]: values[member],
  ...(member === 'amount' ? { currency: values.currency } : {}),
})

/** An action on a listing. */
interface ListingAction {
  readonly name: 'publish' | 'update' | 'withdraw'
  readonly button: string
  readonly question: string
  /** What will happen. */
  readonly before: string
  /** What has happened. */
  readonly after: string
  /** Applies to exactly the shown revision. */
  readonly needsRevision: boolean
}

const listAction: ListingAction = {
  name: 'publish',
  button: 'List it',
  question: 'List it now?',
  before:
    'Everyone can find it at once: in the site’s shop, on your page, and by AI clients. Its address is made of its name and never moves.',
  after: 'It is listed',
  needsRevision: true,
}
const updateAction: ListingAction = {
  name: 'update',
  button: 'Update',
  question: 'Show readers this?',
  before: 'Readers get this instead of what they have. Its address stays.',
  after: 'Readers have the new listing',
  needsRevision: true,
}
const withdrawAction: ListingAction = {
  name: 'withdraw',
  button: 'Withdraw',
  question: 'Take it out of the shop?',
  before: 'Readers can no longer see it, at once. It is a draft again; listed later, it has the same address.',
  after: 'It is no longer listed',
  needsRevision: false,
}

/** The action that publishes the current state; none if it is public already or withheld by moderators. */
function publishAction(product: DeskProduct | undefined, isUnsaved: boolean): ListingAction | undefined {
  if (product && product.withheld !== null) return undefined
  if (!product || product.status === 'draft') return listAction
  return product.has_unpublished_changes || isUnsaved ? updateAction : undefined
}

/** Whether an action whose answer was lost succeeded. */
const hasHappened = ({ name }: ListingAction, { status, has_unpublished_changes }: DeskProduct): boolean =>
  name === 'withdraw' ? status === 'draft' : status === 'listed' && !has_unpublished_changes
