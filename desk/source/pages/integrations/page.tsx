import { type ReactNode, useEffect } from 'react'
import { type Profile, useProfile } from '../../api/profile.ts'
import { Refused } from '../../components/form.tsx'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { Section } from '../../components/section.tsx'
import { Siblings } from '../../components/siblings.tsx'
import { Embeds } from './embeds.tsx'
import { Feeds } from './feeds.tsx'
import { Keys } from './keys.tsx'
import styles from './presence.module.css'
import { Socials } from './socials.tsx'
import { Tools } from './tools.tsx'
import { WebhookPart } from './webhook/webhook.tsx'
import { Website } from './website.tsx'

interface Part {
  /** What follows # in its address. */
  readonly id: string
  readonly title: string
  readonly lead: string
  readonly show: (profile: Profile) => ReactNode
}

const parts: readonly Part[] = [
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
    show: () => <WebhookPart />,
  },
]

/** Where else a writer is, and what of them is shown there. */
export function Room() {
  const { data: profile, error } = useProfile((now) => (now?.website_check.state === 'waiting' ? 1500 : false))
  const isReady = profile !== undefined
  useEffect(() => {
    // The browser looked for it before it was there.
    if (isReady && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [isReady])
  return (
    <>
      <Siblings
        label="Presence"
        pages={[
          { words: 'Online presence', to: '/desk/edit/online-presence' },
          { words: 'Profile', to: '/desk/edit/profile' },
        ]}
      />
      <Page title="Online presence">
        <Refused error={error} />
        {profile ? (
          <>
            <nav aria-label="On this page" className={styles.contents}>
              <ul>
                {parts.map(({ id, title }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{title}</a>
                  </li>
                ))}
              </ul>
            </nav>
            {parts.map(({ id, title, lead, show }) => (
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
