import { type DragEvent, useRef, useState } from 'react'
import { errorMessage } from '../api/client.ts'
import { useAttempt } from './form.tsx'
import { pictureProblem, pictureTypes } from './picture-file.ts'

/** A picture that is chosen, or dropped on a target, and sent at once. The target is a shortcut; the button does the same. */
export function usePictureInput(label: string, send: (file: File) => Promise<unknown>) {
  const chooser = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const { isBusy, error, handler } = useAttempt()
  const attempt = (act: () => Promise<unknown>): void => {
    setRefusal(undefined)
    void handler(act)()
  }
  const take = (file: File | undefined) => {
    if (!file) return
    const problem = pictureProblem(file)
    if (problem) setRefusal(problem)
    else attempt(() => send(file))
  }
  return {
    isBusy,
    problem: refusal ?? (error === undefined ? undefined : errorMessage(error)),
    /** For other actions on the picture, such as removing it. */
    attempt,
    choose: () => chooser.current?.click(),
    input: (
      <input
        ref={chooser}
        type="file"
        className="hidden"
        tabIndex={-1}
        aria-label={label}
        accept={pictureTypes.join(',')}
        onChange={(event) => {
          take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    ),
    dropTarget: {
      'data-over': isOver || undefined,
      onDragOver: (event: DragEvent) => {
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files[0])
      },
    },
  }
}
