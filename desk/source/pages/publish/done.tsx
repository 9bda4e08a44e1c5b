import type { DeskPiece } from '../../../../server/features/pieces/desk-schema.ts'
import { useAccount } from '../../api/account.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Copy } from '../../components/copy.tsx'
import { type Act, actsOf } from './actions.ts'
import { linksPlace, useLinks } from './links.tsx'
import styles from './publishing.module.css'

interface DoneProps {
  readonly act: Act
  readonly piece: DeskPiece
  readonly onGoOn: () => void
}

/** What happened: the link first, then where else it is, then what next. */
export function Done({ act, piece, onGoOn }: DoneProps) {
  const { data: account } = useAccount()
  const [further] = actsOf(piece)
  const slug = account?.writer?.slug
  return (
    <div role="status">
      {piece.url && (
        <>
          <p className={styles.live}>
            <a href={piece.url}>{piece.url.replace(/^https?:\/\//, '')}</a>
          </p>
          <div className={styles.choices}>
            <Copy text={piece.url} label="Copy the link" />
          </div>
          {slug && (
            <p className={styles.feeds}>
              In your feeds: <a href={`/author/${slug}/feed.json`}>feed.json</a>,{' '}
              <a href={`/author/${slug}/feed.xml`}>feed.xml</a>
            </p>
          )}
        </>
      )}
      {act.name.includes('submit') && (
        <p className={styles.lead}>You get a letter when they have decided. Until then it stays as you sent it.</p>
      )}
      {!act.isOfText && <StillSeen act={act} id={piece.id} />}
      <div className={styles.choices}>
        {piece.url ? (
          <LinkButton to="/desk/edit/pieces/new">Write another</LinkButton>
        ) : (
          !act.isOfText && <LinkButton to={`/desk/edit/pieces/${piece.id}`}>Go on writing</LinkButton>
        )}
      </div>
      <div className={styles.ways}>
        <LinkButton to="/desk" kind="quiet">
          To your pieces
        </LinkButton>
        <Button kind="quiet" onClick={onGoOn}>
          {further ? `${further.button} or share` : 'Share it'}
        </Button>
      </div>
    </div>
  )
}

/** Private links outlive what was public: whoever has one can go on reading. */
function StillSeen({ act, id }: { readonly act: Act; readonly id: string }) {
  const { data: links, isError } = useLinks(id)
  const hidden = act.name === 'unpublish' ? 'Readers can no longer see it.' : 'You can change it again.'
  if (!links) return <p className={styles.lead}>{isError && hidden}</p>
  if (links.length === 0) return <p className={styles.lead}>{hidden} Only you see it now.</p>
  return (
    <p className={styles.lead}>
      {hidden} {links.length === 1 ? 'One private link still works.' : `${links.length} private links still work.`}{' '}
      <a href={`#${linksPlace}`}>{links.length === 1 ? 'End it below' : 'End them below'}</a>
    </p>
  )
}
