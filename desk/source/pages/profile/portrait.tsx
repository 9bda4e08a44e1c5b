import { type DragEvent, useRef, useState } from 'react'
import { type Profile, useInvalidateProfile } from '../../api/account.ts'
import { errorMessage } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { showToast } from '../../components/notice.tsx'
import { pictureProblem, pictureTypes } from '../../components/picture-file.ts'
import styles from './profile.module.css'

/** The writer's picture: choose, drop or remove. */
export function Portrait({ profile, name }: { readonly profile: Profile; readonly name: string }) {
  const chooser = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const changed = useInvalidateProfile()
  const attempt = async (act: () => Promise<unknown>, words: string) => {
    setProblem(undefined)
    setBusy(true)
    try {
      await act()
      await changed()
      showToast(words)
    } catch (error) {
      setProblem(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }
  const take = (file: File | undefined) => {
    if (!file) return
    const refusal = pictureProblem(file)
    if (refusal) setProblem(refusal)
    else attempt(() => callApi('PUT', '/profile/avatar', file), 'Your picture is in its place.')
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
          onClick={() => attempt(() => callApi('DELETE', '/profile/avatar'), 'Your picture is removed.')}
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

/** Serves the picture through the desk, since it is private until the profile is public. */
function atDesk(address: string): string {
  const { origin, pathname } = new URL(address, location.href)
  return origin === location.origin && pathname.startsWith('/media/') ? `/desk${pathname}` : address
}
