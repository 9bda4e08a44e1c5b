import { useEffect, useRef, useState } from 'react'
import type { RecoveryCodes as Made } from '../../../../server/features/accounts/schema.ts'
import { type Account, useAccountChanged } from '../../api/account.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Copy } from '../../components/copy.tsx'
import { Acts, Refused, useAttempt } from '../../components/form.tsx'
import { Section } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'
import styles from './recovery-codes.module.css'

/** For whoever has lost password, passkeys and the address: made, shown once, counted. */
export function RecoveryCodes({ account: { recovery_codes: known } }: { readonly account: Account }) {
  const [codes, setCodes] = useState<readonly string[]>()
  const accountChanged = useAccountChanged()
  const attempt = useAttempt()
  const make = attempt.by(async () => {
    setCodes((await ask<Made>('POST', '/account/recovery-codes')).codes)
    await accountChanged()
  })
  return (
    <Section
      title="Recovery codes"
      lead="Ten codes to keep on paper. Each signs you in once, also when you have lost your password, your passkeys and your email address. Resetting your password by email makes them invalid."
    >
      <Refused error={attempt.error} />
      {codes ? (
        <Shown codes={codes} onKept={() => setCodes(undefined)} />
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

interface ShownProps {
  readonly codes: readonly string[]
  readonly onKept: () => void
}

/** This once. They take the focus: they will be gone. */
function Shown({ codes, onKept }: ShownProps) {
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
      <Acts>
        <Button kind="main" onClick={() => print()}>
          Print
        </Button>
        <Copy text={codes.join('\n')} />
        <Button onClick={onKept}>Done</Button>
      </Acts>
    </div>
  )
}
