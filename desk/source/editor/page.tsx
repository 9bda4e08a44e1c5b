import { useEffect, useState } from 'react'
import { useAccount } from '../api/account.ts'
import { callApi, newId } from '../api/client.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { Empty, Loading } from '../components/load-states.tsx'
import { showToast } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { t } from '../messages.ts'
import { Editor } from './editor.tsx'
import { UnsentNotice } from './notices.tsx'
import { type OpenResult, openSession } from './session.ts'

/** An unsaved piece has its id in the history state, so that it survives a reload. */
function draftKey(id: string): string {
  if (id !== 'new') return id
  const known: unknown = history.state?.draft
  const key = typeof known === 'string' ? known : newId()
  history.replaceState({ draft: key }, '')
  return key
}

/** Whether the URL does not name a piece yet. */
const isAtNew = (): boolean => location.pathname.endsWith('/new')

interface OpenRequest {
  readonly key: string
  readonly takesOver: boolean
  /** Counts openings: another tab may hold the lock now. */
  readonly attempt: number
  /** The text comes from a piece that was deleted elsewhere. */
  readonly wasDeleted?: boolean
}

export function EditorPage({ id }: { readonly id: string }) {
  const { data: account } = useAccount()
  const writer = account?.writer?.id
  const [request, setRequest] = useState<OpenRequest>(() => ({ key: draftKey(id), takesOver: false, attempt: 0 }))
  const [opened, setOpened] = useState<OpenResult>()
  const { key, wasDeleted } = request

  useEffect(() => {
    if (!writer) return
    let isLeft = false
    let close: (() => void) | undefined
    const again = () => {
      if (!isLeft) setRequest(({ key, attempt }) => ({ key, takesOver: false, attempt: attempt + 1 }))
    }
    const { key, takesOver } = request
    const opening = openSession({ key, isNew: isAtNew(), writer, takesOver, onLockChange: again })
    void opening
      .catch((): OpenResult => ({ kind: 'unreachable' }))
      .then((next) => {
        if (next.kind === 'open') close = () => next.session.close()
        if (isLeft) return close?.()
        if (next.kind === 'moved') {
          const { key, wasDeleted } = next
          history.replaceState({ draft: key }, '', '/desk/edit/pieces/new')
          return setRequest(({ attempt }) => ({ key, takesOver: false, attempt: attempt + 1, wasDeleted }))
        }
        if (takesOver && next.kind === 'open' && !next.session.isWriting) {
          showToast(t('desk.editor.notice.other_tab_unsafe'))
        }
        setOpened(next)
      })
    return () => {
      isLeft = true
      close?.()
    }
  }, [request, writer])

  if (account && !writer) return <Unavailable why="no_writer" />
  if (!opened || opened.kind === 'moved') return <Loading />
  if (opened.kind !== 'open') {
    return <Unavailable why={opened.kind} onRetry={() => setRequest({ ...request, attempt: request.attempt + 1 })} />
  }
  const { session } = opened
  return (
    <Editor
      key={key}
      session={session}
      wasDeleted={wasDeleted ?? false}
      onTakeOver={() => setRequest({ key, takesOver: true, attempt: request.attempt + 1 })}
      notice={
        isAtNew() &&
        writer && (
          <UnsentNotice
            writer={writer}
            exceptKey={key}
            onRestore={(chosen) => {
              history.replaceState({ draft: chosen }, '')
              setOpened(undefined)
              setRequest({ key: chosen, takesOver: false, attempt: request.attempt + 1 })
            }}
          />
        )
      }
    />
  )
}

type Reason = 'gone' | 'unreachable' | 'signed_out' | 'no_writer'

/** Shown instead of a piece that cannot be opened. */
function Unavailable({ why, onRetry }: { readonly why: Reason; readonly onRetry?: () => void }) {
  /** Calls without skipReauth, so that the sign-in dialog opens above the page. */
  const signIn = () => void callApi('GET', '/account').then(onRetry, () => undefined)
  return (
    <Page title={t(`desk.editor.unavailable.${why}_title`)}>
      <Empty title={t(`desk.editor.unavailable.${why}`)}>
        <p>{t(`desk.editor.unavailable.${why}_next`)}</p>
        {why === 'unreachable' && <Button onClick={onRetry}>{t('desk.common.try_again')}</Button>}
        {why === 'signed_out' && <Button onClick={signIn}>{t('desk.common.sign_in')}</Button>}
        {(why === 'gone' || why === 'no_writer') && <LinkButton to="/desk">{t('desk.common.go_to_pieces')}</LinkButton>}
      </Empty>
    </Page>
  )
}
