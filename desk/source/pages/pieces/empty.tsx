import type { Status } from '../../../../server/features/pieces/draft-schema.ts'
import { LinkButton } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Empty } from '../../components/load-states.tsx'
import { filterPath, type PieceFilter } from './queries.ts'

const emptyTexts: Readonly<Record<Status, { readonly title: string; readonly words: string }>> = {
  draft: { title: 'No drafts', words: 'Everything you have begun is on its way. A new piece begins with a line.' },
  pending: {
    title: 'Nothing is in review',
    words: 'A piece you submit waits here until a moderator has read it.',
  },
  changes_requested: {
    title: 'Nobody has asked for changes',
    words: 'Where a moderator would like something different, the piece comes here with a note.',
  },
  rejected: {
    title: 'Nothing was turned down',
    words: 'A piece that was not accepted would be here, with the reason.',
  },
  approved: { title: 'Nothing is public yet', words: 'Open a draft and turn the page to publish it.' },
}

/** The empty states of the list. */
export function NoPieces({ filter, hasAny }: { readonly filter: PieceFilter; readonly hasAny: boolean }) {
  const { q, status, isByKey } = filter
  if (!hasAny) {
    return (
      <Empty title="Your desk is clear">
        <p>A piece begins with a headline, or with any line at all. It stays yours alone until you publish it.</p>
        <LinkButton to="/desk/edit/pieces/new" kind="main">
          Begin the first
        </LinkButton>
        <p>
          <Link to="/desk/trash">Look in the trash</Link> for pieces deleted in the last 30 days.
        </p>
      </Empty>
    )
  }
  if (q) {
    return (
      <Empty title={`Nothing found for “${q}”`}>
        <p>The words are looked for as they stand, in headlines, standfirsts and texts. Fewer letters find more.</p>
        <p>
          <Link to={filterPath({ q: '', status: undefined, isByKey: false })} replace>
            Show all pieces
          </Link>
        </p>
      </Empty>
    )
  }
  if (isByKey) {
    return (
      <Empty title="No key has sent anything">
        <p>Drafts that a program of yours sends with an API key come here, marked with the name of the key.</p>
        <p>
          <Link to="/desk/edit/online-presence#api-keys">Make an API key</Link>
        </p>
      </Empty>
    )
  }
  return (
    <Empty title={status ? emptyTexts[status].title : 'Nothing here'}>
      <p>{status ? emptyTexts[status].words : 'A new piece begins with a line.'}</p>
      <LinkButton to="/desk/edit/pieces/new">New piece</LinkButton>
    </Empty>
  )
}
