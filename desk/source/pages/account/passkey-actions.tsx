import { useState } from 'react'
import type { Passkey } from '../../../../server/features/accounts/schema.ts'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Choices } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { Form, useAttempt } from '../../components/form.tsx'

/** What is asked before a passkey is named anew or deleted. */
interface PasskeyActProps {
  readonly passkey: Passkey
  readonly onDone: () => Promise<void>
  readonly onCancel: () => void
}

export function PasskeyName({ passkey, onDone, onCancel }: PasskeyActProps) {
  const [name, setName] = useState(passkey.name)
  const attempt = useAttempt()
  const rename = attempt.by(async () => {
    await ask('PATCH', `/passkeys/${passkey.id}`, { name })
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
      <Choices>
        <Button kind="quiet" onClick={onCancel}>
          Leave it
        </Button>
        <Button kind="main" type="submit" isBusy={attempt.isBusy}>
          Save the name
        </Button>
      </Choices>
    </Form>
  )
}

export function PasskeyDeletion({ passkey, onDone, onCancel }: PasskeyActProps) {
  const attempt = useAttempt()
  const remove = attempt.by(async () => {
    await ask('DELETE', `/passkeys/${passkey.id}`)
    await onDone()
  })
  return (
    <Form attempt={attempt} onSubmit={remove}>
      <p>
        “<bdi>{passkey.name}</bdi>” will no longer sign you in. Your device may still offer it; there you can remove it,
        too.
      </p>
      <Choices>
        <Button kind="quiet" onClick={onCancel}>
          Keep it
        </Button>
        <Button kind="grave" type="submit" isBusy={attempt.isBusy}>
          Delete it
        </Button>
      </Choices>
    </Form>
  )
}
