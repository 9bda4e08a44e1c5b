import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import type { DeskPiece, DeskPieceFound, Preview } from '../../../../server/features/pieces/desk-schema.ts'
import { useAccount } from '../../api/account.ts'
import { ApiError, callApi, errorMessage } from '../../api/client.ts'
import { invalidate, queries } from '../../api/queries.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { BackLink, shownAddress } from '../../components/link.tsx'
import { Loading } from '../../components/load-states.tsx'
import { Notice } from '../../components/notice.tsx'
import { usePageHeading } from '../../components/page.tsx'
import { hasHeadline } from '../../components/piece.ts'
import { Status } from '../../components/status.tsx'
import { VoidSchedule } from '../../components/void-schedule.tsx'
import { type PlainMessageId, rich, t } from '../../messages.ts'
import { availableActions, type PublishAction, statusLead } from './actions.ts'
import { ConfirmPublish } from './confirm.tsx'
import { type Details, useDetails } from './details.ts'
import { linksAnchor, PrivateLinks, usePrivateLinks } from './links.tsx'
import styles from './publishing.module.css'
import { ReadersView } from './readers-view.tsx'
import { Share } from './share.tsx'

/** The piece, and the nonce of exactly the revision shown. */
const loadPreview = async (id: string) => {
  const preview = await callApi<Preview>('POST', `/pieces/${id}/preview`)
  const { piece } = await callApi<DeskPieceFound>('GET', `/pieces/${id}`)
  return { piece, preview }
}

const isUnanswered = (error: unknown): boolean => error instanceof ApiError && error.status === 0

/** The piece changed meanwhile, or the page was open too long: the writer must confirm what they saw. */
const staleTexts: Readonly<Record<number, PlainMessageId>> = {
  409: 'desk.publish.stale.status_changed',
  410: 'desk.publish.stale.expired',
  412: 'desk.publish.stale.edited',
}

const canStill = (act: PublishAction, piece: DeskPiece): boolean =>
  availableActions(piece).some(({ name }) => name === (act.name === 'schedule' ? 'publish' : act.name))

/** Preview and publish. */
export function PublishPage({ id }: { readonly id: string }) {
  const key = ['publishing', id] as const
  // Read once: the writer confirms what they saw. The server detects a page that was open too long.
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => loadPreview(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const [done, setDone] = useState<PublishAction>()
  const [stale, setStale] = useState<PlainMessageId>()
  const heading = usePageHeading(t('desk.publish.title'))
  /** The pressed button is gone, so the heading takes the focus. */
  const setDoneAndFocus = (act: PublishAction | undefined): void => {
    flushSync(() => setDone(act))
    heading.current?.focus()
  }

  const show = (changes: Partial<NonNullable<typeof data>>): void => {
    queries.setQueryData<typeof data>(key, (now) => now && { ...now, ...changes })
  }

  const perform = async (act: PublishAction, at?: string): Promise<void> => {
    if (!data) return
    setStale(undefined)
    try {
      const body = act.needsNonce ? { nonce: data.preview.nonce, at } : undefined
      const { piece } = await (act.name === 'unschedule'
        ? callApi<DeskPieceFound>('DELETE', `/pieces/${id}/schedule`)
        : callApi<DeskPieceFound>('POST', `/pieces/${id}/${act.name}`, body))
      show({ piece })
      setDoneAndFocus(act)
      // It can be published or scheduled again, which takes another nonce.
      if (act.name === 'schedule') void refetch()
      await invalidate('pieces')
    } catch (error) {
      const words = error instanceof ApiError ? staleTexts[error.status] : undefined
      const { data: now } = words || isUnanswered(error) ? await refetch() : {}
      const isStillOpen = now === undefined || canStill(act, now.piece)
      // What the status allows may be refused as well, such as without the consent of the author of the original.
      if (words && !(error instanceof ApiError && error.status === 409 && isStillOpen)) return setStale(words)
      // The answer may have been lost although the action succeeded.
      if (isStillOpen) throw error
      setDoneAndFocus(act)
    }
  }

  const dismiss = async (): Promise<void> => {
    const { piece } = await callApi<DeskPieceFound>('DELETE', `/pieces/${id}/schedule`)
    show({ piece })
    heading.current?.focus()
    await invalidate('pieces')
  }

  if (!data) {
    return (
      <div className={styles.alone}>
        <h1 ref={heading} tabIndex={-1} className="hidden">
          {t('desk.publish.title')}
        </h1>
        {error ? (
          <Notice kind="bad">
            <p>{errorMessage(error)}</p>
            <div className={styles.choices}>
              <Button onClick={() => void refetch()}>{t('desk.common.try_again')}</Button>
              <LinkButton to={`/desk/edit/pieces/${id}`}>{t('desk.publish.back')}</LinkButton>
            </div>
          </Notice>
        ) : (
          <Loading />
        )}
      </div>
    )
  }

  const { piece, preview } = data
  const isEditable = !done && piece.status !== 'pending' && piece.status !== 'rejected'
  return (
    <WithDetails
      piece={piece}
      onSaved={(saved) => {
        show({ piece: saved })
        return refetch()
      }}
      onStale={async () => {
        setStale('desk.publish.stale.edited')
        return (await refetch()).data?.piece
      }}
    >
      {(details) => (
        <div className={styles.spread}>
          <div className={styles.margin}>
            <BackLink to={`/desk/edit/pieces/${id}`}>{t('desk.publish.back')}</BackLink>
            <Status of={piece.status} isTakenDown={piece.is_taken_down} schedule={piece.schedule} />
            <h1 ref={heading} tabIndex={-1} dir="auto">
              {done
                ? t(`desk.publish.done.${done.name}`)
                : hasHeadline(piece)
                  ? piece.headline
                  : t('desk.publish.no_headline')}
            </h1>
            {stale && <Notice kind="bad">{t(stale)}</Notice>}
            {done ? (
              <PublishDone act={done} piece={piece} onGoOn={() => setDoneAndFocus(undefined)} />
            ) : (
              <>
                <VoidSchedule of={piece.schedule}>
                  <div className={styles.choices}>
                    <Button onClick={() => void dismiss()}>{t('desk.common.schedule.dismiss')}</Button>
                  </div>
                </VoidSchedule>
                <p className={styles.lead}>{t(statusLead(piece))}</p>
                {piece.note && (
                  <Notice>
                    <p>{t('desk.publish.moderator_note')}</p>
                    <blockquote className={styles.note}>{piece.note}</blockquote>
                  </Notice>
                )}
                <ConfirmPublish
                  details={details}
                  actions={availableActions(details.piece)}
                  slug={preview.slug}
                  onSlug={(slug) => show({ preview: { ...preview, slug } })}
                  onConfirm={perform}
                  onAsked={(translation_of) => show({ piece: { ...piece, translation_of } })}
                />
                {piece.url && <Share headline={piece.headline} url={piece.url} />}
              </>
            )}
          </div>
          <ReadersView details={details} preview={preview} isReadOnly={!isEditable} />
          {(piece.status !== 'approved' || piece.has_unpublished_changes) && (
            <div className={styles.sharing}>
              <PrivateLinks id={id} />
            </div>
          )}
        </div>
      )}
    </WithDetails>
  )
}

type WithDetailsProps = Parameters<typeof useDetails>[0] & { readonly children: (details: Details) => ReactNode }

/** The sheet and the preview change the same details. */
const WithDetails = ({ children, ...options }: WithDetailsProps) => children(useDetails(options))

interface PublishDoneProps {
  readonly act: PublishAction
  readonly piece: DeskPiece
  readonly onGoOn: () => void
}

/** The result: link, feeds and next steps. */
function PublishDone({ act, piece, onGoOn }: PublishDoneProps) {
  const { data: account } = useAccount()
  const slug = account?.writer?.slug
  return (
    <div role="status">
      {piece.url && (
        <>
          <p className={styles.live}>
            <a href={piece.url} dir="ltr">
              {shownAddress(piece.url)}
            </a>
          </p>
          <Share headline={piece.headline} url={piece.url} />
          {slug && (
            <p className={styles.feeds}>
              {rich('desk.publish.feeds', {
                json: (words) => <a href={`/author/${slug}/feed.json`}>{words}</a>,
                rss: (words) => <a href={`/author/${slug}/feed.xml`}>{words}</a>,
              })}
            </p>
          )}
        </>
      )}
      {act.name === 'schedule' && piece.schedule && <p className={styles.lead}>{t('desk.publish.effect.schedule')}</p>}
      {act.name.includes('submit') && <p className={styles.lead}>{t('desk.publish.result.submitted')}</p>}
      {!act.needsNonce && <RemainingLinks act={act} id={piece.id} />}
      <div className={styles.choices}>
        {piece.url ? (
          <LinkButton to="/desk/edit/pieces/new">{t('desk.publish.new_piece')}</LinkButton>
        ) : (
          !act.needsNonce && (
            <LinkButton to={`/desk/edit/pieces/${piece.id}`}>{t('desk.publish.continue_writing')}</LinkButton>
          )
        )}
      </div>
      <div className={styles.ways}>
        <LinkButton to="/desk" kind="quiet">
          {t('desk.common.go_to_pieces')}
        </LinkButton>
        <Button kind="quiet" onClick={onGoOn}>
          {t('desk.publish.more_options')}
        </Button>
      </div>
    </div>
  )
}

/** Private links survive unpublishing, so the page mentions those that still work. */
function RemainingLinks({ act, id }: { readonly act: PublishAction; readonly id: string }) {
  const { data: links, isError } = usePrivateLinks(id)
  const result = t(act.name === 'unpublish' ? 'desk.publish.result.unpublished' : 'desk.publish.result.draft')
  if (!links) return <p className={styles.lead}>{isError && result}</p>
  return (
    <p className={styles.lead}>
      {result}{' '}
      {links.length === 0
        ? t('desk.publish.only_you')
        : rich('desk.publish.links_left', {
            count: links.length,
            link: (words) => <a href={`#${linksAnchor}`}>{words}</a>,
          })}
    </p>
  )
}
