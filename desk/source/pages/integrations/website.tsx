import { useState } from 'react'
import type { Network } from '../../../../server/features/profiles/schema.ts'
import { type Profile, useInvalidateProfile, useUpdateProfile } from '../../api/account.ts'
import { problemOf } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice, Form, useAttempt } from '../../components/form.tsx'
import { Notice, showToast } from '../../components/notice.tsx'
import { Time } from '../../components/time.tsx'
import { Snippet } from './code.tsx'
import styles from './presence.module.css'

/** The writer's website and its verification. */
export function Website({ profile }: { readonly profile: Profile }) {
  const [typed, setTyped] = useState(profile.website ?? '')
  const change = useUpdateProfile()
  const attempt = useAttempt()
  const save = attempt.handler(async () => {
    const saved = await change('PATCH', '', { website: toWebUrl(typed) })
    setTyped(saved.website ?? '')
    showToast(saved.website ? 'Your website is saved.' : 'Your website is taken off your page.')
  })
  const isChanged = typed.trim() !== (profile.website ?? '')
  return (
    <>
      <Form attempt={attempt} onSubmit={save}>
        <Field
          label="Its address"
          type="text"
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://"
          value={typed}
          onText={setTyped}
          problem={problemOf(attempt.error, 'website')}
        />
        {isChanged && (
          <Button type="submit" isBusy={attempt.isBusy}>
            Save
          </Button>
        )}
      </Form>
      {profile.website && !isChanged && <WebsiteVerification profile={profile} website={profile.website} />}
    </>
  )
}

function WebsiteVerification({ profile, website }: { readonly profile: Profile; readonly website: string }) {
  const { state, proven_at: proven } = profile.website_check
  const changed = useInvalidateProfile()
  const attempt = useAttempt()
  const check = attempt.handler(async () => {
    await callApi('POST', '/profile/website/check')
    await changed()
  })
  const isWaiting = state === 'waiting' || attempt.isBusy
  return (
    <>
      <VerificationStatus profile={profile} website={website} />
      {!proven && (
        <div className={styles.proofs}>
          <p>Put one of these two lines on that page, then check.</p>
          <Snippet
            title="A link back, seen by readers"
            text={`<a rel="me" href="${profile.urls.profile}">${profile.name}</a>`}
          />
          <Snippet
            title="Or a tag in its head, seen by nobody"
            text={`<meta name="standfirst-verification" content="${profile.website_token}">`}
          />
        </div>
      )}
      <ErrorNotice error={attempt.error} />
      <Button isBusy={isWaiting} onClick={check}>
        {isWaiting ? 'Looking …' : proven ? 'Check again' : 'Check now'}
      </Button>
    </>
  )
}

const methods = { rel_me: 'links back to you', meta: 'carries your tag' } as const

/** The result of the last check. */
function VerificationStatus({ profile, website }: { readonly profile: Profile; readonly website: string }) {
  const { state, method, evidence, checked_at: checked, proven_at: proven } = profile.website_check
  const host = new URL(website).host
  const seen = checked && (
    <>
      {' '}
      Last looked at <Time at={checked} />.
    </>
  )
  if (state === 'waiting') return <Notice>We are looking at {host} now. It takes a few seconds.</Notice>
  if (state === 'proven' && proven) {
    return (
      <Notice kind="good">
        <p>
          <strong>{host} is yours.</strong> It {method ? methods[method] : 'says so'}
          {evidence && URL.canParse(evidence) && (
            <>
              {' '}
              at <a href={evidence}>{evidence}</a>
            </>
          )}
          , since <Time at={proven} />.{seen}
        </p>
        <p>We look every day. Where the proof is gone, so is the mark.</p>
      </Notice>
    )
  }
  if (state === 'none') return <Notice>Not checked yet. {host} is shown without a mark.</Notice>
  return (
    <Notice kind="bad">
      <p>
        <strong>{state === 'unreachable' ? `${host} could not be read.` : `The proof is not on ${host}.`}</strong>{' '}
        {evidence}
        {seen}
      </p>
      {proven && <p>The mark stays for now; we try again tomorrow.</p>}
    </Notice>
  )
}

const names: Readonly<Record<Network, string>> = {
  x: 'X',
  linkedin: 'LinkedIn',
  facebook: 'Facebook',
  youtube: 'YouTube',
  instagram: 'Instagram',
  newsletter: 'Newsletter',
}
const networks = Object.keys(names) as Network[]

type SocialValues = Readonly<Record<Network, string>>

const toValues = ({ socials }: Profile): SocialValues =>
  Object.fromEntries(networks.map((network) => [network, socials[network] ?? ''])) as SocialValues

/** The writer's social links. */
export function Socials({ profile }: { readonly profile: Profile }) {
  const [typed, setTyped] = useState(() => toValues(profile))
  const change = useUpdateProfile()
  const attempt = useAttempt()
  const save = attempt.handler(async () => {
    const socials = Object.fromEntries(networks.map((network) => [network, toWebUrl(typed[network])]))
    setTyped(toValues(await change('PATCH', '', { socials })))
    showToast('Saved.')
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

/** Adds a missing scheme; null for an empty field. The server validates it. */
export function toWebUrl(typed: string): string | null {
  const address = typed.trim()
  if (address === '') return null
  return /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`
}
