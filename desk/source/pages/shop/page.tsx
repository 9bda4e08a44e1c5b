import { LinkButton } from '../../components/button.tsx'
import { Empty, LoadError, Loading } from '../../components/load-states.tsx'
import { Page } from '../../components/page.tsx'
import { ProductList } from './product-list.tsx'
import { usePendingDeletes, useShop } from './queries.ts'

/** The writer's listings in public order. */
export function ShopPage() {
  const { data, error, refetch } = useShop()
  const leaving = usePendingDeletes()
  const products = data?.filter(({ id }) => !leaving.includes(id))
  const hasAny = products === undefined || products.length > 0
  return (
    <Page
      title="Shop"
      lead={hasAny && 'Your page shows what you list, in this order. Paying happens at your address, never here.'}
      actions={
        hasAny && (
          <LinkButton to="/desk/shop/new" kind="main">
            New listing
          </LinkButton>
        )
      }
    >
      {error && !products ? (
        <LoadError error={error} onRetry={refetch} />
      ) : !products ? (
        <Loading />
      ) : hasAny ? (
        <ProductList products={products} />
      ) : (
        <Empty title="Your shelf is empty">
          <p>
            A book, a print, an evening course: give it a name, a price and the address where people pay you. It stays
            yours alone until you list it; then it is in the site’s shop, on your page, and where AI clients look.
          </p>
          <LinkButton to="/desk/shop/new" kind="main">
            Describe the first
          </LinkButton>
        </Empty>
      )}
    </Page>
  )
}
