import { useEffect, useRef, useState } from 'react'
import type { KeyMinted } from '../../../server/features/keys/schema.ts'
import { ask } from '../api/ask.ts'
import { problemOf } from '../api/refusal.ts'
import { Button } from '../ui/button.tsx'
import { Copy } from '../ui/copy.tsx'
import { Field } from '../ui/field.tsx'
import { Form, useAttempt } from '../ui/form.tsx'
import { Options } from '../ui/options.tsx'
import styles from './presence.module.css'
import { Snippet } from './snippet.tsx'

const longestName = 80

/** In days; as text, since a choice has words for a value. */
const lives = [
  { value: '0', words: 'Never' },
  { value: '30', words: 'After 30 days' },
  { value: '365', words: 'After a year' },
] as const
type Life = (typeof lives)[number]['value']

const endOf = (life: Life): string | null =>
  life === '0' ? null : new Date(Date.now() + Number(life) * 86_400_000).toISOString()

/** A new key: a name to know it by, and perhaps an end. */
export function Minting({ onMinted }: { readonly onMinted: (minted: KeyMinted) => void }) {
  const [name, setName] = useState('')
  const [life, setLife] = useState<Life>('0')
  const attempt = useAttempt()
  const mint = attempt.by(async () =>
    onMinted(await ask<KeyMinted>('POST', '/keys', { name, expires_at: endOf(life) })),
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
