import { type ReactNode, useEffect } from 'react'
import { type Profile, useProfile } from '../../api/account.ts'
import { CopyButton } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/form.tsx'
import { PresenceNav } from '../../components/link.tsx'
import { Loading } from '../../components/load-states.tsx'
import { Page, Section } from '../../components/page.tsx'
import { siteSlug } from '../../components/site.ts'
import { rich, t } from '../../messages.ts'
import { Snippet } from './code.tsx'
import { Embeds } from './embeds.tsx'
import { Keys } from './keys.tsx'
import styles from './presence.module.css'
import { WebhookSection } from './webhook/webhook.tsx'
import { Socials, Website } from './website.tsx'

interface IntegrationSection {
  /** The fragment of its URL. */
  readonly id: string
  readonly name: 'website' | 'social_links' | 'feeds' | 'embeds' | 'ai_clients' | 'api_keys' | 'webhook'
  readonly show: (profile: Profile) => ReactNode
}

const sections: readonly IntegrationSection[] = [
  { id: 'website', name: 'website', show: (profile) => <Website profile={profile} /> },
  { id: 'socials', name: 'social_links', show: (profile) => <Socials profile={profile} /> },
  { id: 'feeds', name: 'feeds', show: (profile) => <Feeds profile={profile} /> },
  { id: 'embeds', name: 'embeds', show: (profile) => <Embeds profile={profile} /> },
  { id: 'ai-clients', name: 'ai_clients', show: (profile) => <Tools profile={profile} /> },
  { id: 'api-keys', name: 'api_keys', show: () => <Keys /> },
  { id: 'webhook', name: 'webhook', show: () => <WebhookSection /> },
]

/** Website, social links, feeds, embeds, AI clients, API keys and webhook. */
export function IntegrationsPage() {
  const { data: profile, error } = useProfile((now) => (now?.website_check.state === 'waiting' ? 1500 : false))
  const isReady = profile !== undefined
  useEffect(() => {
    // The browser looked for the fragment before the content was loaded.
    if (isReady && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [isReady])
  return (
    <>
      <PresenceNav />
      <Page title={t('desk.integrations.title')}>
        <ErrorNotice error={error} />
        {profile ? (
          <>
            <nav aria-label={t('desk.integrations.on_this_page')} className={styles.contents}>
              <ul>
                {sections.map(({ id, name }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{t(`desk.integrations.section.${name}`)}</a>
                  </li>
                ))}
              </ul>
            </nav>
            {sections.map(({ id, name, show }) => (
              <Section
                key={id}
                anchor={id}
                title={t(`desk.integrations.section.${name}`)}
                lead={t(`desk.integrations.lead.${name}`)}
              >
                {show(profile)}
              </Section>
            ))}
          </>
        ) : (
          !error && <Loading />
        )}
      </Page>
    </>
  )
}

/** The feed URLs. */
function Feeds({ profile }: { readonly profile: Profile }) {
  const feeds = [
    { name: 'JSON Feed', address: profile.urls.feed_json },
    { name: 'RSS', address: profile.urls.feed_xml },
  ]
  return (
    <>
      <dl className={styles.addresses}>
        {feeds.map(({ name, address }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {profile.is_public ? <a href={address}>{address}</a> : <span>{address}</span>}
              <CopyButton text={address} label={t('desk.integrations.feeds.copy', { feed: name })} />
            </dd>
          </div>
        ))}
      </dl>
      {!profile.is_public && <p className={styles.note}>{t('desk.integrations.feeds.not_yet')}</p>}
    </>
  )
}

/** How AI clients find the writer. */
function Tools({ profile }: { readonly profile: Profile }) {
  const address = `${new URL(profile.urls.profile).origin}/api/mcp`
  return (
    <>
      <p className={styles.note}>{t('desk.integrations.ai.about')}</p>
      <dl className={styles.addresses}>
        <div>
          <dt>{t('desk.integrations.ai.server')}</dt>
          <dd>
            <span>{address}</span>
            <CopyButton text={address} label={t('desk.integrations.ai.copy')} />
          </dd>
        </div>
      </dl>
      <Snippet title={t('desk.integrations.ai.try')} text={`claude mcp add --transport http ${siteSlug} ${address}`} />
      <p className={styles.note}>
        {profile.is_public ? t('desk.integrations.ai.ask') : t('desk.integrations.ai.not_yet')}
      </p>
      <p className={styles.note}>
        {rich('desk.integrations.ai.more', { link: (content) => <a href="/developers/tools">{content}</a> })}
      </p>
    </>
  )
}
