import { tokenColour } from '../page/colours.ts'
import { libvips } from './formats.ts'

const side = 180
/** Phones cut the corners off. */
const inner = 120

/** A square SVG on paper, for home screens: they show no transparency. */
export async function touchIcon(mark: string): Promise<Buffer> {
  const sharp = await libvips()
  const background = tokenColour('paper')
  const drawn = await sharp(Buffer.from(mark), { density: 600 })
    .timeout({ seconds: 2 })
    .resize(inner, inner, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer()
  return sharp({ create: { width: side, height: side, channels: 3, background } })
    .composite([{ input: drawn }])
    .png({ palette: true })
    .toBuffer()
}
