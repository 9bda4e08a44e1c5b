import { useState } from 'react'
import { t } from '../messages.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { useNavigationGuard } from './router.ts'

interface UnsavedChangesProps {
  readonly isUnsaved: boolean
  /** Offers to save first. Resolves with whether it was saved. */
  readonly onSave?: () => Promise<boolean>
}

/** Asks before unsaved changes are lost. */
export function UnsavedChanges({ isUnsaved, onSave }: UnsavedChangesProps) {
  // In an object, since useState would call a function.
  const [pending, setPending] = useState<{ readonly leave: () => void }>()
  const [isBusy, setBusy] = useState(false)
  useNavigationGuard(isUnsaved, (leave) => setPending({ leave }))
  if (!pending) return null
  const stay = () => setPending(undefined)
  const saveFirst = async (save: () => Promise<boolean>) => {
    setBusy(true)
    const isSaved = await save()
    setBusy(false)
    stay()
    if (isSaved) pending.leave()
  }
  return (
    <Dialog title={t('desk.common.unsaved.title')} onClose={stay}>
      <p>{t('desk.common.unsaved.about')}</p>
      <DialogActions>
        <Button kind="quiet" onClick={stay}>
          {t('desk.common.cancel')}
        </Button>
        <Button kind={onSave ? 'plain' : 'grave'} onClick={pending.leave}>
          {t('desk.common.unsaved.leave')}
        </Button>
        {onSave && (
          <Button kind="main" isBusy={isBusy} onClick={() => saveFirst(onSave)}>
            {t('desk.common.unsaved.save_and_leave')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
