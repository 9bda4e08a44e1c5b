import type { Network } from '../../../../server/features/profiles/schema.ts'
import { invalidateProfile, type Profile, updateProfile } from '../../api/account.ts'
import { callApi, problemOf } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice, Form, SubmitButton, useAttempt, useForm } from '../../components/form.tsx'
import { Notice, showToast } from '../../components/notice.tsx'
import { Time } from '../../components/time.tsx'
import { rich, t } from '../../messages.ts'
import { Snippet } from './code.tsx'
import styles from './presence.module.css'

/** The writer's website and its verification. */
export function Website({ profile }: { readonly profile: Profile }) {
  const form = useForm({ website: profile.website ?? '' })
  const save = async ({ website: typed }: typeof form.values) => {
    const { website } = await updateProfile('PATCH', '', { website: toWebUrl(typed) })
    form.change({ website: website ?? '' })
    showToast(website ? t('desk.integrations.website.saved') : t('desk.integrations.website.removed'))
  }
  const isChanged = form.values.website.trim() !== (profile.website ?? '')
  return (
    <>
      <Form form={form} onSubmit={save}>
        <Field
          label={t('desk.integrations.website.url')}
          type="text"
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://"
          {...form.field('website')}
        />
        {isChanged && <SubmitButton kind="plain">{t('desk.common.save')}</SubmitButton>}
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
          <p>{t('desk.integrations.website.how')}</p>
          <Snippet
            title={t('desk.integrations.website.visible_link')}
            text={`<a rel="me" href="${profile.urls.profile}">${profile.name}</a>`}
          />
          <Snippet
            title={t('desk.integrations.website.meta_tag')}
            text={`<meta name="standfirst-verification" content="${profile.website_token}">`}
          />
        </div>
      )}
      <ErrorNotice error={attempt.error} />
      <Button isBusy={isWaiting} onClick={check}>
        {t(`desk.integrations.website.button.${isWaiting ? 'checking' : proven ? 'check_again' : 'check'}`)}
      </Button>
    </>
  )
}

/** The result of the last check. */
function VerificationStatus({ profile, website }: { readonly profile: Profile; readonly website: string }) {
  const { state, method, evidence, checked_at: checked, proven_at: proven } = profile.website_check
  const host = new URL(website).host
  const times = (
    <p className="facts">
      {state === 'proven' && proven && (
        <span>{rich('desk.integrations.website.verified_at', { time: <Time at={proven} /> })}</span>
      )}
      {checked && <span>{rich('desk.integrations.website.checked_at', { time: <Time at={checked} /> })}</span>}
    </p>
  )
  if (state === 'waiting') return <Notice>{t('desk.integrations.website.state.waiting', { host })}</Notice>
  if (state === 'proven' && proven) {
    return (
      <Notice kind="good">
        <p>
          <strong>{t('desk.integrations.website.state.proven', { host })}</strong>
        </p>
        {method && evidence && URL.canParse(evidence) && (
          <p>{rich(foundTexts[method], { page: <a href={evidence}>{evidence}</a> })}</p>
        )}
        {times}
        <p>{t('desk.integrations.website.daily')}</p>
      </Notice>
    )
  }
  if (state === 'none') return <Notice>{t('desk.integrations.website.state.none', { host })}</Notice>
  return (
    <Notice kind="bad">
      <p>
        <strong>
          {state === 'unreachable'
            ? t('desk.integrations.website.state.unreachable', { host })
            : t('desk.integrations.website.state.failed', { host })}
        </strong>
      </p>
      {evidence && <p>{evidence}</p>}
      {times}
      {proven && <p>{t('desk.integrations.website.still_verified')}</p>}
    </Notice>
  )
}

const foundTexts = {
  rel_me: 'desk.integrations.website.found_link',
  meta: 'desk.integrations.website.found_tag',
} as const

/** Names of networks, which are the same in every language. */
const brands: Readonly<Record<Exclude<Network, 'newsletter'>, string>> = {
  x: 'X',
  linkedin: 'LinkedIn',
  facebook: 'Facebook',
  youtube: 'YouTube',
  instagram: 'Instagram',
}
const networks: readonly Network[] = [...(Object.keys(brands) as (keyof typeof brands)[]), 'newsletter']

const networkName = (network: Network): string =>
  network === 'newsletter' ? t('desk.integrations.social.newsletter') : brands[network]

type SocialValues = Readonly<Record<Network, string>>

const toValues = ({ socials }: Profile): SocialValues =>
  Object.fromEntries(networks.map((network) => [network, socials[network] ?? ''])) as SocialValues

/** The writer's social links. */
export function Socials({ profile }: { readonly profile: Profile }) {
  const form = useForm(() => toValues(profile))
  const save = async (typed: SocialValues) => {
    const socials = Object.fromEntries(networks.map((network) => [network, toWebUrl(typed[network])]))
    form.change(toValues(await updateProfile('PATCH', '', { socials })))
    showToast(t('desk.integrations.social.saved'))
  }
  return (
    <Form form={form} onSubmit={save}>
      <div className={styles.socials}>
        {networks.map((network) => (
          <Field
            key={network}
            label={networkName(network)}
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
      <SubmitButton kind="plain">{t('desk.common.save')}</SubmitButton>
    </Form>
  )
}

/** Adds a missing scheme; null for an empty field. The server validates it. */
export function toWebUrl(typed: string): string | null {
  const address = typed.trim()
  if (address === '') return null
  return /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`
}
