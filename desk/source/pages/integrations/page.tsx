import { type ReactNode, useEffect } from 'react'
import { type Profile, useProfile } from '../../api/account.ts'
import { CopyButton } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/form.tsx'
import { PresenceNav } from '../../components/link.tsx'
import { Loading } from '../../components/load-states.tsx'
import { Page, Section } from '../../components/page.tsx'
import { siteSlug } from '../../components/site.ts'
import { Snippet } from './code.tsx'
import { Embeds } from './embeds.tsx'
import { Keys } from './keys.tsx'
import styles from './presence.module.css'
import { WebhookSection } from './webhook/webhook.tsx'
import { Socials, Website } from './website.tsx'

interface IntegrationSection {
  /** The fragment of its URL. */
  readonly id: string
  readonly title: string
  readonly lead: string
  readonly show: (profile: Profile) => ReactNode
}

const sections: readonly IntegrationSection[] = [
  {
    id: 'website',
    title: 'Website',
    lead: 'A website that links back to you is marked as yours, for readers and for machines.',
    show: (profile) => <Website profile={profile} />,
  },
  {
    id: 'socials',
    title: 'Elsewhere',
    lead: 'Other places where readers find you. They are shown on your page.',
    show: (profile) => <Socials profile={profile} />,
  },
  {
    id: 'feeds',
    title: 'Feeds',
    lead: 'Whoever follows these gets every new piece, whole.',
    show: (profile) => <Feeds profile={profile} />,
  },
  {
    id: 'embeds',
    title: 'Badge and embeds',
    lead: 'Show yourself on your own site. It stays right when you publish, are verified or change your name.',
    show: (profile) => <Embeds profile={profile} />,
  },
  {
    id: 'ai-clients',
    title: 'AI clients',
    lead: 'Assistants and agents find you by the tool server of this site. There is nothing to switch on.',
    show: (profile) => <Tools profile={profile} />,
  },
  {
    id: 'api-keys',
    title: 'API keys',
    lead: 'With a key, a program of yours sends drafts to this desk. It cannot publish: only you can, here.',
    show: () => <Keys />,
  },
  {
    id: 'webhook',
    title: 'Webhook',
    lead: 'When you publish, your own site or program is told at once: it gets the whole piece, and can show it, store it or pass it on.',
    show: () => <WebhookSection />,
  },
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
      <Page title="Online presence">
        <ErrorNotice error={error} />
        {profile ? (
          <>
            <nav aria-label="On this page" className={styles.contents}>
              <ul>
                {sections.map(({ id, title }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{title}</a>
                  </li>
                ))}
              </ul>
            </nav>
            {sections.map(({ id, title, lead, show }) => (
              <Section key={id} anchor={id} title={title} lead={lead}>
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
              <CopyButton text={address} label={`Copy ${name}`} />
            </dd>
          </div>
        ))}
      </dl>
      {!profile.is_public && <p className={styles.note}>They begin to answer with your first public piece.</p>}
    </>
  )
}

/** How AI clients find the writer. */
function Tools({ profile }: { readonly profile: Profile }) {
  const address = `${new URL(profile.urls.profile).origin}/api/mcp`
  return (
    <>
      <p className={styles.note}>
        They read what every reader can: your profile, your public pieces and your listings, each with its address and
        your name. Drafts, and whatever you have taken back, they never see.
      </p>
      <dl className={styles.addresses}>
        <div>
          <dt>The site’s tool server</dt>
          <dd>
            <span>{address}</span>
            <CopyButton text={address} label="Copy the address" />
          </dd>
        </div>
      </dl>
      <Snippet
        title="Try it: with this line, Claude Code can look you up"
        text={`claude mcp add --transport http ${siteSlug} ${address}`}
      />
      <p className={styles.note}>
        {profile.is_public
          ? 'Then ask it what you have written. '
          : 'It finds you as soon as your first piece is public. '}
        Other clients, and every tool to try by hand, are at <a href="/developers/tools">the tool server’s page</a>.
      </p>
    </>
  )
}
