import { useEffect, useMemo, useState } from 'react'
import { countWords } from '../../../server/platform/text/words.ts'
import styles from './editor.module.css'
import { excess, longest } from './saving/limits.ts'
import type { Saver } from './saving/saver.ts'

/** Words a minute, as the public pages count. */
const pace = 230

/** Counting a long text takes milliseconds, so it waits until nobody types. */
const pause = 400

/** How much there is, in a quiet line; and how much room is left once there is little. */
export function Count({ saver }: { readonly saver: Saver }) {
  const [text, setText] = useState(() => saver.manuscript().body_md)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = saver.listen(() => {
      clearTimeout(timer)
      timer = setTimeout(() => setText(saver.manuscript().body_md), pause)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [saver])
  const words = useMemo(() => countWords(text), [text])
  const over = excess(text, longest.body_md)
  const isClose = over > -longest.body_md / 10
  const number = (count: number) => count.toLocaleString('en-GB')
  if (words === 0) return null
  return (
    <p className={styles.count} data-over={over > 0 || undefined}>
      {number(words)} {words === 1 ? 'word' : 'words'}
      {words > pace && ` · ${Math.max(1, Math.round(words / pace))} min to read`}
      {isClose && ` · ${over > 0 ? `${number(over)} characters too long` : `${number(-over)} characters left`}`}
    </p>
  )
}
