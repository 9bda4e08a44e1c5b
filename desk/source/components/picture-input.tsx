import { useState } from 'react'
import { errorMessage } from '../api/client.ts'
import { useFileInput } from './file-input.tsx'
import { useAttempt } from './form.tsx'
import { acceptedPictures, pictureProblem, withPictureType } from './picture-file.ts'

/** A picture that is chosen, or dropped on a target, and sent at once. The target is a shortcut; the button does the same. */
export function usePictureInput(label: string, send: (file: File) => Promise<unknown>) {
  const [refusal, setRefusal] = useState<string>()
  const { isBusy, error, handler } = useAttempt()
  const attempt = (act: () => Promise<unknown>): void => {
    setRefusal(undefined)
    void handler(act)()
  }
  const take = (file: File) => {
    const problem = pictureProblem(file)
    if (problem) setRefusal(problem)
    else attempt(() => send(withPictureType(file)))
  }
  return {
    isBusy,
    problem: refusal ?? (error === undefined ? undefined : errorMessage(error)),
    /** For other actions on the picture, such as removing it. */
    attempt,
    ...useFileInput(label, acceptedPictures, take),
  }
}
