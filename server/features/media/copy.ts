import type { Writer } from '#features/accounts/sessions.ts'
import { message } from '#messages/message.ts'
import { ServiceError } from '#platform/errors.ts'
import { largestUpload } from '#platform/images/image-intake.ts'
import { OutboundError } from '#platform/outbound/connect.ts'
import type { Outbound, OutboundLimits } from '#platform/outbound/outbound.ts'
import type { MediaAdded } from './schema.ts'
import { addPicture, type MediaContext } from './uploads.ts'

/** The largest picture, and its headers. */
export const copyLimits: Partial<OutboundLimits> = {
  whole: 10_000,
  answer: largestUpload + 65_536,
  keep: largestUpload,
}

const maxRedirects = 3

export interface CopyContext {
  readonly media: MediaContext
  readonly pictures: Outbound
}

/** Copies a picture of another server, when the writer asks for it. Whatever prevents it, the answer is the same. */
export async function copyPicture(
  { media, pictures }: CopyContext,
  writer: Writer,
  url: string,
  piece: string | undefined,
  signal?: AbortSignal,
): Promise<MediaAdded> {
  return addPicture(media, writer, await fetchPicture(pictures, url), piece, signal)
}

/** Every redirect is checked as the first address is. */
async function fetchPicture(pictures: Outbound, url: string): Promise<Buffer> {
  let address = url
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const answer = await pictures.call(address, { headers: { accept: 'image/*' } }).catch((error: unknown) => {
      throw error instanceof OutboundError ? notCopied() : error
    })
    const { location } = answer.headers
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status)
    if (isRedirect && location && URL.canParse(location, address)) {
      address = new URL(location, address).href
      continue
    }
    if (answer.status !== 200 || answer.truncated || answer.head.length >= largestUpload) throw notCopied()
    return answer.head
  }
  throw notCopied()
}

const notCopied = () => new ServiceError(400, 'validation_failed', message('error.picture_not_copied'))
