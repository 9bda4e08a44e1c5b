import { buffer } from 'node:stream/consumers'
import { libvips, mostPixels } from './formats.ts'

/**
 * The process that crops one stored image, started by `crop.ts` without privileges as the decoder is: what it writes is
 * nothing but pixels, three bytes each, of which the caller knows the number.
 */

const [width = 0, height = 0, focusX = 50, focusY = 50] = process.argv.slice(2).map(Number)
const sharp = await libvips()
const bytes = await buffer(process.stdin)
const { width: wide, height: tall } = await sharp(bytes, { limitInputPixels: mostPixels }).metadata()
const scale = Math.max(width / wide, height / tall)
const within = (share: number, whole: number, part: number): number =>
  Math.min(Math.max(Math.round((share / 100) * whole - part / 2), 0), whole - part)
const part = { width: Math.min(wide, Math.round(width / scale)), height: Math.min(tall, Math.round(height / scale)) }
const pixels = await sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', pages: 1 })
  .timeout({ seconds: 4 })
  .extract({ ...part, left: within(focusX, wide, part.width), top: within(focusY, tall, part.height) })
  .resize(width, height, { fit: 'fill' })
  .flatten({ background: '#fff' })
  .toColourspace('srgb')
  .raw({ depth: 'uchar' })
  .toBuffer()
process.stdout.end(pixels)
