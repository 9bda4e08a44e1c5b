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
import { rich, t } from '../../messages.ts'
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
          <h3>{t('desk.integrations.keys.active')}</h3>
          <Rows>
            {live.map((key) => (
              <Row
                key={key.id}
                title={<bdi>{key.name}</bdi>}
                about={<KeyDetails of={key} />}
                actions={
                  <Button
                    kind="quiet"
                    aria-label={t('desk.integrations.keys.revoke_one', { name: key.name })}
                    onClick={() => setToRevoke(key)}
                  >
                    {t('desk.integrations.keys.revoke')}
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
          title={t('desk.integrations.keys.revoke_title', { name: toRevoke.name })}
          about={t('desk.integrations.keys.revoke_about')}
          onSubmit={async () => {
            await callApi('DELETE', `/keys/${toRevoke.id}`)
            showToast(t('desk.integrations.keys.revoked', { name: toRevoke.name }))
            void invalidate('keys')
            setToRevoke(undefined)
          }}
          submit={t('desk.integrations.keys.revoke_confirm')}
          kind="grave"
          onClose={() => setToRevoke(undefined)}
        />
      )}
    </>
  )
}

/** The optional scopes. */
const scopes = ['read', 'edit', 'delete'] as const

const KeyDetails = ({ of }: { readonly of: Key }) => (
  <span className="facts">
    <code>{of.prefix}</code>
    <span>{t('desk.integrations.keys.own_drafts')}</span>
    {scopes
      .filter((scope) => of.scopes.includes(`drafts:${scope}`))
      .map((scope) => (
        <span key={scope}>{t(`desk.integrations.keys.scope.${scope}`)}</span>
      ))}
    <span>{rich('desk.integrations.keys.created_at', { time: <Time at={of.created_at} /> })}</span>
    <span>
      {of.last_used_at
        ? rich('desk.integrations.keys.last_used_at', { time: <Time at={of.last_used_at} /> })
        : t('desk.integrations.keys.never_used')}
    </span>
    <span>{keyEnd(of)}</span>
  </span>
)

/** When the key ends or ended. */
function keyEnd(key: Key) {
  if (key.revoked_at) return rich('desk.integrations.keys.revoked_at', { time: <Time at={key.revoked_at} /> })
  if (!key.expires_at) return t('desk.integrations.keys.never_expires')
  const time = <Time at={key.expires_at} />
  return isLive(key)
    ? rich('desk.integrations.keys.expires_at', { time })
    : rich('desk.integrations.keys.expired_at', { time })
}

const EndedKeys = ({ keys }: { readonly keys: readonly Key[] }) => (
  <details className={styles.ended}>
    <summary>{t('desk.integrations.keys.inactive', { count: keys.length })}</summary>
    <Rows>
      {keys.map((key) => (
        <Row key={key.id} title={<bdi>{key.name}</bdi>} about={<KeyDetails of={key} />} />
      ))}
    </Rows>
  </details>
)

const maxName = 80

type Scope = (typeof scopes)[number]

/** Days, as text, since radio values are strings. */
const lifetimes = ['30', '90', '365', '0'] as const
type Lifetime = (typeof lifetimes)[number]

function lifetimeLabel(life: Lifetime): string {
  if (life === '0') return t('desk.integrations.keys.expires_never')
  if (life === '365') return t('desk.integrations.keys.expires_in_a_year')
  return t('desk.integrations.keys.expires_in', { days: Number(life) })
}

const expiryDate = (life: Lifetime): string | null =>
  life === '0' ? null : new Date(Date.now() + Number(life) * 86_400_000).toISOString()

/** Form for a new key: name, scopes and expiry. */
function NewKeyForm({ onMinted }: { readonly onMinted: (minted: KeyMinted) => void }) {
  return (
    <Form
      initial={{ name: '', life: '365' as Lifetime, chosen: [] as readonly Scope[] }}
      onSubmit={async ({ name, life, chosen }) => {
        const asked: MintKey = {
          name,
          scopes: chosen.map((scope) => `drafts:${scope}` as const),
          expires_at: expiryDate(life),
        }
        onMinted(await callApi<KeyMinted>('POST', '/keys', asked))
      }}
    >
      {({ field, values: { life, chosen }, change }) => (
        <>
          <Field
            label={t('desk.integrations.keys.name')}
            hint={t('desk.integrations.keys.name_hint')}
            {...field('name')}
            limit={maxName}
            placeholder={t('desk.integrations.keys.name_example')}
            autoComplete="off"
            required
          />
          <fieldset className={styles.scopes}>
            <legend>{t('desk.integrations.keys.permissions')}</legend>
            <p className={styles.note}>{t('desk.integrations.keys.permissions_hint')}</p>
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                label={t(`desk.integrations.keys.scope.${scope}`)}
                hint={t(`desk.integrations.keys.scope_hint.${scope}`)}
                isOn={chosen.includes(scope)}
                onChange={(isOn) =>
                  change({ chosen: isOn ? [...chosen, scope] : chosen.filter((one) => one !== scope) })
                }
              />
            ))}
          </fieldset>
          <RadioGroup
            label={t('desk.integrations.keys.expires')}
            options={lifetimes.map((value) => ({ value, words: lifetimeLabel(value) }))}
            value={life}
            onValue={(life) => change({ life })}
          />
          <SubmitButton>{t('desk.integrations.keys.create')}</SubmitButton>
        </>
      )}
    </Form>
  )
}

/** The new key, shown once. */
const NewKey = ({ minted: { key }, onDone }: { readonly minted: KeyMinted; readonly onDone: () => void }) => (
  <NewSecret
    title={t('desk.integrations.keys.new_title')}
    about={t('desk.integrations.keys.new_about')}
    secret={key}
    copy={t('desk.integrations.keys.copy')}
    onDone={onDone}
  >
    <Snippet title={t('desk.integrations.keys.try')} text={commandWith(key)} />
  </NewSecret>
)

const commandWith = (key: string): string =>
  `curl -X POST ${location.origin}/api/v1/pieces \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"headline": "Hello from the API", "body_md": "My first draft sent with a key."}'`
