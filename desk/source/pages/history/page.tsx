import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeskPieceFound, History, RevisionFound } from '../../../../server/features/pieces/desk-schema.ts'
import { wordsOf } from '../../api/api-error.ts'
import { ask, askWithTag } from '../../api/client.ts'
import { Back } from '../../components/back.tsx'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Loading } from '../../components/loading.tsx'
import { Notice, tell } from '../../components/notice.tsx'
import { usePageHeading } from '../../components/page.tsx'
import { go, usePlace } from '../../components/router.ts'
import { Changes } from './changes.tsx'
import { eventsOf, startOf } from './events.ts'
import styles from './history.module.css'
import { Naming } from './name-version.tsx'
import { Timeline } from './timeline.tsx'

/** The saves of a piece and what was done with it; what changed from one to another; and the way back. */
export function Room({ id }: { readonly id: string }) {
  const heading = usePageHeading('History')
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['history', id],
    queryFn: async () => ({
      history: await ask<History>('GET', `/pieces/${id}/history`),
      piece: (await ask<DeskPieceFound>('GET', `/pieces/${id}`)).piece,
    }),
    staleTime: 0,
  })
  const [chosen, setChosen] = useState<number>()
  const [from, setFrom] = useState<number>()
  const since = Number(usePlace().query.get('since'))
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<unknown>()

  const restore = async (revision: number) => {
    setBusy(true)
    setRefused(undefined)
    try {
      const { revision: old } = await ask<RevisionFound>('GET', `/pieces/${id}/revisions/${revision}`)
      const { tag } = await askWithTag('GET', `/pieces/${id}`)
      const { headline, sub, body_md, category, tags } = old
      const options = tag ? { ifMatch: tag } : {}
      await ask('PATCH', `/pieces/${id}`, { headline, sub, body_md, category, tags }, options)
      await queries.invalidateQueries({ queryKey: ['history', id] })
      tell(`Revision ${revision} restored. The text before it is in the history.`)
      go(`/desk/edit/pieces/${id}`)
    } catch (error) {
      setRefused(error)
      setBusy(false)
    }
  }

  const newest = data?.history.revisions[0]?.revision
  const shown = chosen ?? newest
  const shownSave = data?.history.revisions.find(({ revision }) => revision === shown)
  const before = from ?? (data && shown !== undefined ? startingAt(data.history, shown, chosen ? 0 : since) : undefined)
  return (
    <div className={styles.history}>
      <header>
        <Back to={`/desk/edit/pieces/${id}`}>Back to writing</Back>
        <h1 ref={heading} tabIndex={-1}>
          History
        </h1>
        {data && <p>{data.piece.headline}</p>}
      </header>
      {error && <Notice kind="bad">{wordsOf(error)}</Notice>}
      {!data && !error && <Loading />}
      {data && shown === undefined && (
        <Empty title="One text, as it came">
          <p>Nothing has been changed at the desk yet. From the first change on, your saves are kept here.</p>
        </Empty>
      )}
      {data && shown !== undefined && (
        <div className={styles.columns}>
          <Timeline
            events={eventsOf(data.history)}
            chosen={shown}
            onChosen={(revision, before) => {
              setChosen(revision)
              setFrom(before)
            }}
          />
          <Changes id={id} history={data.history} revision={shown} before={before} onBefore={setFrom}>
            {shownSave && <Naming key={shown} id={id} saved={shownSave} />}
            {refused !== undefined && <Notice kind="bad">{wordsOf(refused)}</Notice>}
            {shown !== newest && (
              <div className={styles.restore}>
                <Button isBusy={isBusy} onClick={() => void restore(shown)}>
                  Restore this version
                </Button>
                <p>It becomes a new revision. Nothing in the history is lost.</p>
              </div>
            )}
          </Changes>
        </div>
      )}
    </div>
  )
}

/** What the address asks to see it against, if there is such a revision; else what stood before its sitting. */
const startingAt = (history: History, shown: number, since: number): number | undefined =>
  history.revisions.some(({ revision }) => revision === since && revision < shown) ? since : startOf(history, shown)
