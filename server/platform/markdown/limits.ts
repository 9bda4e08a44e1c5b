import type { Token } from 'markdown-it'
import { ServiceError } from '../errors.ts'
import { placeOf } from './error-location.ts'

/** Of HTML, in bytes. */
export const mostHtml = 1_048_576

/** No text of 100,000 characters has more, but by tables that fill up their rows, and then it is too much HTML too. */
export const mostTokens = 320_000

/** One outermost block, and how much it becomes. */
export interface Part {
  readonly block: readonly Token[]
  readonly length: number
}

export function tooLarge(parts: readonly Part[], bytes?: number): ServiceError {
  const { block } = parts.reduce((most, part) => (part.length > most.length ? part : most))
  const detail = `This text becomes more than 1 MiB of HTML, most of it from ${placeOf(block)}. Shorten that, or split the piece.`
  const problem = { pointer: '/body_md', code: 'render_too_large', detail: 'becomes too much HTML', limit: mostHtml }
  return new ServiceError(422, 'render_too_large', detail, {
    errors: [bytes === undefined ? problem : { ...problem, actual: bytes }],
  })
}

export function blocksOf(tokens: readonly Token[]): Token[][] {
  const blocks: Token[][] = []
  let block: Token[] = []
  let depth = 0
  for (const token of tokens) {
    block.push(token)
    depth += token.nesting
    if (depth > 0) continue
    blocks.push(block)
    block = []
  }
  return blocks
}

/** How much addresses and titles become: a text can define one of 50,000 characters and use it 15,000 times. */
export function sharedLength(block: readonly Token[]): number {
  let length = 0
  for (const { children } of block) {
    for (const { attrs } of children ?? []) for (const [, value] of attrs ?? []) length += String(value).length
  }
  return length
}
