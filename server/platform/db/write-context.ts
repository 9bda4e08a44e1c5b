import { AsyncLocalStorage } from 'node:async_hooks'

/** What somebody's act has done before readers' eyes, so that its answer can say from which position on it is to be seen. */
export interface Act {
  changed: boolean
  /** Once it is committed: where in the primary's log, when by our own time, and whether others read that log. */
  committed?: { readonly position: string; readonly at: number; readonly isReplicated: boolean }
}

const acts = new AsyncLocalStorage<Act>()

export const acting = (act: Act, work: () => void): void => acts.run(act, work)

/** Of what is under way; undefined where nobody wants to know. */
export const actNow = (): Act | undefined => acts.getStore()
