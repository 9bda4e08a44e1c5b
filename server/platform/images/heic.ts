import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import libheif, { type MainModule } from 'libheif-js/libheif-wasm/libheif.js'

/**
 * HEIC, the default of iPhones, in the process of `decoder.ts`: sharp's libvips has no HEVC decoder. libheif and
 * libde265 run as WebAssembly, so what exploits them is still within a memory of its own.
 */

/** Its types are those of an ES module, and it is none. */
const makeLibheif = libheif as unknown as (options: object) => MainModule

/** An image upright, in 8 bits, as its planes lie in memory. */
export interface Pixels {
  readonly data: Uint8Array
  /** Bytes from one row to the next. */
  readonly stride: number
  readonly width: number
  readonly height: number
  readonly channels: 3 | 4
  readonly icc: Uint8Array
}

class HeicError extends Error {
  readonly refused: 'pixels' | 'damaged'
  readonly pixels: number | undefined
  constructor(refused: 'pixels' | 'damaged', pixels?: number) {
    super(refused)
    this.refused = refused
    this.pixels = pixels
  }
}

/** Of libheif (heif_error.h, heif_image.h). */
const securityLimit = 1_000
const rgb = 1
const interleaved = { channel: 10, 3: 10, 4: 11 } as const

/** Phones have 0.5 to 4 kB. */
const largestProfile = 1024 * 1024

/** The primary image; others, thumbnails, depth maps and metadata are not looked at. */
export function pixelsOf(bytes: Uint8Array, mostPixels: number): Pixels {
  const wasm = fileURLToPath(import.meta.resolve('libheif-js/libheif-wasm/libheif.wasm'))
  // Standard output is for the answer.
  const silent = { print: () => {}, printErr: () => {} }
  const heif = makeLibheif({ wasmBinary: readFileSync(wasm), ...silent })
  const [error, result] = [heif._malloc(12), heif._malloc(4)]
  /** Calls a function that fills `error` and perhaps `result`. */
  const ask = (call: () => void): number => {
    call()
    const [code, reason] = heif.HEAPU32.subarray(error >> 2, (error >> 2) + 2) as Uint32Array
    if (code !== 0) throw new HeicError(reason === securityLimit ? 'pixels' : 'damaged')
    return heif.HEAPU32[result >> 2]
  }

  const context = heif._heif_context_alloc()
  // Of what is decoded, whatever the file says of itself; twice, since it is coded in squares of up to 64. In 64 bits.
  heif.HEAPU32.set([2 * mostPixels, 0], (heif._heif_context_get_security_limits(context) >> 2) + 2)
  const file = heif._malloc(bytes.length)
  heif.HEAPU8.set(bytes, file)
  ask(() => heif._heif_context_read_from_memory_without_copy(error, context, file, bytes.length, 0))
  const handle = ask(() => heif._heif_context_get_primary_image_handle(error, context, result))
  const [width, height] = [heif._heif_image_handle_get_width(handle), heif._heif_image_handle_get_height(handle)]
  if (width * height > mostPixels) throw new HeicError('pixels', width * height)

  const channels = heif._heif_image_handle_has_alpha_channel(handle) ? 4 : 3
  const image = ask(() => heif._heif_decode_image(error, handle, result, rgb, interleaved[channels], 0))
  const size = [
    heif._heif_image_get_width(image, interleaved.channel),
    heif._heif_image_get_height(image, interleaved.channel),
  ]
  if (size[0] !== width || size[1] !== height) throw new HeicError('damaged')
  const plane = heif._heif_image_get_plane_readonly2(image, interleaved.channel, result)
  const stride = heif.HEAPU32[result >> 2] as number
  const icc = profileOf(heif, handle, (profile) =>
    ask(() => heif._heif_image_handle_get_raw_color_profile(error, handle, profile)),
  )
  return { data: heif.HEAPU8.subarray(plane, plane + stride * height), stride, width, height, channels, icc }
}

function profileOf(
  { _malloc, _heif_image_handle_get_raw_color_profile_size: sizeOf, ...heif }: MainModule,
  handle: number,
  read: (profile: number) => void,
): Uint8Array {
  const size = sizeOf(handle)
  if (size === 0 || size > largestProfile) return new Uint8Array()
  const profile = _malloc(size)
  read(profile)
  return heif.HEAPU8.slice(profile, profile + size)
}

/** A TIFF of them, by which libvips learns the colour profile too. Each row is a strip. */
export function tiffOf({ data, stride, width, height, channels, icc }: Pixels): Buffer {
  const [short, long, undefinedBytes] = [3, 4, 7]
  const entries = 10 + Number(channels === 4) + Number(icc.length > 0)
  const lists = 8 + 2 + 12 * entries + 4
  const [depths, offsets, counts] = [lists, lists + 8, lists + 8 + 4 * height]
  const profile = counts + 4 * height
  const pixels = profile + icc.length
  const head = Buffer.alloc(pixels)
  head.write('II*\0\b\0\0\0', 'latin1')
  head.writeUInt16LE(entries, 8)
  let at = 10
  const entry = (tag: number, type: number, count: number, value: number) => {
    head.writeUInt16LE(tag, at)
    head.writeUInt16LE(type, at + 2)
    head.writeUInt32LE(count, at + 4)
    head.writeUInt32LE(value, at + 8)
    at += 12
  }
  entry(256, long, 1, width)
  entry(257, long, 1, height)
  entry(258, short, channels, depths)
  // Not compressed; red, green and blue.
  entry(259, short, 1, 1)
  entry(262, short, 1, 2)
  entry(273, long, height, height === 1 ? pixels : offsets)
  entry(277, short, 1, channels)
  entry(278, long, 1, 1)
  entry(279, long, height, height === 1 ? width * channels : counts)
  entry(284, short, 1, 1)
  // The fourth is transparency.
  if (channels === 4) entry(338, short, 1, 2)
  if (icc.length > 0) entry(34675, undefinedBytes, icc.length, profile)
  for (let channel = 0; channel < channels; channel += 1) head.writeUInt16LE(8, depths + 2 * channel)
  for (let row = 0; row < height; row += 1) {
    head.writeUInt32LE(pixels + row * stride, offsets + 4 * row)
    head.writeUInt32LE(width * channels, counts + 4 * row)
  }
  head.set(icc, profile)
  return Buffer.concat([head, data])
}
