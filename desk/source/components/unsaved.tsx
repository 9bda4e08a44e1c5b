import { useState } from 'react'
import { Button } from './button.tsx'
import { Choices, Dialog } from './dialog.tsx'
import { useGuard } from './router.ts'

interface UnsavedProps {
  readonly isUnsaved: boolean
  /** Answers whether it is saved now. */
  readonly onSave: () => Promise<boolean>
}

/** Keeps what was typed from going with the page: asks first. */
export function Unsaved({ isUnsaved, onSave }: UnsavedProps) {
  // In an object, since a function in the state would be called.
  const [way, setWay] = useState<{ readonly leave: () => void }>()
  const [isBusy, setBusy] = useState(false)
  useGuard(isUnsaved, (leave) => setWay({ leave }))
  const stay = () => setWay(undefined)
  const saveFirst = async () => {
    setBusy(true)
    const isSaved = await onSave()
    setBusy(false)
    stay()
    if (isSaved) way?.leave()
  }
  return (
    <Dialog title="Leave without saving?" isOpen={way !== undefined} onClose={stay}>
      <p>What you changed on this page is not saved yet.</p>
      <Choices>
        <Button kind="quiet" onClick={stay}>
          Stay here
        </Button>
        <Button onClick={() => way?.leave()}>Leave without saving</Button>
        <Button kind="main" isBusy={isBusy} onClick={saveFirst}>
          Save and leave
        </Button>
      </Choices>
    </Dialog>
  )
}
