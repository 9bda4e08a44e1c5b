import { Link } from '../components/link.tsx'
import { siteName } from '../components/site.ts'
import styles from './wordmark.module.css'

/** The site's name over its short rule. */
export const Wordmark = () => (
  <Link to="/desk" className={styles.wordmark} dir="auto">
    {siteName}
  </Link>
)
