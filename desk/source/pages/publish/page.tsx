import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { DeskPieceFound, Preview } from '../../../../server/features/pieces/desk-schema.ts'
import { Refusal, wordsOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Back } from '../../components/back.tsx'
import { Button, LinkButton } from '../../components/button.tsx'
import { Loading } from '../../components/loading.tsx'
import { Notice } from '../../components/notice.tsx'
import { usePageHeading } from '../../components/page.tsx'
import { Status } from '../../components/status.tsx'
import { type Act, actsOf, leadOf } from './actions.ts'
import { Deciding } from './confirm.tsx'
import { Done } from './done.tsx'
import { Links } from './links.tsx'
import styles from './publishing.module.css'

/** The piece and the nonce of exactly the revision that is shown. */
const shownOf = async (id: string) => {
  const preview = await ask<Preview>('POST', `/pieces/${id}/preview`)
  const { piece } = await ask<DeskPieceFound>('GET', `/pieces/${id}`)
  return { piece, preview }
}

const isUnheard = (error: unknown): boolean => error instanceof Refusal && error.status === 0

/** Somebody acted or saved in between, or this page was open too long: what is decided on must be what was seen. */
const staleWords: Readonly<Record<number, string>> = {
  409: 'Something else was done with the piece since this page was opened. Look at it, then decide.',
  410: 'This page was open for a while, so it was loaded anew. Look at it, then decide.',
  412: 'The piece was changed since this page was opened. This is the new text: look at it, then decide.',
}

/** A page turned: what readers will see, and one thing to decide. */
export function Room({ id }: { readonly id: string }) {
  const queries = useQueryClient()
  const key = ['publishing', id] as const
  // Read once: what is decided on is what was seen. A page that was open for long is told so by the server.
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => shownOf(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const [done, setDone] = useState<Act>()
  const [stale, setStale] = useState<string>()
  const heading = usePageHeading('Preview and publish')
  /** The heading says what happened, and what was pressed is gone: the focus goes there. */
  const turnTo = (act: Act | undefined): void => {
    flushSync(() => setDone(act))
    heading.current?.focus()
  }

  const perform = async (act: Act): Promise<void> => {
    if (!data) return
    setStale(undefined)
    try {
      const body = act.isOfText ? { nonce: data.preview.nonce } : undefined
      const { piece } = await ask<DeskPieceFound>('POST', `/pieces/${id}/${act.name}`, body)
      queries.setQueryData(key, { ...data, piece })
      turnTo(act)
      await queries.invalidateQueries({ queryKey: ['pieces'] })
    } catch (error) {
      const words = error instanceof Refusal ? staleWords[error.status] : undefined
      const { data: now } = words || isUnheard(error) ? await refetch() : {}
      if (words) return setStale(words)
      // The answer may have been lost on its way, and the act not.
      if (!now || actsOf(now.piece).some(({ name }) => name === act.name)) throw error
      turnTo(act)
    }
  }

  if (!data) {
    return (
      <div className={styles.alone}>
        <h1 ref={heading} tabIndex={-1} className="hidden">
          Preview and publish
        </h1>
        {error ? (
          <Notice kind="bad">
            <p>{wordsOf(error)}</p>
            <div className={styles.choices}>
              <Button onClick={() => void refetch()}>Try again</Button>
              <LinkButton to={`/desk/edit/pieces/${id}`}>Back to writing</LinkButton>
            </div>
          </Notice>
        ) : (
          <Loading words="Turning the page" />
        )}
      </div>
    )
  }

  const { piece, preview } = data
  return (
    <div className={styles.spread}>
      <div className={styles.margin}>
        <Back to={`/desk/edit/pieces/${id}`}>Back to writing</Back>
        <Status of={piece.status} />
        <h1 ref={heading} tabIndex={-1}>
          {done ? done.after : piece.headline}
        </h1>
        {stale && <Notice kind="bad">{stale}</Notice>}
        {done ? (
          <Done act={done} piece={piece} onGoOn={() => turnTo(undefined)} />
        ) : (
          <>
            <p className={styles.lead}>{leadOf(piece)}</p>
            {piece.note && (
              <Notice>
                <p>The moderator’s words:</p>
                <blockquote className={styles.note}>{piece.note}</blockquote>
              </Notice>
            )}
            <Deciding piece={piece} acts={actsOf(piece)} onDecided={perform} />
          </>
        )}
      </div>
      <section className={styles.page} aria-label="As readers will see it">
        <iframe
          key={preview.page}
          className={styles.frame}
          title="The page as readers will see it"
          src={preview.page}
          sandbox=""
          tabIndex={-1}
        />
      </section>
      {(piece.status !== 'approved' || piece.has_unpublished_changes) && (
        <div className={styles.sharing}>
          <Links id={id} />
        </div>
      )}
    </div>
  )
}
