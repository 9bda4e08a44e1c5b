import { useRef, useState } from 'react'
import type { DeskPieceFound, Original } from '../../../server/features/pieces/desk-schema.ts'
import { callApi } from '../api/client.ts'
import { t } from '../messages.ts'
import { Button } from './button.tsx'
import { ErrorNotice, useAttempt } from './form.tsx'
import { Notice } from './notice.tsx'

export type { Original }

/** Whether the server refuses to publish it as a translation. */
export const lacksConsent = (original: Original | null): boolean =>
  original !== null && original.consent !== 'own' && original.consent !== 'agreed'

/** Asks the author of the original of a saved piece; resolves with the original as it is now. */
export const askAuthor = async (piece: string): Promise<Original | null> =>
  (await callApi<DeskPieceFound>('POST', `/pieces/${piece}/ask-author`)).piece.translation_of

interface ConsentProps {
  readonly original: Original
  /** Resolves with the reason if the author was not asked. */
  readonly onAsk: () => Promise<string | undefined>
}

/** Whether the author of the original has agreed, and what to do next. */
export function Consent({ original, onAsk }: ConsentProps) {
  const attempt = useAttempt()
  const [problem, setProblem] = useState<string>()
  const state = useRef<HTMLParagraphElement>(null)
  const author = original.author ?? ''
  const ask = attempt.handler(async () => {
    const reason = await onAsk()
    setProblem(reason)
    // The button is gone.
    if (!reason) state.current?.focus()
  })
  return (
    <>
      <p ref={state} tabIndex={-1}>
        {consentText(original)}
      </p>
      {problem && <Notice kind="bad">{problem}</Notice>}
      <ErrorNotice error={attempt.error} />
      {original.title !== null && original.consent === 'not_asked' && (
        <p>
          <Button isBusy={attempt.isBusy} onClick={ask}>
            {t('desk.common.translation.ask', { author })}
          </Button>
        </p>
      )}
    </>
  )
}

function consentText({ title, author, consent }: Original): string {
  if (title === null || author === null) return t('desk.common.translation.not_public')
  return consent === 'own' ? t('desk.common.translation.own') : t(`desk.common.translation.${consent}`, { author })
}
