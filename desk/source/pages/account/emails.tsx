import { useState } from 'react'
import { type Account, useAccountChanged } from '../../api/account.ts'
import { ask } from '../../api/client.ts'
import { Choice } from '../../components/field.tsx'
import { Refused, useAttempt } from '../../components/form.tsx'
import { tell } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'

/** Which letters come. Those about the account's safety always do. */
export function Letters({ account }: { readonly account: Account }) {
  const accountChanged = useAccountChanged()
  const attempt = useAttempt()
  const [isOn, setOn] = useState(account.drafts_letter)
  const choose = (isOn: boolean) =>
    attempt.by(async () => {
      setOn(isOn)
      try {
        await ask('PATCH', '/account', { drafts_letter: isOn })
      } catch (error) {
        setOn(!isOn)
        throw error
      }
      await accountChanged()
      tell(isOn ? 'We write when a key has left drafts.' : 'No more letters about drafts.')
    })()
  return (
    <Section title="Letters" lead="What concerns the safety of your account we always write about.">
      <Refused error={attempt.error} />
      <Choice
        label="When one of my keys has left drafts"
        hint="At most one letter an hour."
        isOn={isOn}
        onChoice={choose}
      />
    </Section>
  )
}
