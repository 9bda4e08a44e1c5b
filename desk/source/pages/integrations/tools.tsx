import type { Profile } from '../../api/profile.ts'
import { Copy } from '../../components/copy.tsx'
import { siteSlug } from '../../components/site.ts'
import styles from './presence.module.css'
import { Snippet } from './snippet.tsx'

/** How assistants and agents come to a writer's words. */
export function Tools({ profile }: { readonly profile: Profile }) {
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
            <Copy text={address} label="Copy the address" />
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
