import { createStore } from '../components/store.ts'
import { t } from '../messages.ts'
import styles from './editor.module.css'

/** Whether this device shows the signs of Markdown on the line that is being written. */

const key = 'markdown-signs'

/** Without storage, such as in a private window, the choice is kept until the page is left. */
function stored(): boolean {
  try {
    return localStorage.getItem(key) === 'shown'
  } catch {
    return false
  }
}

export const showsSigns = createStore(stored())

function choose(isShown: boolean): void {
  showsSigns.set(isShown)
  try {
    if (isShown) localStorage.setItem(key, 'shown')
    else localStorage.removeItem(key)
  } catch {}
}

export function SignsToggle() {
  const isShown = showsSigns.use()
  return (
    <button type="button" className={styles.signs} aria-pressed={isShown} onClick={() => choose(!isShown)}>
      {t('desk.editor.signs.show')}
    </button>
  )
}
