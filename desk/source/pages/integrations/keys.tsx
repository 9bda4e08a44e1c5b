import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyList, KeyMinted, MintKey } from '../../../../server/features/keys/schema.ts'
import { callApi } from '../../api/client.ts'
import { invalidate } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox, RadioGroup } from '../../components/choices.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice, Form, SubmitButton } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Row, Rows } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { NewSecret, Snippet } from './code.tsx'
import styles from './presence.module.css'

type Key = KeyList['keys'][number]

const isLive = ({ revoked_at: revoked, expires_at: end }: Key): boolean =>
  revoked === null && (end === null || new Date(end).getTime() > Date.now())

/** The writer's API keys: create, list, revoke. */
export function Keys() {
  const { data: keys, error } = useQuery({
    queryKey: ['keys'],
    queryFn: async () => (await callApi<KeyList>('GET', '/keys')).keys,
  })
  const [minted, setMinted] = useState<KeyMinted>()
  const [toRevoke, setToRevoke] = useState<Key>()
  if (!keys) return error ? <ErrorNotice error={error} /> : <Loading />
  const live = keys.filter(isLive)
  const ended = keys.filter((key) => !isLive(key))
  return (
    <>
      {minted ? (
        <NewKey minted={minted} onDone={() => setMinted(undefined)} />
      ) : (
        <NewKeyForm
          onMinted={(next) => {
            setMinted(next)
            void invalidate('keys')
          }}
        />
      )}
      {live.length > 0 && (
        <div className={styles.keys}>
          <h3>Your keys</h3>
          <Rows>
            {live.map((key) => (
              <Row
                key={key.id}
                title={<bdi>{key.name}</bdi>}
                about={<KeyDetails of={key} />}
                actions={
                  <Button kind="quiet" aria-label={`Revoke ${key.name}`} onClick={() => setToRevoke(key)}>
                    Revoke
                  </Button>
                }
              />
            ))}
          </Rows>
        </div>
      )}
      {ended.length > 0 && <EndedKeys keys={ended} />}
      {toRevoke && (
        <FormDialog
          title={`Revoke “${toRevoke.name}”?`}
          about="Programs that use it are refused from now on, and it cannot be brought back. The drafts it sent stay."
          onSubmit={async () => {
            await callApi('DELETE', `/keys/${toRevoke.id}`)
            showToast(`“${toRevoke.name}” no longer works.`)
            void invalidate('keys')
            setToRevoke(undefined)
          }}
          submit="Revoke the key"
          kind="grave"
          cancel="Keep it"
          onClose={() => setToRevoke(undefined)}
        />
      )}
    </>
  )
}

const scopeVerbs: readonly (readonly [scope: string, words: string])[] = [
  ['drafts:read', 'read'],
  ['drafts:edit', 'change'],
  ['drafts:delete', 'delete'],
]

function scopeWords(scopes: readonly string[]): string {
  const more = scopeVerbs.filter(([scope]) => scopes.includes(scope)).map(([, words]) => words)
  return more.length > 0 ? `Its own drafts; can ${list.format(more)} all` : 'Its own drafts'
}

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' })

const KeyDetails = ({ of }: { readonly of: Key }) => (
  <span className="facts">
    <code>{of.prefix}</code>
    <span>{scopeWords(of.scopes)}</span>
    <span>
      Made <Time at={of.created_at} />
    </span>
    {of.last_used_at ? (
      <span>
        Last used <Time at={of.last_used_at} />
      </span>
    ) : (
      <span>Never used</span>
    )}
    {of.revoked_at ? (
      <span>
        Revoked <Time at={of.revoked_at} />
      </span>
    ) : (
      <span>
        {isLive(of) ? 'Expires: ' : 'Expired '}
        {of.expires_at ? <Time at={of.expires_at} /> : 'never'}
      </span>
    )}
  </span>
)

const EndedKeys = ({ keys }: { readonly keys: readonly Key[] }) => (
  <details className={styles.ended}>
    <summary>{keys.length === 1 ? 'One key that no longer works' : `${keys.length} keys that no longer work`}</summary>
    <Rows>
      {keys.map((key) => (
        <Row key={key.id} title={<bdi>{key.name}</bdi>} about={<KeyDetails of={key} />} />
      ))}
    </Rows>
  </details>
)

const maxName = 80

type Scope = NonNullable<MintKey['scopes']>[number]

/** Days, as text, since radio values are strings. */
const lifetimes = [
  { value: '30', words: 'After 30 days' },
  { value: '90', words: 'After 90 days' },
  { value: '365', words: 'After a year' },
  { value: '0', words: 'Never' },
] as const
type Lifetime = (typeof lifetimes)[number]['value']

/** The optional scopes. */
const scopes: readonly { readonly scope: Scope; readonly label: string; readonly hint: string }[] = [
  { scope: 'drafts:read', label: 'Read all drafts', hint: 'It can read every draft of yours, not only its own.' },
  { scope: 'drafts:edit', label: 'Change all drafts', hint: 'It can read and change every draft of yours.' },
  {
    scope: 'drafts:delete',
    label: 'Delete all drafts',
    hint: 'It can move every draft of yours to the trash; you can restore it for 30 days.',
  },
]

const expiryDate = (life: Lifetime): string | null =>
  life === '0' ? null : new Date(Date.now() + Number(life) * 86_400_000).toISOString()

/** Form for a new key: name, scopes and expiry. */
function NewKeyForm({ onMinted }: { readonly onMinted: (minted: KeyMinted) => void }) {
  return (
    <Form
      initial={{ name: '', life: '365' as Lifetime, chosen: [] as readonly Scope[] }}
      onSubmit={async ({ name, life, chosen }) =>
        onMinted(await callApi<KeyMinted>('POST', '/keys', { name, scopes: chosen, expires_at: expiryDate(life) }))
      }
    >
      {({ field, values: { life, chosen }, change }) => (
        <>
          <Field
            label="A name for a new key"
            hint="Drafts that come by it are marked with this name."
            {...field('name')}
            limit={maxName}
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
              <Checkbox
                key={scope}
                label={label}
                hint={hint}
                isOn={chosen.includes(scope)}
                onChange={(isOn) =>
                  change({ chosen: isOn ? [...chosen, scope] : chosen.filter((one) => one !== scope) })
                }
              />
            ))}
          </fieldset>
          <RadioGroup label="Expires" options={lifetimes} value={life} onValue={(life) => change({ life })} />
          <SubmitButton>Make a key</SubmitButton>
        </>
      )}
    </Form>
  )
}

/** The new key, shown once. */
const NewKey = ({ minted: { key }, onDone }: { readonly minted: KeyMinted; readonly onDone: () => void }) => (
  <NewSecret
    title="Your new key, shown only now"
    about="Copy it to where your program keeps its secrets. We keep no copy; if it is lost, revoke it and make another. It belongs on a server, never in a web page."
    secret={key}
    copy="Copy the key"
    onDone={onDone}
  >
    <Snippet title="Try it: this command sends a draft to your desk" text={commandWith(key)} />
  </NewSecret>
)

const commandWith = (key: string): string =>
  `curl -X POST ${location.origin}/api/v1/pieces \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"headline": "Sent by a program", "body_md": "These words came by key."}'`
