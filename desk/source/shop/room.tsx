import { LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { useLeaving } from '../ui/leaving.ts'
import { Loading } from '../ui/loading.tsx'
import { NotLoaded } from '../ui/not-loaded.tsx'
import { Page } from '../ui/page.tsx'
import { useShop } from './asking.ts'
import { Shelf } from './shelf.tsx'

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
            yours alone until you list it; then it is in the house’s shop, on your page, and where AI clients look.
          </p>
          <LinkButton to="/desk/shop/new" kind="main">
            Describe the first
          </LinkButton>
        </Empty>
      )}
    </Page>
  )
}
