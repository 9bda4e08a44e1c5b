import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyList, KeyMinted } from '../../../../server/features/keys/schema.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Choices, Dialog } from '../../components/dialog.tsx'
import { Refused, useAttempt } from '../../components/form.tsx'
import { Loading } from '../../components/loading.tsx'
import { tell } from '../../components/notice.tsx'
import { Row, Rows } from '../../components/rows.tsx'
import { Time } from '../../components/time.tsx'
import { Minted, Minting } from './new-key.tsx'
import styles from './presence.module.css'

type Key = KeyList['keys'][number]

const isLive = ({ revoked_at: revoked, expires_at: end }: Key): boolean =>
  revoked === null && (end === null || new Date(end).getTime() > Date.now())

/** A writer's keys: made, shown once, listed, revoked. */
export function Keys() {
  const queries = useQueryClient()
  const { data: keys, error } = useQuery({
    queryKey: ['keys'],
    queryFn: async () => (await ask<KeyList>('GET', '/keys')).keys,
  })
  const changed = () => queries.invalidateQueries({ queryKey: ['keys'] })
  const [minted, setMinted] = useState<KeyMinted>()
  const [leaving, setLeaving] = useState<Key>()
  if (!keys) return error ? <Refused error={error} /> : <Loading />
  const live = keys.filter(isLive)
  const ended = keys.filter((key) => !isLive(key))
  return (
    <>
      {minted ? (
        <Minted minted={minted} onKept={() => setMinted(undefined)} />
      ) : (
        <Minting
          onMinted={(next) => {
            setMinted(next)
            changed()
          }}
        />
      )}
      {live.length > 0 && (
        <div className={styles.keys}>
          <h3>Your keys</h3>
          <Rows>
            {live.map((key) => (
              <Row
                key={key.id}
                title={<bdi>{key.name}</bdi>}
                about={<Facts of={key} />}
                acts={
                  <Button kind="quiet" aria-label={`Revoke ${key.name}`} onClick={() => setLeaving(key)}>
                    Revoke
                  </Button>
                }
              />
            ))}
          </Rows>
        </div>
      )}
      {ended.length > 0 && <Ended keys={ended} />}
      <Dialog
        title={leaving ? `Revoke “${leaving.name}”?` : ''}
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
      >
        {leaving && <Revoking of={leaving} onDone={() => setLeaving(undefined)} onRevoked={changed} />}
      </Dialog>
    </>
  )
}

const reach: readonly (readonly [scope: string, words: string])[] = [
  ['drafts:read', 'read'],
  ['drafts:edit', 'change'],
  ['drafts:delete', 'delete'],
]

/** "Its own drafts", or what else it may do. */
function scopeWords(scopes: readonly string[]): string {
  const more = reach.filter(([scope]) => scopes.includes(scope)).map(([, words]) => words)
  return more.length > 0 ? `Its own drafts; can ${list.format(more)} all` : 'Its own drafts'
}

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' })

const Facts = ({ of }: { readonly of: Key }) => (
  <span className={styles.facts}>
    <code>{of.prefix}</code>
    <span>{scopeWords(of.scopes)}</span>
    <span>
      Made <Time at={of.created_at} />
    </span>
    {of.last_used_at ? (
      <span>
        Last used <Time at={of.last_used_at} />
      </span>
    ) : (
      <span>Never used</span>
    )}
    {of.revoked_at ? (
      <span>
        Revoked <Time at={of.revoked_at} />
      </span>
    ) : (
      <span>
        {isLive(of) ? 'Expires: ' : 'Expired '}
        {of.expires_at ? <Time at={of.expires_at} /> : 'never'}
      </span>
    )}
  </span>
)

const Ended = ({ keys }: { readonly keys: readonly Key[] }) => (
  <details className={styles.ended}>
    <summary>{keys.length === 1 ? 'One key that no longer works' : `${keys.length} keys that no longer work`}</summary>
    <Rows>
      {keys.map((key) => (
        <Row key={key.id} title={<bdi>{key.name}</bdi>} about={<Facts of={key} />} />
      ))}
    </Rows>
  </details>
)

interface RevokingProps {
  readonly of: Key
  readonly onDone: () => void
  readonly onRevoked: () => void
}

function Revoking({ of, onDone, onRevoked }: RevokingProps) {
  const attempt = useAttempt()
  const revoke = attempt.by(async () => {
    await ask('DELETE', `/keys/${of.id}`)
    tell(`“${of.name}” no longer works.`)
    onRevoked()
    onDone()
  })
  return (
    <>
      <Refused error={attempt.error} />
      <p>Programs that use it are refused from now on, and it cannot be brought back. The drafts it sent stay.</p>
      <Choices>
        <Button kind="quiet" onClick={onDone}>
          Keep it
        </Button>
        <Button kind="grave" isBusy={attempt.isBusy} onClick={revoke}>
          Revoke the key
        </Button>
      </Choices>
    </>
  )
}
