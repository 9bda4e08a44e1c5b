import { type RefObject, useEffect, useState } from 'react'
import { callApi } from '../api/client.ts'
import { Button } from '../components/button.tsx'
import { findPictures } from '../components/find-pictures.ts'
import { Notice, showToast } from '../components/notice.tsx'
import { t } from '../messages.ts'
import type { MarkdownEditor } from './codemirror/codemirror.ts'
import { replacePicture } from './codemirror/picture-syntax.ts'
import styles from './editor.module.css'
import type { Session } from './session.ts'

/** The addresses of pictures on other servers, once each. */
const remotePictures = (text: string): string[] => [
  ...new Set([...findPictures(text)].map(({ address }) => address).filter((address) => /^https:\/\//i.test(address))),
]

interface RemotePicturesProps {
  readonly session: Session
  readonly editor: RefObject<MarkdownEditor | null>
}

/** Offers to copy pictures of other servers, which could change or vanish and see every reader. */
export function RemotePictures({ session: { saver, writer }, editor }: RemotePicturesProps) {
  const [addresses, setAddresses] = useState(() => remotePictures(saver.manuscript().body_md))
  const [isDismissed, setDismissed] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useEffect(
    () =>
      saver.listen((event) => {
        // Not at every keystroke.
        if (event !== 'changed') setAddresses(remotePictures(saver.manuscript().body_md))
      }),
    [saver],
  )
  const copyAll = async () => {
    setBusy(true)
    let failed = 0
    for (const url of addresses) {
      try {
        const { media } = await callApi<{ readonly media: { readonly url: string } }>(
          'POST',
          `/media/copy?piece=${saver.id()}`,
          { url },
          { writer },
        )
        const text = editor.current?.text()
        // The writer may have changed the text meanwhile.
        if (text !== undefined) editor.current?.replace(replacePicture(text, url, media.url))
      } catch {
        failed += 1
      }
    }
    setBusy(false)
    if (failed > 0) showToast(t('desk.editor.remote_pictures.failed', { count: failed }))
    if (failed < addresses.length)
      showToast(t('desk.editor.remote_pictures.copied', { count: addresses.length - failed }))
  }
  if (addresses.length === 0 || isDismissed || saver.id() === null) return null
  return (
    <Notice>
      <p>{t('desk.editor.remote_pictures.found', { count: addresses.length })}</p>
      <div className={styles.choices}>
        <Button isBusy={isBusy} onClick={() => void copyAll()}>
          {t('desk.editor.remote_pictures.copy')}
        </Button>
        <Button kind="quiet" onClick={() => setDismissed(true)}>
          {t('desk.editor.remote_pictures.dismiss')}
        </Button>
      </div>
    </Notice>
  )
}
