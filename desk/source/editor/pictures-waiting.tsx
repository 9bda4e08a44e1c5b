import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Choices, Dialog } from '../components/dialog.tsx'
import { go, useGuard } from '../components/router.ts'

interface Way {
  readonly leave: () => void
  readonly button: string
}

interface PicturesWaiting {
  /** The way on to publishing, named as such in the question. */
  readonly publishAt: (address: string) => void
  readonly way: Way | undefined
  readonly stay: () => void
}

/** Pictures that were chosen and are not in the text go with the page: whoever leaves it is asked first. */
export function usePicturesWaiting(count: number): PicturesWaiting {
  const [way, setWay] = useState<Way>()
  useGuard(count > 0, (leave) => setWay({ leave, button: 'Go on without it' }))
  return {
    way,
    stay: () => setWay(undefined),
    publishAt(address) {
      if (count === 0) go(address)
      else setWay({ leave: () => go(address, { isMeant: true }), button: 'Publish without it' })
    },
  }
}

interface QuestionProps {
  readonly way: Way | undefined
  readonly onBack: () => void
}

export const PicturesQuestion = ({ way, onBack }: QuestionProps) => (
  <Dialog title="A picture is not yet in the text" isOpen={way !== undefined} onClose={onBack}>
    <p>Say what it shows and press “Put it in the text”. If you go on now, it is left out.</p>
    <Choices>
      <Button onClick={() => way?.leave()}>{way?.button}</Button>
      <Button kind="main" onClick={onBack}>
        Back
      </Button>
    </Choices>
  </Dialog>
)
