import { houseName } from '../ui/house.ts'
import { Link } from '../ui/link.tsx'
import styles from './wordmark.module.css'

/** The house's name over its short rule. */
export const Wordmark = () => (
  <Link to="/desk" className={styles.wordmark} dir="auto">
    {houseName}
  </Link>
)
