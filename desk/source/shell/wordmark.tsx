import { Link } from '../components/link.tsx'
import { houseName } from '../components/site.ts'
import styles from './wordmark.module.css'

/** The house's name over its short rule. */
export const Wordmark = () => (
  <Link to="/desk" className={styles.wordmark} dir="auto">
    {houseName}
  </Link>
)
