import type { DeskPieceFound } from '../../../../server/features/pieces/desk-schema.ts'
import { importLimits, longest } from '../../../../server/features/pieces/limits.ts'
import { type Message, message } from '../../../../server/messages/message.ts'
import type { ExportFiles } from '../../../../server/sync/imports/export-files.ts'
import { withPictures } from '../../../../server/sync/imports/pictures.ts'
import type { Post } from '../../../../server/sync/imports/post.ts'
import { ApiError, callApi } from '../../api/client.ts'
import { say, t } from '../../messages.ts'

/** Makes drafts of posts, one after the other. */

export interface Outcome {
  readonly post: Post
  /** `existing` was imported before, and is left as it is; `deleted` is in the trash. */
  readonly result: 'made' | 'existing' | 'deleted' | 'failed'
  /** What was not carried over. */
  readonly notes: readonly Message[]
  /** Why it failed, as a sentence. */
  readonly problem?: string
}

interface ImportRun {
  readonly files: ExportFiles
  readonly service: string
  /** The id of the writer. */
  readonly writer: string
  /** For posts whose export does not name theirs. */
  readonly language: string
  readonly copiesPictures: boolean
  readonly signal: AbortSignal
  readonly onOutcome: (outcome: Outcome) => void
}

/** Ends early when it is stopped; rejects when the site cannot be reached. Importing again goes on where it ended. */
export async function importPosts(posts: readonly Post[], run: ImportRun): Promise<void> {
  /** Many posts show the same picture. */
  const copied = new Map<string, string | null>()
  for (const post of posts) {
    if (run.signal.aborted) return
    run.onOutcome(await importPost(post, run, copied))
  }
}

async function importPost(post: Post, run: ImportRun, copied: Map<string, string | null>): Promise<Outcome> {
  const { draft, lost } = post
  const id = pieceIdOf(`${run.writer}\n${run.service}\n${post.origin}`)
  if (await exists(id)) return { post, result: 'existing', notes: [] }
  if (draft.body_md.trim() === '') return failed(post, t('desk.import.no_text'))
  const pictures = [...post.pictures, ...(post.cover ? [post.cover] : [])]
  const moved = new Map<string, string>()
  const notes = [...lost]
  for (const address of pictures) {
    const to = run.copiesPictures ? await copyOnce(address, run, copied) : null
    if (to !== null) moved.set(address, to)
    else if (address === post.cover) notes.push(message('import.lost_cover', { address }))
    else
      notes.push(message(address.startsWith('http:') ? 'import.remote_image_http' : 'import.remote_image', { address }))
  }
  const cover = moved.get(post.cover ?? '')
  const body_md = withPictures(draft.body_md, moved)
  if ([...body_md].length > longest.body) return failed(post, t('desk.import.too_long', { most: longest.body }))
  const body = { locale: run.language, ...draft, body_md, ...(cover ? { cover: { image: cover, alt: '' } } : {}) }
  try {
    await callApi<DeskPieceFound>('PUT', `/imports/${id}`, {
      draft: body,
      service: run.service,
      date: post.date ?? null,
      notes: notes.slice(0, importLimits.notes).map((note) => [...say(note)].slice(0, importLimits.note).join('')),
    })
    return { post, result: 'made', notes }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 404) return { post, result: 'deleted', notes: [] }
    // Anything else would stop every other post too.
    if (error.status !== 400 && error.status !== 413 && error.status !== 422) throw error
    return failed(post, error.detail)
  }
}

const failed = (post: Post, problem: string): Outcome => ({ post, result: 'failed', notes: [], problem })

async function exists(id: string): Promise<boolean> {
  try {
    await callApi('GET', `/pieces/${id}`)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}

/** The address of the copy; null if it cannot be copied. */
async function copyOnce(address: string, run: ImportRun, copied: Map<string, string | null>): Promise<string | null> {
  const known = copied.get(address)
  if (known !== undefined) return known
  const to = await copy(address, run).catch((error: unknown) => {
    if (error instanceof ApiError && error.status >= 400) return null
    throw error
  })
  copied.set(address, to)
  return to
}

async function copy(address: string, { files }: ImportRun): Promise<string | null> {
  type Added = { readonly media: { readonly url: string } }
  if (files.names.includes(address)) {
    const type = `image/${address.split('.').at(-1)!.toLowerCase().replace('jpg', 'jpeg')}`
    return (await callApi<Added>('POST', '/media', new Blob([await files.bytes(address)], { type }))).media.url
  }
  if (!/^https?:\/\//i.test(address)) return null
  return (await callApi<Added>('POST', '/media/copy', { url: address })).media.url
}

/**
 * The same id for the same post of the same writer, so that no post is imported twice: FNV-1a of 128 bits, in the form
 * of a UUID version 4. `crypto.subtle` would need https.
 */
function pieceIdOf(origin: string): string {
  let hash = 0x6c62272e07bb014262b821756295c58dn
  for (const byte of new TextEncoder().encode(origin))
    hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * 0x1000000000000000000013bn)
  const digits = hash.toString(16).padStart(32, '0')
  const variant = ((Number.parseInt(digits[16]!, 16) & 3) | 8).toString(16)
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`
}
