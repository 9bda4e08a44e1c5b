import { message } from '#messages/message.ts'
import { overloaded } from '../errors.ts'
import { inSandbox } from './decode.ts'
import { formatOf } from './formats.ts'

/** What a crop keeps in its middle as far as possible, in per cent. */
export interface Focus {
  readonly x: number
  readonly y: number
}

/** As for decoding an upload. */
const milliseconds = 15_000

/**
 * A stored image as raw pixels of this size (sRGB, three bytes each), in a process without privileges: it was uploaded
 * once. Undefined if it cannot be read; 503 if not in time.
 */
export async function cropped(
  bytes: Buffer,
  width: number,
  height: number,
  { x, y }: Focus = { x: 50, y: 50 },
): Promise<Buffer | undefined> {
  if (formatOf(bytes) !== 'webp') return undefined
  const size = [width, height, x, y].map(String)
  const pixels = await inSandbox(bytes, { script: 'cropper', args: size, milliseconds })
  if (!pixels) throw overloaded(message('error.busy_pictures'))
  return pixels.length === width * height * 3 ? pixels : undefined
}
