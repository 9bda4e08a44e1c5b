import { useEffect, useRef, useState } from 'react'
import type { RecoveryCodes as Made } from '../../../../server/features/accounts/schema.ts'
import { type Account, useInvalidateAccount } from '../../api/account.ts'
import { callApi } from '../../api/client.ts'
import { Button, CopyButton } from '../../components/button.tsx'
import { ErrorNotice, FormActions, useAttempt } from '../../components/form.tsx'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import styles from './recovery-codes.module.css'

/** Recovery codes: created, shown once, counted. */
export function RecoveryCodes({ account: { recovery_codes: known } }: { readonly account: Account }) {
  const [codes, setCodes] = useState<readonly string[]>()
  const invalidateAccount = useInvalidateAccount()
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

/** Shown once, so they take the focus. */
function NewCodes({ codes, onDone }: NewCodesProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={styles.codes}>
      <h3 ref={heading} tabIndex={-1}>
        Your recovery codes, shown only now
      </h3>
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
