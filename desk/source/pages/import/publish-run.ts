import type { Confirmation, ImportedDraft, ImportProblem } from '../../../../server/features/pieces/import-schema.ts'
import { ApiError, callApi, errorMessage } from '../../api/client.ts'
import { invalidate } from '../../api/queries.ts'
import { createStore } from '../../components/store.ts'

/** One batch at a time; it goes on while other pages of the desk are shown. What is left is listed again. */

export interface Failure {
  readonly draft: ImportedDraft
  /** A reason, or a sentence. */
  readonly problem: ImportProblem | { readonly words: string }
}

export interface PublishRun {
  readonly total: number
  readonly done: number
  readonly published: number
  readonly failures: readonly Failure[]
  readonly isOver: boolean
  /** Why the rest was not tried, as a sentence. */
  readonly problem?: string
}

export const publishRun = createStore<PublishRun | undefined>(undefined)

/** What the writer has confirmed to publish. It is kept on the device until each was tried: a run ends with its tab. */
interface Batch {
  readonly ids: readonly string[]
  readonly category: string | null
}
const batchKey = 'imports-to-publish'

export function unfinishedBatch(): Batch | undefined {
  try {
    return JSON.parse(localStorage.getItem(batchKey) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

function keepBatch(batch: Batch | undefined): void {
  try {
    if (batch) localStorage.setItem(batchKey, JSON.stringify(batch))
    else localStorage.removeItem(batchKey)
  } catch {
    // Full, or refused by the browser's settings: what is left is chosen again.
  }
}

let stopping: AbortController | undefined
export const stopPublishing = (): void => stopping?.abort()

/**
 * Puts the drafts into their section, if one is given, has the writer's consent kept, and publishes one after the other.
 * If the consent is refused, nothing is published.
 */
export async function publishImported(drafts: readonly ImportedDraft[], category: string | null): Promise<void> {
  const stop = new AbortController()
  stopping = stop
  const failures: Failure[] = []
  const ready: { draft: ImportedDraft; revision: number }[] = []
  let published = 0
  const tell = (more: Partial<PublishRun> = {}): void =>
    publishRun.set({
      total: drafts.length,
      done: published + failures.length,
      published,
      failures: [...failures],
      isOver: false,
      ...more,
    })
  tell()
  keepBatch({ ids: drafts.map(({ id }) => id), category })
  let problem: string | undefined
  try {
    for (const draft of drafts) {
      if (stop.signal.aborted) return
      try {
        ready.push({ draft, revision: await withCategory(draft, category) })
      } catch (error) {
        if (!isOfOne(error)) throw error
        failures.push({ draft, problem: { words: errorMessage(error) } })
      }
    }
    if (ready.length === 0) return keepBatch(undefined)
    const refused = await confirm(ready)
    for (const { draft } of ready) {
      const why = refused.get(draft.id)
      if (why) failures.push({ draft, problem: why })
    }
    for (const { draft } of ready) {
      tell()
      if (stop.signal.aborted) return
      if (refused.has(draft.id)) continue
      try {
        await callApi('POST', `/imports/${draft.id}/publish`)
        published += 1
      } catch (error) {
        if (!isOfOne(error)) throw error
        failures.push({ draft, problem: { words: errorMessage(error) } })
      }
    }
    keepBatch(undefined)
  } catch (error) {
    problem = errorMessage(error)
  } finally {
    tell({ isOver: true, ...(problem === undefined ? {} : { problem }) })
    await invalidate('pieces')
    await invalidate('imports')
  }
}

/** Anything else would stop the rest, too. */
const isOfOne = (error: unknown): boolean =>
  error instanceof ApiError && error.reason !== 'limit_reached' && [400, 404, 409, 412, 422].includes(error.status)

/** The revision that is then to be published. */
async function withCategory(draft: ImportedDraft, category: string | null): Promise<number> {
  const { id, revision, category: before, is_category_chosen: isChosen } = draft
  if (category === null || (category === before && isChosen)) return revision
  type Saved = { readonly piece: { readonly revision: number } }
  const { piece } = await callApi<Saved>('PATCH', `/pieces/${id}`, { category }, { ifMatch: `"${revision}"` })
  return piece.revision
}

async function confirm(ready: readonly { readonly draft: ImportedDraft; readonly revision: number }[]) {
  const pieces = ready.map(({ draft, revision }) => ({ id: draft.id, revision }))
  const answer = await callApi<Confirmation>('POST', '/imports/confirm', { pieces })
  return new Map(answer.pieces.flatMap(({ id, problem }) => (problem === null ? [] : [[id, problem] as const])))
}
