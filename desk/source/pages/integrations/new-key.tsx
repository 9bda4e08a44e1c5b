import { useEffect, useRef, useState } from 'react'
import type { KeyMinted, MintKey } from '../../../../server/features/keys/schema.ts'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Copy } from '../../components/copy.tsx'
import { Choice, Field } from '../../components/field.tsx'
import { Form, useAttempt } from '../../components/form.tsx'
import { Options } from '../../components/options.tsx'
import styles from './presence.module.css'
import { Snippet } from './snippet.tsx'

const longestName = 80

type Scope = NonNullable<MintKey['scopes']>[number]

/** In days; as text, since a choice has words for a value. */
const lives = [
  { value: '30', words: 'After 30 days' },
  { value: '90', words: 'After 90 days' },
  { value: '365', words: 'After a year' },
  { value: '0', words: 'Never' },
] as const
type Life = (typeof lives)[number]['value']

/** Every key has the first; the others are chosen. */
const scopes: readonly { readonly scope: Scope; readonly label: string; readonly hint: string }[] = [
  { scope: 'drafts:read', label: 'Read all drafts', hint: 'It can read every draft of yours, not only its own.' },
  { scope: 'drafts:edit', label: 'Change all drafts', hint: 'It can read and change every draft of yours.' },
  {
    scope: 'drafts:delete',
    label: 'Delete all drafts',
    hint: 'It can move every draft of yours to the trash; you can restore it for 30 days.',
  },
]

const endOf = (life: Life): string | null =>
  life === '0' ? null : new Date(Date.now() + Number(life) * 86_400_000).toISOString()

/** A new key: a name to know it by, what it may do, and when it ends. */
export function Minting({ onMinted }: { readonly onMinted: (minted: KeyMinted) => void }) {
  const [name, setName] = useState('')
  const [life, setLife] = useState<Life>('365')
  const [chosen, setChosen] = useState<readonly Scope[]>([])
  const attempt = useAttempt()
  const mint = attempt.by(async () =>
    onMinted(await ask<KeyMinted>('POST', '/keys', { name, scopes: chosen, expires_at: endOf(life) })),
  )
  return (
    <Form attempt={attempt} onSubmit={mint}>
      <Field
        label="A name for a new key"
        hint="Drafts that come by it are marked with this name."
        value={name}
        onText={setName}
        limit={longestName}
        problem={problemOf(attempt.error, 'name')}
        placeholder="My notes app"
        autoComplete="off"
        required
      />
      <fieldset className={styles.scopes}>
        <legend>What it may do</legend>
        <p className={styles.note}>
          Every key makes drafts, lists your pieces, and reads, changes and deletes the drafts it made. None can
          publish.
        </p>
        {scopes.map(({ scope, label, hint }) => (
          <Choice
            key={scope}
            label={label}
            hint={hint}
            isOn={chosen.includes(scope)}
            onChoice={(isOn) => setChosen(isOn ? [...chosen, scope] : chosen.filter((one) => one !== scope))}
          />
        ))}
      </fieldset>
      <Options label="Expires" options={lives} value={life} onChosen={setLife} />
      <Button kind="main" type="submit" isBusy={attempt.isBusy}>
        Make a key
      </Button>
    </Form>
  )
}

/** The key, this once. It takes the focus: it is what the person came for, and it will be gone. */
export function Minted({ minted, onKept }: { readonly minted: KeyMinted; readonly onKept: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={styles.secret}>
      <h3 ref={heading} tabIndex={-1}>
        Your new key, shown only now
      </h3>
      <p>
        Copy it to where your program keeps its secrets. We keep no copy; if it is lost, revoke it and make another. It
        belongs on a server, never in a web page.
      </p>
      <p className={styles.key}>
        <code>{minted.key}</code>
      </p>
      <Copy text={minted.key} label="Copy the key" kind="main" />
      <Snippet title="Try it: this command sends a draft to your desk" text={commandWith(minted.key)} />
      <Button onClick={onKept}>I have kept it</Button>
    </div>
  )
}

const commandWith = (key: string): string =>
  `curl -X POST ${location.origin}/api/v1/pieces \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"headline": "Sent by a program", "body_md": "These words came by key."}'`
