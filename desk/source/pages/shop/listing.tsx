import { useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { newId } from '../../api/client.ts'
import { DecisionLink, useLastDecision } from '../../components/decision.tsx'
import { BackLink } from '../../components/link.tsx'
import { LoadError, Loading } from '../../components/load-states.tsx'
import { modifier } from '../../components/modifier.ts'
import { Notice } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { type Shortcut, useShortcuts } from '../../components/shortcuts.tsx'
import { siteName } from '../../components/site.ts'
import { ListingStatus } from '../../components/status.tsx'
import { UnsavedChanges } from '../../components/unsaved-changes.tsx'
import { rich, t } from '../../messages.ts'
import { ListingFields } from './fields.tsx'
import styles from './listing.module.css'
import { ListingActions } from './listing-actions.tsx'
import { type DeskProduct, formatPrice, type ListingValues, paymentHost, type SavedListing } from './listing-form.ts'
import { useListing, useShop } from './queries.ts'
import { useListingForm } from './use-listing-form.ts'

/** Edit one listing. */
export function ListingPage({ id }: { readonly id: string }) {
  const shop = useShop()
  return (
    <>
      <BackLink to="/desk/shop" above="wide">
        {t('desk.shop.title')}
      </BackLink>
      {shop.isLoading ? (
        <Loading />
      ) : id === 'new' ? (
        <NewListing shop={shop.data} />
      ) : (
        <ExistingListing id={id} shop={shop.data} />
      )}
    </>
  )
}

interface ShopProps {
  /** The writer's other listings, for their currency and categories; undefined if they could not be loaded. */
  readonly shop: readonly DeskProduct[] | undefined
}

function NewListing({ shop = [] }: ShopProps) {
  const [id] = useState(newId)
  return <EditListing id={id} first={undefined} shop={shop} />
}

function ExistingListing({ id, shop = [] }: ShopProps & { readonly id: string }) {
  const { data, error, refetch } = useListing(id)
  if (data) return <EditListing id={id} first={data} shop={shop} />
  if (!error) return <Loading />
  return (
    <Page title={t('desk.shop.listing')} isWide>
      <LoadError error={error} onRetry={refetch} gone={t('desk.shop.gone')} />
    </Page>
  )
}

interface EditListingProps {
  readonly id: string
  /** Undefined for a new listing. */
  readonly first: SavedListing | undefined
  readonly shop: readonly DeskProduct[]
}

const makeShortcuts = (): readonly Shortcut[] => [
  { keys: `${modifier}S`, does: t('desk.shop.shortcut_save') },
  { keys: `${modifier}Enter`, does: t('desk.shop.shortcut_list') },
]

const newListing = { status: 'draft', has_unpublished_changes: false, withheld: null } as const

/** Form, preview and actions of a listing. */
function EditListing({ id, first, shop }: EditListingProps) {
  const currency = shop.findLast(({ price }) => price)?.price?.currency ?? 'EUR'
  const keeping = useListingForm(id, first, currency)
  const { saved, values, isUnsaved, save } = keeping
  const [shortcuts] = useState(makeShortcuts)
  useShortcuts(shortcuts, (event) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
    event.preventDefault()
    if (!event.repeat) void save()
  })
  return (
    <Page title={saved?.product.name ?? t('desk.shop.new')} isWide>
      <p className={`facts ${styles.standing}`}>
        <ListingStatus of={saved?.product ?? newListing} />
        <span role="status">{isUnsaved ? t('desk.shop.unsaved') : saved ? t('desk.shop.saved') : ''}</span>
        {saved?.product.url && <a href={saved.product.url}>{t('desk.shop.view')}</a>}
      </p>
      {saved?.product.withheld && <WithheldNotice id={saved.product.id} why={saved.product.withheld} />}
      <div className={styles.spread}>
        <ListingFields form={keeping} categories={shop.flatMap(({ category }) => category ?? [])} />
        <ListingPreview values={values} />
        <ListingActions id={id} form={keeping} />
      </div>
      <UnsavedChanges isUnsaved={isUnsaved} onSave={async () => (await save()) !== undefined} />
    </Page>
  )
}

/** Why the listing was taken down, with a link to appeal. */
const WithheldNotice = ({ id, why }: { readonly id: string; readonly why: string }) => (
  <Notice kind="bad">
    <p>
      {rich('desk.shop.withheld', {
        site: <bdi>{siteName}</bdi>,
        reason: why,
        q: (content) => <q dir="auto">{content}</q>,
      })}
    </p>
    <p>{t('desk.shop.withheld_about')}</p>
    <DecisionLink decision={useLastDecision(id)} />
  </Notice>
)

/** A live preview of the listing, in the order of the public page. */
function ListingPreview({ values }: { readonly values: ListingValues }) {
  const seller = useAccount().data?.name
  const host = paymentHost(values)
  const price = formatPrice(values)
  const paragraphs = values.description.split(/\n\s*\n/).filter((one) => one.trim())
  const related = values.related.filter((piece) => piece.is_public)
  const category = values.category.trim()
  return (
    <section className={styles.card} aria-labelledby="as-readers-will-see">
      <h2 id="as-readers-will-see">{t('desk.shop.preview.title')}</h2>
      <div className={styles.sheet}>
        <p className={styles.category}>
          {category ? t('desk.shop.preview.shop_category', { category }) : t('desk.shop.preview.shop')}
        </p>
        <p className={styles.name} dir="auto">
          {values.name.trim() || t('desk.shop.preview.name')}
        </p>
        <p className={styles.summary} dir="auto">
          {values.summary.trim() || t('desk.shop.preview.summary')}
        </p>
        {seller && <p className={styles.seller}>{rich('desk.shop.preview.seller', { name: <bdi>{seller}</bdi> })}</p>}
        {values.image && <img src={`/desk/media/${values.image}`} alt={values.image_alt} />}
        {price && <p className={styles.cardPrice}>{price}</p>}
        <p className={styles.buy}>
          <span>{host ? t('desk.shop.preview.buy', { host }) : t('desk.shop.preview.buy_unknown')}</span>
        </p>
        {paragraphs.map((paragraph, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no id but their position.
          <p key={at} className={styles.paragraph} dir="auto">
            {paragraph}
          </p>
        ))}
        {related.length > 0 && (
          <>
            <h3>{t('desk.shop.preview.related')}</h3>
            <ul>
              {related.map(({ id, headline }) => (
                <li key={id}>
                  <bdi>{headline}</bdi>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  )
}
