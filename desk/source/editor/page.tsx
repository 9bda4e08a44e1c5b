import { useEffect, useState } from 'react'
import { useAccount } from '../api/account.ts'
import { newId } from '../api/new-id.ts'
import { Loading } from '../components/loading.tsx'
import { tell } from '../components/notice.tsx'
import { Writing } from './editor.tsx'
import { type Opened, openSession } from './session.ts'
import { Closed } from './unavailable.tsx'
import { Unsent } from './unsent.tsx'

/** A piece that the server does not know is known by the tab's own history, so that it survives loading anew. */
function keyOf(id: string): string {
  if (id !== 'new') return id
  const known: unknown = history.state?.draft
  const key = typeof known === 'string' ? known : newId()
  history.replaceState({ draft: key }, '')
  return key
}

/** The address names a piece once the server has it. */
const isAtNew = (): boolean => location.pathname.endsWith('/new')

interface Wanted {
  readonly key: string
  readonly insists: boolean
  /** Counts how often it was opened: another tab may have the turn now. */
  readonly time: number
  /** Its text is that of a piece which was deleted elsewhere. */
  readonly wasDeleted?: boolean
}

export function Room({ id }: { readonly id: string }) {
  const { data: account } = useAccount()
  const writer = account?.writer?.id
  const [wanted, setWanted] = useState<Wanted>(() => ({ key: keyOf(id), insists: false, time: 0 }))
  const [opened, setOpened] = useState<Opened>()
  const { key, wasDeleted } = wanted

  useEffect(() => {
    if (!writer) return
    let isLeft = false
    let close: (() => void) | undefined
    const again = () => {
      if (!isLeft) setWanted(({ key, time }) => ({ key, insists: false, time: time + 1 }))
    }
    const { key, insists } = wanted
    const opening = openSession({ key, isNew: isAtNew(), writer, insists, onTurn: again })
    void opening
      .catch((): Opened => ({ kind: 'unreachable' }))
      .then((next) => {
        if (next.kind === 'open') close = () => next.session.close()
        if (isLeft) return close?.()
        if (next.kind === 'moved') {
          const { key, wasDeleted } = next
          history.replaceState({ draft: key }, '', '/desk/edit/pieces/new')
          return setWanted(({ time }) => ({ key, insists: false, time: time + 1, wasDeleted }))
        }
        if (insists && next.kind === 'open' && !next.session.isWriting) {
          tell('The other tab has text that is saved nowhere yet. Look there first.')
        }
        setOpened(next)
      })
    return () => {
      isLeft = true
      close?.()
    }
  }, [wanted, writer])

  if (account && !writer) return <Closed why="no_writer" />
  if (!opened || opened.kind === 'moved') return <Loading words="Opening the piece" />
  if (opened.kind !== 'open') {
    return <Closed why={opened.kind} onAgain={() => setWanted({ ...wanted, time: wanted.time + 1 })} />
  }
  const { session } = opened
  return (
    <Writing
      key={key}
      session={session}
      wasDeleted={wasDeleted ?? false}
      onInsist={() => setWanted({ key, insists: true, time: wanted.time + 1 })}
      notice={
        isAtNew() &&
        writer && (
          <Unsent
            writer={writer}
            but={key}
            onChosen={(chosen) => {
              history.replaceState({ draft: chosen }, '')
              setOpened(undefined)
              setWanted({ key: chosen, insists: false, time: wanted.time + 1 })
            }}
          />
        )
      }
    />
  )
}
