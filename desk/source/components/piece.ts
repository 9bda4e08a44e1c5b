export { hasHeadline, untitled } from '../../../server/features/pieces/untitled.ts'

export const categories = ['building', 'leading', 'culture', 'money', 'life', 'civic', 'ideas', 'society'] as const

/** The server's limits, in code points. */
export const longestTag = 32
export const mostTags = 8

/** The editor with the headline focused, or with the details open. */
export const editorAt = (id: string, open: 'headline' | 'details'): string => `/desk/edit/pieces/${id}?open=${open}`
