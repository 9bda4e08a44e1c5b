import { findPictures } from '../../components/find-pictures.ts'

/** The text with another address for one picture, wherever it is shown; its width stays. Links are left alone. */
export function replacePicture(text: string, from: string, to: string): string {
  const width = /#(?:wide|full)$/.exec(from)?.[0] ?? ''
  let changed = ''
  let end = 0
  for (const { words, address, at } of findPictures(text)) {
    if (address !== from) continue
    const start = text.indexOf(from, at + words.length)
    changed += text.slice(end, start) + to + width
    end = start + from.length
  }
  return changed + text.slice(end)
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
const writtenAlt = (text: string): string => oneLine(text).replace(/[[\]\\]/g, '\\$&')
const writtenTitle = (text: string): string => `"${oneLine(text).replace(/["\\]/g, '\\$&')}"`
const fragmentOf = (width: string): string => (width === 'text' ? '' : `#${width}`)

/** What a picture alone in its paragraph has: its title is the caption, and a fragment says how wide it is. */
export interface Picture {
  readonly alt: string
  readonly address: string
  readonly caption: string
  /** `wide`, `full`, or `text` for the width of the text. */
  readonly width: string
}

export function pictureMarkdown({ alt, address, caption, width }: Picture): string {
  const title = oneLine(caption) && ` ${writtenTitle(caption)}`
  return `![${writtenAlt(alt)}](${address}${fragmentOf(width)}${title})`
}

/** A line that is one picture. An address may contain pairs of parentheses. */
const pictureLine =
  /^( {0,3}!\[)((?:[^[\]\\]|\\.){0,1000})(\]\(\s{0,20}<?)(https:\/\/(?:[^\s()<>[]|\([^\s()<>[]{0,200}\)){1,2048}?|\/media\/[\w-]{1,200})(#(?:wide|full))?(>?)(?:(\s{1,20})("(?:[^"\\]|\\.){0,1000}"|'(?:[^'\\]|\\.){0,1000}'))?(\s{0,20}\)[\t ]*)$/

const unescaped = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1')

/** The picture of a line that contains nothing else. */
export function readPicture(line: string): Picture | undefined {
  const [, , alt = '', open = '', address, fragment = '', close = '', , title = ''] = pictureLine.exec(line) ?? []
  if (address === undefined || open.endsWith('<') !== (close === '>')) return undefined
  const caption = oneLine(unescaped(title.slice(1, -1)))
  return { alt: unescaped(alt), address, caption, width: fragment.slice(1) || 'text' }
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** The edits of a line that give its picture other properties. What stays the same stays as it was typed. */
export function editPicture(line: string, next: Partial<Picture>): Edit[] {
  const before = readPicture(line)
  if (!before) return []
  const parts = pictureLine
    .exec(line)!
    .slice(1)
    .map((part) => part ?? '')
  const start = (part: number) => parts.slice(0, part).join('').length
  const edit = (from: number, to: number, insert: string): Edit => ({ from: start(from), to: start(to), insert })
  const { alt = before.alt, address = before.address, width = before.width, caption = before.caption } = next
  return [
    ...(oneLine(alt) === oneLine(before.alt) ? [] : [edit(1, 2, writtenAlt(alt))]),
    ...(address === before.address ? [] : [edit(3, 4, address)]),
    ...(width === before.width ? [] : [edit(4, 5, fragmentOf(width))]),
    ...(oneLine(caption) === before.caption ? [] : [edit(6, 8, oneLine(caption) && ` ${writtenTitle(caption)}`)]),
  ]
}
