import { useState } from 'react'
import type { Network } from '../../../../server/features/profiles/schema.ts'
import { problemOf } from '../../api/api-error.ts'
import { type Profile, useProfileChange } from '../../api/profile.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Form, useAttempt } from '../../components/form.tsx'
import { tell } from '../../components/notice.tsx'
import { webAddressOf } from './addresses.ts'
import styles from './presence.module.css'

const names: Readonly<Record<Network, string>> = {
  x: 'X',
  linkedin: 'LinkedIn',
  facebook: 'Facebook',
  youtube: 'YouTube',
  instagram: 'Instagram',
  newsletter: 'Newsletter',
}
const networks = Object.keys(names) as Network[]

type Typed = Readonly<Record<Network, string>>

const typedOf = ({ socials }: Profile): Typed =>
  Object.fromEntries(networks.map((network) => [network, socials[network] ?? ''])) as Typed

/** Addresses of the writer in other places. */
export function Socials({ profile }: { readonly profile: Profile }) {
  const [typed, setTyped] = useState(() => typedOf(profile))
  const change = useProfileChange()
  const attempt = useAttempt()
  const save = attempt.by(async () => {
    const socials = Object.fromEntries(networks.map((network) => [network, webAddressOf(typed[network])]))
    setTyped(typedOf(await change('PATCH', '', { socials })))
    tell('Saved.')
  })
  return (
    <Form attempt={attempt} onSubmit={save}>
      <div className={styles.socials}>
        {networks.map((network) => (
          <Field
            key={network}
            label={names[network]}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://"
            value={typed[network]}
            onText={(text) => setTyped((before) => ({ ...before, [network]: text }))}
            problem={problemOf(attempt.error, `socials/${network}`)}
          />
        ))}
      </div>
      <Button type="submit" isBusy={attempt.isBusy}>
        Save
      </Button>
    </Form>
  )
}
