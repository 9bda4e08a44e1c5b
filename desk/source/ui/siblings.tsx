import { Link } from './link.tsx'
import { usePlace } from './place.ts'
import styles from './siblings.module.css'

interface SiblingsProps {
  readonly label: string
  readonly pages: readonly { readonly words: string; readonly to: string; readonly count?: string | undefined }[]
}

/** The pages that share one place of the desk, above each of them. */
export function Siblings({ label, pages }: SiblingsProps) {
  const { path, query } = usePlace()
  const here = query.size > 0 ? `${path}?${query}` : path
  return (
    <nav aria-label={label} className={styles.siblings}>
      <ul>
        {pages.map(({ words, to, count }) => (
          <li key={to}>
            <Link to={to} aria-current={to === here ? 'page' : undefined}>
              {words}
              {count && <span className={styles.count}> {count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
