/** Writes what is newest, at once, and says whether the last write worked. */
export interface Keeper {
  keep(): void
  isKept(): boolean
  /** Ends when nothing is being written. */
  done(): Promise<void>
}

/** Each is on its way before the one before it has ended: a tab that dies in between would take the last key along. */
const mostUnderWay = 4

/** `write` begins at once, and writes end in the order in which they began. */
export function openKeeper(write: () => Promise<void>, told: () => void): Keeper {
  const underWay = new Set<Promise<void>>()
  let isWanted = false
  let isKept = true

  async function writeNow(): Promise<void> {
    const worked = await write().then(
      () => true,
      () => false,
    )
    if (worked !== isKept) {
      isKept = worked
      told()
    }
  }

  function keep(): void {
    isWanted = underWay.size >= mostUnderWay
    if (isWanted) return
    const writing = writeNow().finally(() => {
      underWay.delete(writing)
      if (isWanted) keep()
    })
    underWay.add(writing)
  }

  return {
    keep,
    isKept: () => isKept,
    async done() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
