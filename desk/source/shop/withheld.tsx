import { houseName } from '../ui/house.ts'
import { Notice } from '../ui/notice.tsx'

/** Why readers no longer have it, and whom to ask. */
export const Withheld = ({ why }: { readonly why: string }) => (
  <Notice kind="bad">
    <p>
      <bdi>{houseName}</bdi> took this listing out of its shop: <q dir="auto">{why}</q>
    </p>
    <p>
      You can still change it, but not list it. If you think this is wrong, or have put it right,{' '}
      <a href="/about">write to the house</a>; it can allow the listing again.
    </p>
  </Notice>
)
