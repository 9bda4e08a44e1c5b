import type { Profile } from '../../api/profile.ts'
import type { Said } from './form-values.ts'
import { Portrait } from './portrait.tsx'
import styles from './profile.module.css'

/** How readers see the writer, as it is being filled in. */
export function Card({ profile, said }: { readonly profile: Profile; readonly said: Said }) {
  const line = [said.role, said.location].map((one) => one.trim()).filter(Boolean)
  const [first = ''] = said.bio.trim().split(/\n\s*\n/)
  return (
    <section className={styles.card} aria-labelledby="as-readers-see">
      <h2 id="as-readers-see">As readers see you</h2>
      <Portrait profile={profile} name={said.name} />
      <div className={styles.words}>
        <p className={styles.name} dir="auto">
          {said.name.trim() || 'Your name'}
          {profile.identity_verified && (
            <svg viewBox="0 0 16 16" width="16" height="16" role="img" aria-label="Identity verified">
              <path d="M3 8.5l3.4 3.4L13 4.6" />
            </svg>
          )}
        </p>
        {line.length > 0 && (
          <p className={styles.line} dir="auto">
            {line.join(' · ')}
          </p>
        )}
        <p className={styles.bio} dir="auto">
          {first || 'A line or two about you would stand here.'}
        </p>
        <p className={styles.where}>
          {profile.is_public ? (
            <a href={profile.urls.profile}>Your page</a>
          ) : (
            'Your page opens to readers with your first public piece.'
          )}
        </p>
      </div>
    </section>
  )
}
