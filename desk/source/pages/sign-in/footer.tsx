import type { ReactNode } from 'react'
import styles from './footer.module.css'

/** Other ways to go from here, below a rule. */
export const Foot = ({ children }: { readonly children: ReactNode }) => <p className={styles.foot}>{children}</p>
