import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog, DialogActions } from '../components/dialog.tsx'
import { maxPictureBytes } from '../components/picture-file.ts'
import { navigate, useNavigationGuard } from '../components/router.ts'
import { type UploadPicture, uploadTo } from '../components/upload-picture.ts'
import { t } from '../messages.ts'
import type { Saver } from './saving/saver.ts'
import type { Session } from './session.ts'

/** Uploads pictures to a piece, which must be saved first. */
export const createUploader =
  ({ saver, writer }: Pick<Session, 'saver' | 'writer'>): UploadPicture =>
  async (file, onProgress) => {
    if (file.size > maxPictureBytes) throw new Error(t('desk.common.picture.too_large'))
    const id = saver.id() ?? (await waitUntilSaved(saver, onProgress))
    return uploadTo(id, writer)(file, onProgress)
  }

/** Resolves when the server has the piece. */
async function waitUntilSaved(saver: Saver, onProgress: Parameters<UploadPicture>[1]): Promise<string> {
  onProgress(t('desk.editor.image.saving_piece'), 0)
  await saver.flush()
  if (saver.status().kind === 'textless') onProgress(t('desk.editor.image.needs_text'), 0)
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
  useNavigationGuard(count > 0, (leave) => setWay({ leave, button: t('desk.editor.image.leave') }))
  return {
    pendingLeave,
    stay: () => setWay(undefined),
    goToPublish(address) {
      if (count === 0) navigate(address)
      else setWay({ leave: () => navigate(address, { skipGuard: true }), button: t('desk.editor.image.publish') })
    },
  }
}

interface PendingPicturesDialogProps {
  readonly pendingLeave: PendingLeave
  readonly onBack: () => void
}

export const PendingPicturesDialog = ({ pendingLeave: { leave, button }, onBack }: PendingPicturesDialogProps) => (
  <Dialog title={t('desk.editor.image.not_inserted_title')} onClose={onBack}>
    <p>{t('desk.editor.image.not_inserted')}</p>
    <DialogActions>
      <Button onClick={leave}>{button}</Button>
      <Button kind="main" onClick={onBack}>
        {t('desk.common.cancel')}
      </Button>
    </DialogActions>
  </Dialog>
)
