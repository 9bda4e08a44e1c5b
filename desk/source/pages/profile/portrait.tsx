import { type DragEvent, useRef, useState } from 'react'
import { wordsOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { type Profile, useProfileChanged } from '../../api/profile.ts'
import { Button } from '../../components/button.tsx'
import { tell } from '../../components/notice.tsx'
import { pictureRefusal, pictureTypes } from '../../components/picture-file.ts'
import styles from './profile.module.css'

/** The writer's picture: chosen, dropped or removed. It is shown when it has arrived. */
export function Portrait({ profile, name }: { readonly profile: Profile; readonly name: string }) {
  const chooser = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const changed = useProfileChanged()
  const attempt = async (act: () => Promise<unknown>, words: string) => {
    setProblem(undefined)
    setBusy(true)
    try {
      await act()
      await changed()
      tell(words)
    } catch (error) {
      setProblem(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  const take = (file: File | undefined) => {
    if (!file) return
    const refusal = pictureRefusal(file)
    if (refusal) setProblem(refusal)
    else attempt(() => ask('PUT', '/profile/avatar', file), 'Your picture is in its place.')
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files[0])
  }
  return (
    <div className={styles.portrait}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button beside it does the same. */}
      <div
        className={styles.picture}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {profile.avatar_url ? (
          <img src={atDesk(profile.avatar_url)} alt="You" width="96" height="96" />
        ) : (
          <span aria-hidden="true">{[...name.trim()][0] ?? '·'}</span>
        )}
      </div>
      <input
        ref={chooser}
        type="file"
        className="hidden"
        tabIndex={-1}
        aria-label="Picture"
        accept={pictureTypes.join(',')}
        onChange={(event) => {
          take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <Button kind="quiet" isBusy={isBusy} onClick={() => chooser.current?.click()}>
        {isBusy ? 'One moment …' : profile.avatar_url ? 'Change picture' : 'Choose a picture'}
      </Button>
      {profile.avatar_url && (
        <Button
          kind="quiet"
          isBusy={isBusy}
          onClick={() => attempt(() => ask('DELETE', '/profile/avatar'), 'Your picture is removed.')}
        >
          Remove
        </Button>
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Readers get it only from a public profile; its writer sees it before. */
function atDesk(address: string): string {
  const { origin, pathname } = new URL(address, location.href)
  return origin === location.origin && pathname.startsWith('/media/') ? `/desk${pathname}` : address
}
