import { useEffect, useState } from 'react'
import { useAccount } from '../api/account.ts'
import { callApi, newId } from '../api/client.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { Empty, Loading } from '../components/load-states.tsx'
import { showToast } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
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
          showToast('The other tab has text that is saved nowhere yet. Look there first.')
        }
        setOpened(next)
      })
    return () => {
      isLeft = true
      close?.()
    }
  }, [request, writer])

  if (account && !writer) return <Unavailable why="no_writer" />
  if (!opened || opened.kind === 'moved') return <Loading words="Opening the piece" />
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

const notNow = 'This piece cannot be opened just now'
const texts: Readonly<Record<Reason, { readonly page: string; readonly title: string; readonly next: string }>> = {
  gone: {
    page: 'No such piece',
    title: 'You have no piece at this address.',
    next: 'It may have been deleted. Your list shows the pieces you have.',
  },
  unreachable: {
    page: notNow,
    title: 'The server did not answer.',
    next: 'Look at your connection. What you wrote on this device is kept.',
  },
  signed_out: {
    page: notNow,
    title: 'You were signed out.',
    next: 'Sign in to open it. What you wrote on this device is kept.',
  },
  no_writer: {
    page: 'Only writers write pieces',
    title: 'This account is not a writer’s.',
    next: 'Sign in with the account of a writer.',
  },
}

/** Shown instead of a piece that cannot be opened. */
function Unavailable({ why, onRetry }: { readonly why: Reason; readonly onRetry?: () => void }) {
  const { page, title, next } = texts[why]
  /** Calls without skipReauth, so that the sign-in dialog opens above the page. */
  const signIn = () => void callApi('GET', '/account').then(onRetry, () => undefined)
  return (
    <Page title={page}>
      <Empty title={title}>
        <p>{next}</p>
        {why === 'unreachable' && <Button onClick={onRetry}>Try again</Button>}
        {why === 'signed_out' && <Button onClick={signIn}>Sign in</Button>}
        {(why === 'gone' || why === 'no_writer') && <LinkButton to="/desk">To your pieces</LinkButton>}
      </Empty>
    </Page>
  )
}
