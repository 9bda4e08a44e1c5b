import { type HTMLAttributes, type PointerEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { callApi, errorMessage } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Empty } from '../../components/load-states.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Menu, type MenuItem } from '../../components/menu.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { navigate } from '../../components/router.ts'
import { ListingStatus } from '../../components/status.tsx'
import { t } from '../../messages.ts'
import { type DeskProduct, formatPrice, moveItem, sortByIds } from './listing-form.ts'
import styles from './product-list.module.css'
import { deleteListing, invalidateShop, shopKey, usePendingDeletes, useShop } from './queries.ts'

/** The writer's listings in public order. */
export function ShopPage() {
  const query = useShop()
  const leaving = usePendingDeletes()
  const products = query.data?.filter(({ id }) => !leaving.includes(id))
  const hasAny = products === undefined || products.length > 0
  return (
    <Page
      title={t('desk.shop.title')}
      lead={hasAny && t('desk.shop.lead')}
      actions={
        hasAny && (
          <LinkButton to="/desk/shop/new" kind="main">
            {t('desk.shop.add')}
          </LinkButton>
        )
      }
    >
      <Loaded query={{ ...query, data: products }}>
        {(products) =>
          hasAny ? (
            <ProductList products={products} />
          ) : (
            <Empty title={t('desk.shop.empty')}>
              <p>{t('desk.shop.empty_about')}</p>
              <LinkButton to="/desk/shop/new" kind="main">
                {t('desk.shop.add')}
              </LinkButton>
            </Empty>
          )
        }
      </Loaded>
    </Page>
  )
}

interface DragState {
  readonly from: number
  readonly to: number
}

/** The sortable list: drag handles or buttons. */
function ProductList({ products: given }: { readonly products: readonly DeskProduct[] }) {
  const { products, setOrder } = useProductOrder(given)
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<DragState>()
  const [announcement, setAnnouncement] = useState('')
  // The index of the last deleted listing, to move the focus to its successor.
  const [removedAt, setRemovedAt] = useState<number>()

  const move = (from: number, to: number) => {
    const product = products[from]
    if (!product || to === from || to < 0 || to >= products.length) return
    const ids = products.map(({ id }) => id)
    setOrder(moveItem(ids, from, to))
    setAnnouncement(t('desk.shop.moved', { name: product.name, place: to + 1, count: products.length }))
  }
  const press = (from: number, by: 1 | -1, button: HTMLElement) => {
    flushSync(() => move(from, from + by))
    // Moving the element in the DOM dropped the focus.
    button.focus()
  }
  const drag = (at: number) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragged({ from: at, to: at })
    },
    onPointerMove: ({ clientY }: PointerEvent) => {
      if (dragged?.from === at) setDragged({ from: at, to: indexAt(list.current, clientY) })
    },
    onPointerUp: () => {
      if (dragged?.from === at) move(at, dragged.to)
      setDragged(undefined)
    },
    onPointerCancel: () => setDragged(undefined),
  })
  return (
    <>
      <ol className="entries" ref={list} aria-label={t('desk.shop.list')}>
        {products.map((product, at) => (
          <ProductEntry
            key={product.id}
            product={product}
            isFirst={at === 0}
            isLast={at === products.length - 1}
            drag={dragged && dropSide(at, dragged)}
            takesFocus={removedAt !== undefined && at === Math.min(removedAt, products.length - 1)}
            handle={drag(at)}
            onMove={(by, button) => press(at, by, button)}
            onDelete={() => {
              setRemovedAt(at)
              deleteListing(product)
            }}
          />
        ))}
      </ol>
      <p className="hidden" role="status">
        {announcement}
      </p>
    </>
  )
}

/** The index at the pointer's height. */
function indexAt(list: HTMLOListElement | null, y: number): number {
  const rows = [...(list?.children ?? [])].map((row) => row.getBoundingClientRect())
  const at = rows.findIndex(({ bottom }) => y < bottom)
  return at === -1 ? rows.length - 1 : at
}

/** On which side of the row the drop line is drawn. */
function dropSide(at: number, { from, to }: DragState): 'taken' | 'before' | 'after' | undefined {
  if (at === from) return 'taken'
  if (at !== to) return undefined
  return to < from ? 'before' : 'after'
}

interface ProductEntryProps {
  readonly product: DeskProduct
  readonly isFirst: boolean
  readonly isLast: boolean
  /** It is being dragged, or the drop line is next to it. */
  readonly drag: 'taken' | 'before' | 'after' | undefined
  /** After the listing before it was deleted. */
  readonly takesFocus: boolean
  /** Handlers of the drag handle. */
  readonly handle: HTMLAttributes<HTMLSpanElement>
  readonly onMove: (by: 1 | -1, button: HTMLElement) => void
  readonly onDelete: () => void
}

/** One listing in the list. Its name is the link. */
function ProductEntry({ product, isFirst, isLast, drag, takesFocus, handle, onMove, onDelete }: ProductEntryProps) {
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
    <li className={styles.entry} data-drag={drag}>
      {/* For pointers; the buttons do the same for everyone. */}
      <span className={styles.handle} title={t('desk.shop.drag')} {...handle}>
        <svg viewBox="0 0 12 20" width="12" height="20" aria-hidden="true">
          <path d="M3 4h.01M9 4h.01M3 10h.01M9 10h.01M3 16h.01M9 16h.01" />
        </svg>
      </span>
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
      <div className={styles.acts}>
        <MoveButton
          name={t('desk.shop.move_up', { name: product.name })}
          sign="↑"
          isEnd={isFirst}
          onMove={(button) => onMove(-1, button)}
        />
        <MoveButton
          name={t('desk.shop.move_down', { name: product.name })}
          sign="↓"
          isEnd={isLast}
          onMove={(button) => onMove(1, button)}
        />
        <Menu label="⋯" name={t('desk.shop.more', { name: product.name })} items={acts} />
      </div>
    </li>
  )
}

interface MoveButtonProps {
  readonly name: string
  readonly sign: string
  /** At the end of the list: disabled, but keeps the focus. */
  readonly isEnd: boolean
  readonly onMove: (button: HTMLElement) => void
}

const MoveButton = ({ name, sign, isEnd, onMove }: MoveButtonProps) => (
  <Button
    kind="quiet"
    aria-label={name}
    aria-disabled={isEnd || undefined}
    onClick={({ currentTarget }) => isEnd || onMove(currentTarget)}
  >
    {sign}
  </Button>
)

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
