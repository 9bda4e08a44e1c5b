import { LinkButton } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Loading } from '../../components/loading.tsx'
import { NotLoaded } from '../../components/not-loaded.tsx'
import { Page } from '../../components/page.tsx'
import { useLeaving } from '../../components/pending-deletes.ts'
import { Shelf } from './product-list.tsx'
import { useShop } from './queries.ts'

/** What a writer sells, in the order readers see it. */
export function Room() {
  const { data, error, refetch } = useShop()
  const leaving = useLeaving()
  const products = data?.filter(({ id }) => !leaving.includes(id))
  const hasAny = products === undefined || products.length > 0
  return (
    <Page
      title="Shop"
      lead={hasAny && 'Your page shows what you list, in this order. Paying happens at your address, never here.'}
      acts={
        hasAny && (
          <LinkButton to="/desk/shop/new" kind="main">
            New listing
          </LinkButton>
        )
      }
    >
      {error && !products ? (
        <NotLoaded error={error} onAgain={refetch} />
      ) : !products ? (
        <Loading />
      ) : hasAny ? (
        <Shelf products={products} />
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
