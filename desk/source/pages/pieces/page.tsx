import { useEffect, useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Loading } from '../../components/loading.tsx'
import { NotLoaded } from '../../components/not-loaded.tsx'
import { Page } from '../../components/page.tsx'
import { go, usePlace } from '../../components/router.ts'
import { useDeletion } from './delete.ts'
import { Invitation } from './empty.tsx'
import { Entry } from './entry.tsx'
import { useIndexKeys } from './keyboard.ts'
import styles from './pieces.module.css'
import { addressOf, useCounts, usePieces, type Wanted, wantedOf } from './queries.ts'
import { Search } from './search.tsx'
import { States } from './states.tsx'

/** The first page of the desk. Who writes nothing comes to review. */
export function Room() {
  const isWriter = useAccount().data?.writer !== null
  useEffect(() => {
    if (!isWriter) go('/desk/review', { replace: true })
  }, [isWriter])
  return isWriter && <Pieces />
}

/** A writer's own pieces, as the index of a newspaper. */
function Pieces() {
  const { query } = usePlace()
  const wanted = wantedOf(query)
  const show = (next: Partial<Wanted>) => go(addressOf({ ...wanted, ...next }), { replace: true })
  const { data: counts } = useCounts()
  const total = counts && Object.values(counts).reduce((sum, one) => sum + one, 0)
  const hasAny = total === undefined || total > 0
  useIndexKeys()
  return (
    <Page
      title="Pieces"
      acts={
        hasAny && (
          <LinkButton to="/desk/edit/pieces/new" kind="main">
            New piece
          </LinkButton>
        )
      }
    >
      {hasAny && (
        <div className={styles.finding}>
          <Search q={wanted.q} onSearch={(q) => show({ q })} />
          <States wanted={wanted} counts={counts} />
        </div>
      )}
      <Index wanted={wanted} hasAny={hasAny} />
    </Page>
  )
}

function Index({ wanted, hasAny }: { readonly wanted: Wanted; readonly hasAny: boolean }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePieces(wanted)
  const remove = useDeletion()
  // Which piece was deleted last, so that the focus does not fall off the page with it.
  const [removedAt, setRemovedAt] = useState<number>()
  if (error && !data) {
    return <NotLoaded error={error} onAgain={refetch} />
  }
  if (!data) return <Loading />
  const pieces = data.pages.flatMap((page) => page.pieces)
  if (pieces.length === 0) return <Invitation wanted={wanted} hasAny={hasAny} />
  return (
    <>
      <ol className={styles.index} aria-label="Your pieces, the last changed first">
        {pieces.map((piece, at) => (
          <Entry
            key={piece.id}
            piece={piece}
            takesFocus={removedAt !== undefined && at === Math.min(removedAt, pieces.length - 1)}
            onDelete={() => {
              void remove(piece).then(() => setRemovedAt(at))
            }}
          />
        ))}
      </ol>
      {hasNextPage && (
        <p className={styles.more}>
          <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Earlier pieces
          </Button>
        </p>
      )}
    </>
  )
}
