import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog, DialogActions } from '../components/dialog.tsx'
import { maxPictureBytes } from '../components/picture-file.ts'
import { navigate, useNavigationGuard } from '../components/router.ts'
import type { UploadPicture } from './codemirror/pictures.ts'
import type { Saver } from './saving/saver.ts'
import type { Session } from './session.ts'

/** Uploads pictures to a piece, which must be saved first. */
export const createUploader =
  ({ saver, writer }: Pick<Session, 'saver' | 'writer'>): UploadPicture =>
  async (file, onProgress) => {
    if (file.size > maxPictureBytes) throw new Error('It is larger than 20 MB. Make it smaller, then drop it again.')
    const id = saver.id() ?? (await waitUntilSaved(saver, onProgress))
    return postPicture(file, id, writer, (share) =>
      onProgress(share < 1 ? `Sending ${file.name}: ${Math.round(100 * share)} %` : 'It is being made ready …', share),
    )
  }

/** Resolves when the server has the piece. */
async function waitUntilSaved(saver: Saver, onProgress: Parameters<UploadPicture>[1]): Promise<string> {
  onProgress('The piece is saved first …', 0)
  await saver.flush()
  if (saver.status().kind === 'textless') {
    onProgress(
      'A picture goes to the server with its piece, and that with its first words. Write some, and it is sent.',
      0,
    )
  }
  return new Promise((resolve) => {
    const look = () => {
      const id = saver.id()
      if (id === null) return
      stop()
      resolve(id)
    }
    const stop = saver.listen(look)
    look()
  })
}

/** XMLHttpRequest, since fetch reports no upload progress. */
function postPicture(file: File, piece: string, writer: string, onShare: (share: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/desk/api/media?piece=${piece}`)
    request.setRequestHeader('content-type', file.type)
    request.setRequestHeader('x-writer', writer)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0)
    request.onerror = () =>
      reject(new Error('It did not arrive. It is still here: look at your connection, then try again.'))
    request.onload = () => {
      const body = request.response as { media?: { url: string }; detail?: string } | null
      if (request.status === 201 && body?.media) resolve(body.media.url)
      else if (request.status === 401) reject(new Error('You were signed out. Sign in again, then try again.'))
      else reject(new Error(body?.detail ?? 'The site could not take it. Try again, or try another format.'))
    }
    request.send(file)
  })
}

interface PendingLeave {
  readonly leave: () => void
  readonly button: string
}

interface PendingPictures {
  /** Navigates to the publish page, after asking. */
  readonly goToPublish: (address: string) => void
  readonly pendingLeave: PendingLeave | undefined
  readonly stay: () => void
}

/** Pictures that are not in the text are lost with the page, so the user is asked before leaving. */
export function usePendingPictures(count: number): PendingPictures {
  const [pendingLeave, setWay] = useState<PendingLeave>()
  useNavigationGuard(count > 0, (leave) => setWay({ leave, button: 'Go on without it' }))
  return {
    pendingLeave,
    stay: () => setWay(undefined),
    goToPublish(address) {
      if (count === 0) navigate(address)
      else setWay({ leave: () => navigate(address, { skipGuard: true }), button: 'Publish without it' })
    },
  }
}

interface PendingPicturesDialogProps {
  readonly pendingLeave: PendingLeave
  readonly onBack: () => void
}

export const PendingPicturesDialog = ({ pendingLeave: { leave, button }, onBack }: PendingPicturesDialogProps) => (
  <Dialog title="A picture is not yet in the text" onClose={onBack}>
    <p>Say what it shows and press “Put it in the text”. If you go on now, it is left out.</p>
    <DialogActions>
      <Button onClick={leave}>{button}</Button>
      <Button kind="main" onClick={onBack}>
        Back
      </Button>
    </DialogActions>
  </Dialog>
)
