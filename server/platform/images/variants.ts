import { html } from '#platform/html.ts'
import { inSandbox, readLine } from './decode.ts'
import { formatOf, formatOfVariant, type Variant, type VariantFormat, variantFormats } from './formats.ts'

/** Smaller copies of a stored image, for `srcset`. */

/** In pixels; an image has those that are narrower than itself. */
const variantWidths = [160, 320, 640, 960, 1280, 1920] as const

export const typeOfVariant = (variant: Variant): string => `image/${formatOfVariant(variant)}`

export interface MadeVariant {
  /** Of the store. */
  readonly key: string
  readonly type: string
  readonly bytes: Buffer
}

const variants: readonly Variant[] = variantWidths.flatMap((width) =>
  variantFormats.map((format) => `${width}.${format}` as const),
)

/** As in addresses, such as `640.avif`; undefined if there is no such variant. */
export const variantNamed = (name: string): Variant | undefined => variants.find((one) => one === name)

export const keyOfVariant = (hash: string, variant: Variant): string => `${hash}.${variant}`

/** Of every variant that there may be. */
export const variantKeys = (hash: string): readonly string[] => variants.map((variant) => keyOfVariant(hash, variant))

/** Nobody waits for them: other work goes first, so on a busy machine they take many times as long. */
const limits = { script: 'resizer', milliseconds: 300_000, niceness: 10 } as const

/** In a process of its own. Of a photograph with 2,000 pixels all twelve take seven seconds. */
export async function makeVariants(
  hash: string,
  bytes: Buffer,
  width: number,
  signal?: AbortSignal,
): Promise<MadeVariant[]> {
  const args = variants.filter((one) => Number.parseInt(one, 10) < width)
  if (args.length === 0) return []
  const answer = await inSandbox(bytes, { ...limits, args }, signal)
  const made = answer && readVariants(answer, args)
  if (!made) throw new Error('the variants of an image could not be made')
  return made.map(({ variant, bytes }) => ({ key: keyOfVariant(hash, variant), type: typeOfVariant(variant), bytes }))
}

/** Undefined unless it is exactly what was asked for. */
export function readVariants(answer: Buffer, asked: readonly Variant[]) {
  const { line, bytes } = readLine(answer)
  if (!Array.isArray(line) || line.length !== asked.length) return undefined
  let from = 0
  const made = asked.map((variant, at) => {
    const [name, length]: unknown[] = Array.isArray(line[at]) ? line[at] : []
    const to = name === variant && Number.isSafeInteger(length) ? from + (length as number) : from
    const part = { variant, bytes: bytes.subarray(from, to) }
    from = Math.max(from, to)
    return part
  })
  const isWhole = from === bytes.length && made.every((one) => formatOf(one.bytes) === formatOfVariant(one.variant))
  return isWhole ? made : undefined
}

export interface Candidates {
  readonly sizes: string
  /** In pixels. */
  readonly narrowest?: number
  readonly widest?: number
}

/** What a browser chooses from: a `<source>` with AVIF, and WebP as attributes of the `<img>`. Undefined without copies. */
export function responsive(
  { url, width }: { readonly url: string; readonly width: number },
  { sizes, narrowest = 0, widest = Number.POSITIVE_INFINITY }: Candidates,
) {
  const widths = variantWidths.filter((one) => one < width && one >= narrowest && one <= widest)
  const copies = (format: VariantFormat) => widths.map((one) => `${url}/${one}.${format} ${one}w`)
  const webp = width <= widest ? [...copies('webp'), `${url} ${width}w`] : copies('webp')
  return widths.length === 0
    ? undefined
    : {
        source: html`<source type="image/avif" srcset="${copies('avif').join(', ')}" sizes="${sizes}">`,
        attributes: html` srcset="${webp.join(', ')}" sizes="${sizes}"`,
      }
}
