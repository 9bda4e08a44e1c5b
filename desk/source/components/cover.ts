import type { DeskPiece } from '../../../server/features/pieces/desk-schema.ts'

/** Caption and credit are empty if there is none; the focus is in per cent. */
export interface Cover {
  /** `/media/…` */
  readonly image: string
  readonly alt: string
  readonly caption: string
  readonly credit: string
  readonly focus: { readonly x: number; readonly y: number }
}

export const coverOf = ({ cover }: DeskPiece): Cover | null =>
  cover && { ...cover, caption: cover.caption ?? '', credit: cover.credit ?? '' }

/** The server's limits, in code points. */
export const longestInCover = { alt: 400, caption: 400, credit: 200 } as const
