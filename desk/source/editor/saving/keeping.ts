/** Does one write after the other, always of what is newest, and says whether the last one worked. */
export interface Keeper {
  keep(): void
  isKept(): boolean
  /** Ends when nothing is being written. */
  done(): Promise<void>
}

export function openKeeper(write: () => Promise<void>, told: () => void): Keeper {
  let writing: Promise<void> | null = null
  let isWanted = false
  let isKept = true

  async function writeAll(): Promise<void> {
    do {
      isWanted = false
      const worked = await write().then(
        () => true,
        () => false,
      )
      if (worked !== isKept) {
        isKept = worked
        told()
      }
    } while (isWanted)
    writing = null
  }

  return {
    keep() {
      if (writing) isWanted = true
      else writing = writeAll()
    },
    isKept: () => isKept,
    done: async () => void (await writing),
  }
}
