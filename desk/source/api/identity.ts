import type { Refusal } from './api-error.ts'

/** Why a person is asked who they are: `again`, since they signed in too long ago; the same by `passkey` only; or signed out. */
export type Occasion = 'again' | 'passkey' | 'signed out'

/** Ends when the person has shown who they are; rejects when they would rather not. */
type Asker = (occasion: Occasion, nonce: string | undefined) => Promise<void>

let asker: Asker | undefined
let asked: Promise<void> | undefined

/** The shell says how a person is asked. */
export function askBy(next: Asker): () => void {
  asker = next
  return () => {
    if (asker === next) asker = undefined
  }
}

/**
 * Asks once, however many requests were refused at the same time. `nonce` is that of the text to publish: the passkey
 * is shown for it.
 */
export async function identify(occasion: Occasion, refusal: Refusal, nonce?: string): Promise<void> {
  if (!asker) throw refusal
  asked ??= asker(occasion, nonce).finally(() => {
    asked = undefined
  })
  try {
    await asked
  } catch {
    throw refusal
  }
}
