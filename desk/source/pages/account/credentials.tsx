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
import { rich, t } from '../../messages.ts'
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
    showToast(t('desk.account.passkeys.added'))
  })

  return (
    <Section title={t('desk.account.passkeys.title')} lead={t('desk.account.passkeys.lead')}>
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
                    aria-label={t('desk.account.passkeys.rename_one', { name: passkey.name })}
                    onClick={() => setChosen({ act: 'rename', passkey })}
                  >
                    {t('desk.account.passkeys.rename')}
                  </Button>
                  <Button
                    kind="quiet"
                    aria-label={t('desk.account.passkeys.delete_one', { name: passkey.name })}
                    onClick={() => setChosen({ act: 'delete', passkey })}
                  >
                    {t('desk.common.delete')}
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
          {t('desk.account.passkeys.add')}
        </Button>
      )}
      {chosen?.act === 'rename' && (
        <FormDialog
          title={t('desk.account.passkeys.rename_title')}
          initial={{ name: chosen.passkey.name }}
          onSubmit={async (given) => {
            await callApi('PATCH', `/passkeys/${chosen.passkey.id}`, given)
            await changed()
          }}
          submit={t('desk.common.save')}
          onClose={close}
        >
          {({ field }) => (
            <Field
              label={t('desk.account.passkeys.name')}
              hint={t('desk.account.passkeys.name_hint')}
              {...field('name')}
              limit={80}
              required
            />
          )}
        </FormDialog>
      )}
      {chosen?.act === 'delete' && (
        <FormDialog
          title={t('desk.account.passkeys.delete_title')}
          onSubmit={async () => {
            await callApi('DELETE', `/passkeys/${chosen.passkey.id}`)
            await changed()
          }}
          about={rich('desk.account.passkeys.delete_confirm', { name: <bdi>{chosen.passkey.name}</bdi> })}
          submit={t('desk.common.delete')}
          kind="grave"
          onClose={close}
        />
      )}
    </Section>
  )
}

export function Password({ account }: { readonly account: Account }) {
  const [isOpen, setOpen] = useState(false)
  const label = t(account.has_password ? 'desk.account.password.change' : 'desk.account.password.set')
  const close = () => setOpen(false)
  return (
    <Section
      title={t('desk.common.password')}
      lead={t(account.has_password ? 'desk.account.password.lead' : 'desk.account.password.none')}
    >
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && (
        <FormDialog
          title={label}
          initial={{ password: '' }}
          onSubmit={async (given) => {
            await callApi('PUT', '/account/password', given)
            await Promise.all([invalidate('sessions'), invalidateAccount()])
            showToast(t('desk.account.password.changed'))
            close()
          }}
          submit={t('desk.common.save')}
          onClose={close}
        >
          {({ field }) => (
            <>
              {/* Password managers look for the username. */}
              <input type="hidden" autoComplete="username" value={account.email} readOnly />
              <PasswordField label={t('desk.common.new_password')} {...field('password')} />
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
    <Section title={t('desk.account.recovery.title')} lead={t('desk.account.recovery.lead')}>
      <ErrorNotice error={attempt.error} />
      {codes ? (
        <NewCodes codes={codes} onDone={() => setCodes(undefined)} />
      ) : (
        <>
          {known && (
            <p>{rich('desk.account.recovery.left', { left: known.left, at: <Time at={known.made_at} isPast /> })}</p>
          )}
          <Button isBusy={attempt.isBusy} onClick={make}>
            {t(known ? 'desk.account.recovery.make_new' : 'desk.account.recovery.make')}
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
      <FocusedHeading>{t('desk.account.recovery.shown_once')}</FocusedHeading>
      <p>{t('desk.account.recovery.keep')}</p>
      <ol>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <FormActions>
        <Button kind="main" onClick={() => print()}>
          {t('desk.account.recovery.print')}
        </Button>
        <CopyButton text={codes.join('\n')} />
        <Button onClick={onDone}>{t('desk.common.done')}</Button>
      </FormActions>
    </div>
  )
}
