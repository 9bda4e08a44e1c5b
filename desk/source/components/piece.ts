export { hasHeadline, untitled } from '../../../server/features/pieces/untitled.ts'

/** The editor with the headline focused, or with the details open. */
export const editorAt = (id: string, open: 'headline' | 'details'): string => `/desk/edit/pieces/${id}?open=${open}`
