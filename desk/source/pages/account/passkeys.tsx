import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '../../../../server/features/accounts/schema.ts'
import { useInvalidateAccount } from '../../api/account.ts'
import { problemOf } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { createPasskey, hasPasskeys } from '../../api/passkeys.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice, Form, useAttempt } from '../../components/form.tsx'
import { Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Row, Rows, Section } from '../../components/page.tsx'
import { AddedAndUsed } from '../../components/time.tsx'

type OpenDialog = { readonly act: 'rename' | 'delete'; readonly passkey: Passkey }

const titles = { rename: 'Name this passkey', delete: 'Delete this passkey?' } as const

export function Passkeys() {
  const queries = useQueryClient()
  const invalidateAccount = useInvalidateAccount()
  const { data, error } = useQuery({
    queryKey: ['passkeys'],
    queryFn: () => callApi<{ readonly passkeys: readonly Passkey[] }>('GET', '/passkeys'),
  })
  const [chosen, setChosen] = useState<OpenDialog>()
  const attempt = useAttempt()
  const changed = async () => {
    setChosen(undefined)
    await Promise.all([queries.invalidateQueries({ queryKey: ['passkeys'] }), invalidateAccount()])
  }
  const add = attempt.handler(async () => {
    await callApi('POST', '/passkeys', { credential: await createPasskey('/passkeys/options') })
    await changed()
    showToast('The passkey is added. You are signed out everywhere else.')
  })

  return (
    <Section
      title="Passkeys"
      lead="They sign you in with your finger, your face or the code of a device. Nothing to remember, nothing to steal."
    >
      <ErrorNotice error={error ?? attempt.error} />
      {data ? (
        <Rows>
          {data.passkeys.map((passkey) => (
            <Row
              key={passkey.id}
              title={<bdi>{passkey.name}</bdi>}
              about={<AddedAndUsed {...passkey} />}
              actions={
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
          <RenamePasskey passkey={chosen.passkey} onDone={changed} onCancel={() => setChosen(undefined)} />
        )}
        {chosen?.act === 'delete' && (
          <DeletePasskey passkey={chosen.passkey} onDone={changed} onCancel={() => setChosen(undefined)} />
        )}
      </Dialog>
    </Section>
  )
}

/** Dialogs to rename or delete a passkey. */
interface PasskeyDialogProps {
  readonly passkey: Passkey
  readonly onDone: () => Promise<void>
  readonly onCancel: () => void
}

function RenamePasskey({ passkey, onDone, onCancel }: PasskeyDialogProps) {
  const [name, setName] = useState(passkey.name)
  const attempt = useAttempt()
  const rename = attempt.handler(async () => {
    await callApi('PATCH', `/passkeys/${passkey.id}`, { name })
    await onDone()
  })
  return (
    <Form attempt={attempt} onSubmit={rename}>
      <Field
        label="Name"
        hint="Such as the device it is on."
        value={name}
        onText={setName}
        limit={80}
        problem={problemOf(attempt.error, 'name')}
        required
      />
      <DialogActions>
        <Button kind="quiet" onClick={onCancel}>
          Leave it
        </Button>
        <Button kind="main" type="submit" isBusy={attempt.isBusy}>
          Save the name
        </Button>
      </DialogActions>
    </Form>
  )
}

function DeletePasskey({ passkey, onDone, onCancel }: PasskeyDialogProps) {
  const attempt = useAttempt()
  const remove = attempt.handler(async () => {
    await callApi('DELETE', `/passkeys/${passkey.id}`)
    await onDone()
  })
  return (
    <Form attempt={attempt} onSubmit={remove}>
      <p>
        “<bdi>{passkey.name}</bdi>” will no longer sign you in. Your device may still offer it; there you can remove it,
        too.
      </p>
      <DialogActions>
        <Button kind="quiet" onClick={onCancel}>
          Keep it
        </Button>
        <Button kind="grave" type="submit" isBusy={attempt.isBusy}>
          Delete it
        </Button>
      </DialogActions>
    </Form>
  )
}
