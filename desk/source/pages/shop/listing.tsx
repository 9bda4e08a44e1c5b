import { useState } from 'react'
import { newId } from '../../api/new-id.ts'
import { Back } from '../../components/back.tsx'
import { Loading } from '../../components/loading.tsx'
import { NotLoaded } from '../../components/not-loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Filling } from './edit-listing.tsx'
import type { DeskProduct } from './form-values.ts'
import { useListing, useShop } from './queries.ts'

/** One listing: filled in, looked at, listed. */
export function Room({ id }: { readonly id: string }) {
  const shop = useShop()
  return (
    <>
      <Back to="/desk/shop" above="wide">
        Shop
      </Back>
      {shop.isLoading ? <Loading /> : id === 'new' ? <New shop={shop.data} /> : <Known id={id} shop={shop.data} />}
    </>
  )
}

interface Among {
  /** What else they sell, for the currency and the categories they use; nothing where it could not be read. */
  readonly shop: readonly DeskProduct[] | undefined
}

function New({ shop = [] }: Among) {
  const [id] = useState(newId)
  return <Filling id={id} first={undefined} shop={shop} />
}

function Known({ id, shop = [] }: Among & { readonly id: string }) {
  const { data, error, refetch } = useListing(id)
  if (data) return <Filling id={id} first={data} shop={shop} />
  if (!error) return <Loading />
  return (
    <Page title="Listing" isWide>
      <NotLoaded error={error} onAgain={refetch} gone="There is no such listing of yours. It may have been deleted." />
    </Page>
  )
}
