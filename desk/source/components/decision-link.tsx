import { Link } from './link.tsx'

interface DecisionLinkProps {
  readonly decision: { readonly id: string; readonly can_appeal: boolean } | undefined
}

/** To the whole of what was decided, and the appeal; nothing while there is none. */
export const DecisionLink = ({ decision }: DecisionLinkProps) =>
  decision ? (
    <p>
      <Link to={`/desk/decisions/${decision.id}`}>
        {decision.can_appeal ? 'Read the whole decision, or appeal' : 'Read the whole decision'}
      </Link>
    </p>
  ) : null
