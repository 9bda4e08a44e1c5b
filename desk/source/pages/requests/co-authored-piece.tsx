import { Suspense } from 'react'
import { ApiError } from '../../api/client.ts'
import { apiPaths, invalidateRequests, useCoAuthoredPiece } from '../../api/requests.ts'
import { ReadingComments } from '../../comments/load.ts'
import { DraftFrame } from '../../components/draft-frame.tsx'
import { Link } from '../../components/link.tsx'
import { Loading } from '../../components/load-states.tsx'
import { LoadingPage } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { rich, t } from '../../messages.ts'

/** A piece that the writer has agreed to sign, as it is now, and its comments. */
export function CoAuthoredPiecePage({ id }: { readonly id: string }) {
  const { data: piece, error } = useCoAuthoredPiece(id)
  // Removed or withdrawn meanwhile: what was read before is not shown any longer.
  const isGone = error instanceof ApiError && error.status === 404
  if (!piece || isGone) {
    return (
      <LoadingPage title={t('desk.common.nav.co_authors')} error={error}>
        <p>
          <Link to="/desk/co-authors">{t('desk.common.nav.co_authors')}</Link>
        </p>
      </LoadingPage>
    )
  }
  const { headline, revision, body_md, is_public, writer } = piece
  return (
    <Page
      title={headline}
      back={{ to: '/desk/co-authors', words: t('desk.common.nav.co_authors') }}
      isWide
      lead={
        <>
          {rich('desk.requests.co_author.by', { person: <bdi>{writer.name}</bdi> })}
          {is_public && (
            <>
              {' · '}
              <a href={`/p/${id}`}>{t('desk.requests.view')}</a>
            </>
          )}
        </>
      }
    >
      <DraftFrame
        path={`${apiPaths.co_author}/${id}/preview`}
        revision={revision}
        title={t('desk.requests.co_author.frame', { headline })}
        onChanged={() => invalidateRequests('co_author')}
      />
      <Suspense fallback={<Loading />}>
        <ReadingComments piece={id} body={body_md} reader="co_author" />
      </Suspense>
    </Page>
  )
}
