import { useEffect, useState } from 'react'
import styles from './loading.module.css'

/** One line that something is on its way, and only if it takes long enough to wonder. */
export function Loading({ words = 'Loading' }: { readonly words?: string }) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 250)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className={styles.loading} role="status">
      {isSlow && `${words} …`}
    </p>
  )
}
