import type { Network } from '../../../../server/features/profiles/schema.ts'
import { invalidateProfile, type Profile, updateProfile } from '../../api/account.ts'
import { callApi, problemOf } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice, Form, SubmitButton, useAttempt, useForm } from '../../components/form.tsx'
import { Notice, showToast } from '../../components/notice.tsx'
import { Time } from '../../components/time.tsx'
import { Snippet } from './code.tsx'
import styles from './presence.module.css'

/** The writer's website and its verification. */
export function Website({ profile }: { readonly profile: Profile }) {
  const form = useForm({ website: profile.website ?? '' })
  const save = async ({ website: typed }: typeof form.values) => {
    const { website } = await updateProfile('PATCH', '', { website: toWebUrl(typed) })
    form.change({ website: website ?? '' })
    showToast(website ? 'Your website is saved.' : 'Your website is taken off your page.')
  }
  const isChanged = form.values.website.trim() !== (profile.website ?? '')
  return (
    <>
      <Form form={form} onSubmit={save}>
        <Field
          label="Its address"
          type="text"
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://"
          {...form.field('website')}
        />
        {isChanged && <SubmitButton kind="plain">Save</SubmitButton>}
      </Form>
      {profile.website && !isChanged && <WebsiteVerification profile={profile} website={profile.website} />}
    </>
  )
}

function WebsiteVerification({ profile, website }: { readonly profile: Profile; readonly website: string }) {
  const { state, proven_at: proven } = profile.website_check
  const attempt = useAttempt()
  const check = attempt.handler(async () => {
    await callApi('POST', '/profile/website/check')
    await invalidateProfile()
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
  const form = useForm(() => toValues(profile))
  const save = async (typed: SocialValues) => {
    const socials = Object.fromEntries(networks.map((network) => [network, toWebUrl(typed[network])]))
    form.change(toValues(await updateProfile('PATCH', '', { socials })))
    showToast('Saved.')
  }
  return (
    <Form form={form} onSubmit={save}>
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
            {...form.field(network)}
            problem={problemOf(form.error, `socials/${network}`)}
          />
        ))}
      </div>
      <SubmitButton kind="plain">Save</SubmitButton>
    </Form>
  )
}

/** Adds a missing scheme; null for an empty field. The server validates it. */
export function toWebUrl(typed: string): string | null {
  const address = typed.trim()
  if (address === '') return null
  return /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`
}
