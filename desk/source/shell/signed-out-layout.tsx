import type { ReactNode } from 'react'
import styles from './signed-out-layout.module.css'
import { Wordmark } from './wordmark.tsx'

/** A quiet sheet for those who are not signed in yet. */
export const SignedOutLayout = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.threshold}>
    <header>
      <Wordmark />
    </header>
    <main>{children}</main>
  </div>
)
