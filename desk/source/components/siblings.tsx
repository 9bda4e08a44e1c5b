import { LinkRow, type RowLink } from './link-row.tsx'
import { usePlace } from './router.ts'
import styles from './siblings.module.css'

interface SiblingsProps {
  readonly label: string
  readonly pages: readonly Omit<RowLink, 'isChosen'>[]
}

/** The pages that share one place of the desk, above each of them. */
export function Siblings({ label, pages }: SiblingsProps) {
  const { path, query } = usePlace()
  const list = query.get('list')
  const here = list === null ? path : `${path}?list=${list}`
  const links = pages.map((page) => ({ ...page, isChosen: page.to === here }))
  return <LinkRow label={label} links={links} className={styles.siblings} kind="page" />
}
