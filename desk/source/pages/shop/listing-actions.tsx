import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { Button, CopyButton, LinkButton } from '../../components/button.tsx'
import { ConflictNotice } from '../../components/conflict-notice.tsx'
import { ErrorNotice, FormActions, useAttempt } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Notice, showToast } from '../../components/notice.tsx'
import { navigate } from '../../components/router.ts'
import { useKeyDown } from '../../components/shortcuts.tsx'
import { type PlainMessageId, t } from '../../messages.ts'
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
const staleTexts: Readonly<Record<number, PlainMessageId>> = {
  409: 'desk.shop.stale.409',
  412: 'desk.shop.stale.412',
}

/** Actions on the listing. It is saved first, then confirmed in a dialog. */
export function ListingActions({ id, form }: ListingActionsProps) {
  const { saved, theirs, isUnsaved, saving, save, applyAnswer } = form
  const [asked, setAsked] = useState<{ readonly act: ListingAction; readonly of: SavedListing }>()
  const [done, setDone] = useState<ListingAction>()
  const [stale, setStale] = useState<PlainMessageId>()
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
      const reason = isStale ? staleTexts[error.status] : undefined
      const isUnheard = error instanceof ApiError && error.status === 0
      if (!reason && !isUnheard) throw error
      const now = await readListing(id)
      applyAnswer(now)
      if (reason) return setStale(reason)
      // The answer may have been lost although the action succeeded.
      if (!hasHappened(act, now.product)) throw error
    }
    setDone(act)
  })
  return (
    <div className={styles.deciding}>
      {done && product && <ListingDone act={done} product={product} />}
      {theirs ? <EditConflict form={form} theirs={theirs} /> : stale && <Notice kind="bad">{t(stale)}</Notice>}
      <ErrorNotice error={acting.error} />
      <FormActions>
        {showing && (
          <Button kind="main" isBusy={isBusy} onClick={() => void begin(showing)}>
            {t(`desk.shop.action.${showing.name}`)}
          </Button>
        )}
        <Button
          isBusy={isBusy}
          disabled={!isUnsaved && saved !== undefined}
          onClick={async () => {
            if (await save())
              showToast(product?.status === 'listed' ? t('desk.shop.saved_not_public') : t('desk.shop.saved_toast'))
          }}
        >
          {product?.status === 'listed' ? t('desk.common.save') : t('desk.shop.save_draft')}
        </Button>
        {product?.status === 'listed' && (
          <Button kind="quiet" isBusy={isBusy} onClick={() => void begin(withdrawAction)}>
            {t('desk.shop.action.withdraw')}
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
            {t('desk.common.delete')}
          </Button>
        )}
      </FormActions>
      {asked && (
        <FormDialog
          title={t(`desk.shop.confirm.${asked.act.name}`)}
          onSubmit={perform}
          submit={t(`desk.shop.action.${asked.act.name}`)}
          kind={asked.act.needsRevision ? 'main' : 'grave'}
          onClose={() => setAsked(undefined)}
        >
          {asked.act.needsRevision && <ListingSummary product={asked.of.product} />}
          <p>{t(`desk.shop.effect.${asked.act.name}`)}</p>
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
        {t(`desk.shop.done.${act.name}`)}
      </h2>
      {product.url ? (
        <p className={styles.live}>
          <a href={product.url}>{product.url.replace(/^https?:\/\//, '')}</a>
        </p>
      ) : (
        <p>{t('desk.shop.done.only_you')}</p>
      )}
      <FormActions>
        {product.url && <CopyButton text={product.url} label={t('desk.shop.copy_link')} />}
        <LinkButton to="/desk/shop" kind={product.url ? 'quiet' : 'plain'}>
          {t('desk.shop.go_to_shop')}
        </LinkButton>
      </FormActions>
    </section>
  )
}

interface EditConflictProps {
  readonly form: ListingForm
  readonly theirs: SavedListing
}

const fieldNames = {
  name: 'desk.shop.field.name',
  summary: 'desk.shop.field.summary',
  description: 'desk.shop.field.description',
  amount: 'desk.shop.field.price',
  category: 'desk.shop.field.category',
  payment_url: 'desk.shop.field.payment_url',
} as const satisfies Partial<Record<keyof ListingValues, PlainMessageId>>

const comparedFields = Object.keys(fieldNames) as (keyof typeof fieldNames)[]

/** An edit conflict: shows the other version and two ways to resolve it. Nothing is overwritten before. */
function EditConflict({ form: { values, saving, keepMine, takeTheirs }, theirs }: EditConflictProps) {
  const other = toValues(theirs.product, values.currency)
  const differing = comparedFields.filter((field) => !isSameListing({ ...values, ...pick(other, field) }, values))
  const notice = useRef<HTMLDivElement>(null)
  // The user may have saved by shortcut, far from here.
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={notice}>
      <ConflictNotice isBusy={saving.isBusy} onKeep={() => void keepMine()} onUseOther={takeTheirs}>
        <p>{t('desk.shop.conflict.about')}</p>
        {differing.length > 0 && (
          <dl className={styles.other}>
            {differing.map((field) => (
              <div key={field}>
                <dt>{t('desk.shop.conflict.other_value', { field: t(fieldNames[field]) })}</dt>
                <dd>{other[field] || t('desk.shop.conflict.empty')}</dd>
              </div>
            ))}
          </dl>
        )}
      </ConflictNotice>
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
  /** Applies to exactly the shown revision. */
  readonly needsRevision: boolean
}

const listAction: ListingAction = { name: 'publish', needsRevision: true }
const updateAction: ListingAction = { name: 'update', needsRevision: true }
const withdrawAction: ListingAction = { name: 'withdraw', needsRevision: false }

/** The action that publishes the current state; none if it is public already or withheld by moderators. */
function publishAction(product: DeskProduct | undefined, isUnsaved: boolean): ListingAction | undefined {
  if (product && product.withheld !== null) return undefined
  if (!product || product.status === 'draft') return listAction
  return product.has_unpublished_changes || isUnsaved ? updateAction : undefined
}

/** Whether an action whose answer was lost succeeded. */
const hasHappened = ({ name }: ListingAction, { status, has_unpublished_changes }: DeskProduct): boolean =>
  name === 'withdraw' ? status === 'draft' : status === 'listed' && !has_unpublished_changes
