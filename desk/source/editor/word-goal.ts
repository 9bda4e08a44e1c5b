/** How many words a piece shall have, kept on this device. */
export interface Goal {
  readonly words: number
  /** It was said, which is said once. */
  readonly isReached: boolean
}

export const mostWords = 1_000_000

const keyOf = (piece: string): string => `goal:${piece}`

/** The number of words that was entered; undefined if it is none. */
export function wordsIn(text: string): number | undefined {
  const digits = text.normalize('NFKC').replace(/[\s.,'’]/g, '')
  const words = /^\d{1,7}$/.test(digits) ? Number(digits) : 0
  return words > 0 && words <= mostWords ? words : undefined
}

export function readGoal(piece: string, storage: Storage = localStorage): Goal | undefined {
  try {
    const { words, isReached }: Partial<Goal> = JSON.parse(storage.getItem(keyOf(piece)) ?? '{}')
    return wordsIn(String(words)) ? { words: words!, isReached: isReached === true } : undefined
  } catch {
    return undefined
  }
}

/** Without storage it lasts as long as the page. */
export function keepGoal(piece: string, goal: Goal | undefined, storage: Storage = localStorage): void {
  try {
    if (goal) storage.setItem(keyOf(piece), JSON.stringify(goal))
    else storage.removeItem(keyOf(piece))
  } catch {
    // Full, or refused by the browser's settings.
  }
}
