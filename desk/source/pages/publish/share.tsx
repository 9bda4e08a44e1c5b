import { CopyButton } from '../../components/button.tsx'
import { t } from '../../messages.ts'
import styles from './publishing.module.css'

interface ShareProps {
  readonly headline: string
  /** Of the public page. */
  readonly url: string
}

/** The link to copy, and the sites that the public page names. Nothing is loaded from them unless one is followed. */
export function Share({ headline, url }: ShareProps) {
  const [address, words] = [encodeURIComponent(url), encodeURIComponent(headline.toWellFormed())]
  const sites = [
    [t('desk.publish.share_email'), `mailto:?subject=${words}&body=${address}`],
    ['Bluesky', `https://bsky.app/intent/compose?text=${words}%20${address}`],
    ['Facebook', `https://www.facebook.com/sharer/sharer.php?u=${address}`],
    ['LinkedIn', `https://www.linkedin.com/sharing/share-offsite/?url=${address}`],
    ['X', `https://x.com/intent/post?text=${words}&url=${address}`],
  ] as const
  return (
    <section className={styles.share} aria-label={t('desk.publish.share')}>
      <CopyButton text={url} label={t('desk.common.copy_link')} />
      <ul>
        {sites.map(([name, href]) => (
          <li key={name}>
            <a href={href} target="_blank" rel="noopener noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
