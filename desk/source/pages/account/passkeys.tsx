import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '../../../../server/features/accounts/schema.ts'
import { useAccountChanged } from '../../api/account.ts'
import { ask } from '../../api/client.ts'
import { hasPasskeys, makePasskey } from '../../api/passkeys.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Refused, useAttempt } from '../../components/form.tsx'
import { Loading } from '../../components/loading.tsx'
import { tell } from '../../components/notice.tsx'
import { Row, Rows } from '../../components/rows.tsx'
import { Section } from '../../components/section.tsx'
import { AddedAndUsed } from '../../components/time.tsx'
import { PasskeyDeletion, PasskeyName } from './passkey-actions.tsx'

type Chosen = { readonly act: 'rename' | 'delete'; readonly passkey: Passkey }

const titles = { rename: 'Name this passkey', delete: 'Delete this passkey?' } as const

export function Passkeys() {
  const queries = useQueryClient()
  const accountChanged = useAccountChanged()
  const { data, error } = useQuery({
    queryKey: ['passkeys'],
    queryFn: () => ask<{ readonly passkeys: readonly Passkey[] }>('GET', '/passkeys'),
  })
  const [chosen, setChosen] = useState<Chosen>()
  const attempt = useAttempt()
  const changed = async () => {
    setChosen(undefined)
    await Promise.all([queries.invalidateQueries({ queryKey: ['passkeys'] }), accountChanged()])
  }
  const add = attempt.by(async () => {
    await ask('POST', '/passkeys', { credential: await makePasskey('/passkeys/options') })
    await changed()
    tell('The passkey is added. You are signed out everywhere else.')
  })

  return (
    <Section
      title="Passkeys"
      lead="They sign you in with your finger, your face or the code of a device. Nothing to remember, nothing to steal."
    >
      <Refused error={error ?? attempt.error} />
      {data ? (
        <Rows>
          {data.passkeys.map((passkey) => (
            <Row
              key={passkey.id}
              title={<bdi>{passkey.name}</bdi>}
              about={<AddedAndUsed {...passkey} />}
              acts={
                <>
                  <Button
                    kind="quiet"
                    aria-label={`Rename ${passkey.name}`}
                    onClick={() => setChosen({ act: 'rename', passkey })}
                  >
                    Rename
                  </Button>
                  <Button
                    kind="quiet"
                    aria-label={`Delete ${passkey.name}`}
                    onClick={() => setChosen({ act: 'delete', passkey })}
                  >
                    Delete
                  </Button>
                </>
              }
            />
          ))}
        </Rows>
      ) : (
        !error && <Loading />
      )}
      {hasPasskeys() && (
        <Button isBusy={attempt.isBusy} onClick={add}>
          Add a passkey
        </Button>
      )}
      <Dialog
        title={chosen ? titles[chosen.act] : ''}
        isOpen={chosen !== undefined}
        onClose={() => setChosen(undefined)}
      >
        {chosen?.act === 'rename' && (
          <PasskeyName passkey={chosen.passkey} onDone={changed} onCancel={() => setChosen(undefined)} />
        )}
        {chosen?.act === 'delete' && (
          <PasskeyDeletion passkey={chosen.passkey} onDone={changed} onCancel={() => setChosen(undefined)} />
        )}
      </Dialog>
    </Section>
  )
}
