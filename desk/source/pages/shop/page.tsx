import { useEffect, useRef, useState } from 'react'
import { callApi, errorMessage } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'
import { LinkButton } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Empty } from '../../components/load-states.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Menu, type MenuItem } from '../../components/menu.tsx'
import { showToast } from '../../components/notice.tsx'
import { sortByIds } from '../../components/order.ts'
import { Page } from '../../components/page.tsx'
import { SortableRow, type SortableRowState, useReorder } from '../../components/reorder.tsx'
import { navigate } from '../../components/router.ts'
import { ListingStatus } from '../../components/status.tsx'
import { t } from '../../messages.ts'
import { type DeskProduct, formatPrice } from './listing-form.ts'
import styles from './product-list.module.css'
import { deleteListing, invalidateShop, shopKey, usePendingDeletes, useShop } from './queries.ts'

/** The writer's listings in public order. */
export function ShopPage() {
  const query = useShop()
  const leaving = usePendingDeletes()
  const products = query.data?.filter(({ id }) => !leaving.includes(id))
  const hasAny = products === undefined || products.length > 0
  const add = (
    <LinkButton to="/desk/shop/new" kind="main">
      {t('desk.shop.add')}
    </LinkButton>
  )
  return (
    <Page title={t('desk.shop.title')} lead={hasAny && t('desk.shop.lead')} actions={hasAny && add}>
      <Loaded query={{ ...query, data: products }}>
        {(products) =>
          hasAny ? (
            <ProductList products={products} />
          ) : (
            <Empty title={t('desk.shop.empty')}>
              <p>{t('desk.shop.empty_about')}</p>
              {add}
            </Empty>
          )
        }
      </Loaded>
    </Page>
  )
}

/** The sortable list: drag handles or buttons. */
function ProductList({ products: given }: { readonly products: readonly DeskProduct[] }) {
  const { products, setOrder } = useProductOrder(given)
  // The index of the last deleted listing, to move the focus to its successor.
  const [removedAt, setRemovedAt] = useState<number>()
  const { list, rowOf, announcement } = useReorder({
    items: products,
    nameOf: ({ name }) => name,
    onItems: (products) => setOrder(products.map(({ id }) => id)),
  })
  return (
    <>
      <ol className="entries" ref={list} aria-label={t('desk.shop.list')}>
        {products.map((product, at) => (
          <ProductEntry
            key={product.id}
            product={product}
            row={rowOf(at)}
            takesFocus={removedAt !== undefined && at === Math.min(removedAt, products.length - 1)}
            onDelete={() => {
              setRemovedAt(at)
              deleteListing(product)
            }}
          />
        ))}
      </ol>
      {announcement}
    </>
  )
}

interface ProductEntryProps {
  readonly product: DeskProduct
  readonly row: SortableRowState
  /** After the listing before it was deleted. */
  readonly takesFocus: boolean
  readonly onDelete: () => void
}

/** One listing in the list. Its name is the link. */
function ProductEntry({ product, row, takesFocus, onDelete }: ProductEntryProps) {
  const name = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) name.current?.querySelector('a')?.focus()
  }, [takesFocus])
  const path = `/desk/shop/${product.id}`
  const acts: readonly MenuItem[] = [
    { label: t('desk.common.edit'), onSelect: () => navigate(path) },
    ...(product.status === 'draft' ? [{ label: t('desk.common.delete'), onSelect: onDelete, isGrave: true }] : []),
  ]
  return (
    <SortableRow
      {...row}
      className={styles.entry}
      actions={<Menu label="⋯" name={t('desk.shop.more', { name: product.name })} items={acts} />}
    >
      <div className={styles.thumb}>
        {product.image ? (
          <img src={`/desk/media/${product.image}`} alt="" width="80" height="80" loading="lazy" />
        ) : (
          <span aria-hidden="true">{[...product.name][0]}</span>
        )}
      </div>
      <div className={styles.about}>
        <ListingStatus of={product} />
        <h2 ref={name} dir="auto">
          <Link to={path}>{product.name}</Link>
        </h2>
        {product.summary && (
          <p className="excerpt" dir="auto">
            {product.summary}
          </p>
        )}
        <p className={`facts ${styles.known}`}>
          <span>{product.price ? formatPrice(product.price) : t('desk.shop.no_price')}</span>
          {product.category && <bdi>{product.category}</bdi>}
          {product.url && <a href={product.url}>{t('desk.shop.view')}</a>}
        </p>
      </div>
    </SortableRow>
  )
}

interface ProductOrder {
  readonly products: readonly DeskProduct[]
  /** Shows the order at once and saves it. */
  readonly setOrder: (ids: readonly string[]) => void
}

/** Optimistic order: orders are sent one at a time, and the last one always. */
function useProductOrder(given: readonly DeskProduct[]): ProductOrder {
  const [shown, setShown] = useState<readonly string[]>()
  const waiting = useRef<readonly string[]>(undefined)
  const isSending = useRef(false)

  const send = async (): Promise<void> => {
    if (isSending.current) return
    isSending.current = true
    try {
      while (waiting.current) {
        // The server needs all ids, including listings hidden until they are deleted.
        const all = queries.getQueryData<readonly DeskProduct[]>(shopKey) ?? []
        const ids = sortByIds(all, waiting.current).map(({ id }) => id)
        waiting.current = undefined
        await callApi('PUT', '/products/order', { ids }, { keepalive: true })
        queries.setQueryData<readonly DeskProduct[]>(shopKey, (before) => before && sortByIds(before, ids))
      }
    } catch (error) {
      waiting.current = undefined
      showToast(t('desk.shop.move_failed', { reason: errorMessage(error) }))
      await invalidateShop()
    } finally {
      isSending.current = false
    }
    // Moved again while the error was handled.
    if (waiting.current) return send()
    setShown(undefined)
  }
  return {
    products: shown ? sortByIds(given, shown) : given,
    setOrder: (ids) => {
      setShown(ids)
      waiting.current = ids
      void send()
    },
  }
}
