import { useLastDecision } from '../../api/decisions.ts'
import { DecisionLink } from '../../components/decision-link.tsx'
import { Notice } from '../../components/notice.tsx'
import { siteName } from '../../components/site.ts'

/** Why readers no longer have it, and how to appeal. */
export const Withheld = ({ id, why }: { readonly id: string; readonly why: string }) => (
  <Notice kind="bad">
    <p>
      <bdi>{siteName}</bdi> took this listing out of its shop: <q dir="auto">{why}</q>
    </p>
    <p>You can still change it, but not list it.</p>
    <DecisionLink decision={useLastDecision(id)} />
  </Notice>
)
