import type { Profile } from '../../api/profile.ts'
import { Copy } from '../../components/copy.tsx'
import styles from './presence.module.css'

/** The addresses others follow. */
export function Feeds({ profile }: { readonly profile: Profile }) {
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
              <Copy text={address} label={`Copy ${name}`} />
            </dd>
          </div>
        ))}
      </dl>
      {!profile.is_public && <p className={styles.note}>They begin to answer with your first public piece.</p>}
    </>
  )
}
