import { type DragEvent, useRef, useState } from 'react'
import { errorMessage } from '../api/client.ts'
import { useAttempt } from './form.tsx'

/** The image types the server accepts, and its size limit. */
export const pictureTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']
export const maxPictureBytes = 20 * 1024 * 1024

/** Why the server would refuse this file; checked before the upload. */
function pictureProblem({ type, size }: File): string | undefined {
  if (!pictureTypes.includes(type)) return 'This is no picture we can take. Choose a JPEG, PNG, WebP, GIF or AVIF.'
  if (size > maxPictureBytes) return 'This picture is larger than 20 MB. Choose a smaller one.'
  return undefined
}

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
