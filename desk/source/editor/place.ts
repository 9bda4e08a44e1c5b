import type { EditorPlace } from './codemirror/codemirror.ts'

/** The field that had the focus last. */
export type EditorField = 'headline' | 'sub' | 'text'

interface Place {
  readonly id: string
  readonly text: EditorPlace
  readonly field: EditorField | undefined
}

/** Of the piece that was edited last in this tab: people go to its preview or history and come back. */
let last: Place | undefined

export function keepPlace(place: Place): void {
  last = place
}

export const placeIn = (id: string | null): Place | undefined => (last?.id === id ? last : undefined)
