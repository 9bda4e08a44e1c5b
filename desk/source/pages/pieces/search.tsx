import { useEffect, useEffectEvent, useState } from 'react'
import styles from './pieces.module.css'

interface SearchProps {
  /** What is being looked for. */
  readonly q: string
  readonly onSearch: (q: string) => void
}

const pause = 250
const longest = 200

/** Looks while one types, when the fingers rest. */
export function Search({ q, onSearch }: SearchProps) {
  const [typed, setTyped] = useState(q)
  const search = useEffectEvent(onSearch)
  useEffect(() => setTyped((before) => (before.trim() === q ? before : q)), [q])
  useEffect(() => {
    if (typed.trim() === q) return
    const timer = setTimeout(() => search(typed.trim()), pause)
    return () => clearTimeout(timer)
  }, [typed, q])
  return (
    <search className={styles.search}>
      <label className="hidden" htmlFor="find-pieces">
        Find in your pieces
      </label>
      <input
        id="find-pieces"
        type="search"
        placeholder="Find in your pieces"
        autoComplete="off"
        maxLength={longest}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          onSearch(typed.trim())
        }}
      />
    </search>
  )
}
