import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecoveryCodes as Made, Passkey } from '../../../../server/features/accounts/schema.ts'
import { type Account, invalidateAccount } from '../../api/account.ts'
import { callApi } from '../../api/client.ts'
import { createPasskey, hasPasskeys } from '../../api/passkeys.ts'
import { invalidate } from '../../api/queries.ts'
import { Button, CopyButton } from '../../components/button.tsx'
import { PasswordField } from '../../components/choices.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice, FormActions, useAttempt } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { FocusedHeading, Row, Rows, Section } from '../../components/page.tsx'
import { AddedAndUsed, Time } from '../../components/time.tsx'
import styles from './account.module.css'

/** What signs the writer in: passkeys, a password and recovery codes. */

export function Passkeys() {
  const { data, error } = useQuery({
    queryKey: ['passkeys'],
    queryFn: () => callApi<{ readonly passkeys: readonly Passkey[] }>('GET', '/passkeys'),
  })
  const [chosen, setChosen] = useState<{ readonly act: 'rename' | 'delete'; readonly passkey: Passkey }>()
  const close = () => setChosen(undefined)
  const attempt = useAttempt()
  const changed = async () => {
    close()
    await Promise.all([invalidate('passkeys'), invalidateAccount()])
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
      {chosen?.act === 'rename' && (
        <FormDialog
          title="Name this passkey"
          initial={{ name: chosen.passkey.name }}
          onSubmit={async (given) => {
            await callApi('PATCH', `/passkeys/${chosen.passkey.id}`, given)
            await changed()
          }}
          submit="Save the name"
          cancel="Leave it"
          onClose={close}
        >
          {({ field }) => (
            <Field label="Name" hint="Such as the device it is on." {...field('name')} limit={80} required />
          )}
        </FormDialog>
      )}
      {chosen?.act === 'delete' && (
        <FormDialog
          title="Delete this passkey?"
          onSubmit={async () => {
            await callApi('DELETE', `/passkeys/${chosen.passkey.id}`)
            await changed()
          }}
          submit="Delete it"
          kind="grave"
          cancel="Keep it"
          onClose={close}
        >
          <p>
            “<bdi>{chosen.passkey.name}</bdi>” will no longer sign you in. Your device may still offer it; there you can
            remove it, too.
          </p>
        </FormDialog>
      )}
    </Section>
  )
}

export function Password({ account }: { readonly account: Account }) {
  const [isOpen, setOpen] = useState(false)
  const label = account.has_password ? 'Change the password' : 'Set a password'
  const close = () => setOpen(false)
  return (
    <Section
      title="Password"
      lead={
        account.has_password
          ? 'Changing it signs you out everywhere but here.'
          : 'You have none, and need none while you have a passkey.'
      }
    >
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && (
        <FormDialog
          title={label}
          initial={{ password: '' }}
          onSubmit={async (given) => {
            await callApi('PUT', '/account/password', given)
            await invalidateAccount()
            showToast('Your new password is set. You are signed out everywhere else.')
            close()
          }}
          submit="Set the password"
          cancel="Leave it"
          onClose={close}
        >
          {({ field }) => (
            <>
              {/* Password managers look for the username. */}
              <input type="hidden" autoComplete="username" value={account.email} readOnly />
              <PasswordField label="New password" {...field('password')} />
            </>
          )}
        </FormDialog>
      )}
    </Section>
  )
}

/** Recovery codes: created, shown once, counted. */
export function RecoveryCodes({ account: { recovery_codes: known } }: { readonly account: Account }) {
  const [codes, setCodes] = useState<readonly string[]>()
  const attempt = useAttempt()
  const make = attempt.handler(async () => {
    setCodes((await callApi<Made>('POST', '/account/recovery-codes')).codes)
    await invalidateAccount()
  })
  return (
    <Section
      title="Recovery codes"
      lead="Ten codes to keep on paper. Each signs you in once, also when you have lost your password, your passkeys and your email address. Resetting your password by email makes them invalid."
    >
      <ErrorNotice error={attempt.error} />
      {codes ? (
        <NewCodes codes={codes} onDone={() => setCodes(undefined)} />
      ) : (
        <>
          {known && (
            <p>
              {known.left} of 10 left, made <Time at={known.made_at} isPast />. New codes replace them.
            </p>
          )}
          <Button isBusy={attempt.isBusy} onClick={make}>
            {known ? 'Make new codes' : 'Make recovery codes'}
          </Button>
        </>
      )}
    </Section>
  )
}

interface NewCodesProps {
  readonly codes: readonly string[]
  readonly onDone: () => void
}

function NewCodes({ codes, onDone }: NewCodesProps) {
  return (
    <div className={styles.codes}>
      <FocusedHeading>Your recovery codes, shown only now</FocusedHeading>
      <p>Print them or write them down, and keep them where you keep papers. Cross out each one you use.</p>
      <ol>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <FormActions>
        <Button kind="main" onClick={() => print()}>
          Print
        </Button>
        <CopyButton text={codes.join('\n')} />
        <Button onClick={onDone}>Done</Button>
      </FormActions>
    </div>
  )
}
