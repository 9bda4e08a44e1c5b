import { lazy } from 'react'
import { loadMessages } from '../load-messages.ts'

/** Loaded with their messages when there is something to show. */
export const CommentsPanel = lazy(async () => {
  const [panel] = await Promise.all([import('./panel.tsx'), loadMessages('comments')])
  return { default: panel.CommentsPanel }
})

export const ReadingComments = lazy(async () => {
  const [comments] = await Promise.all([import('./reading.tsx'), loadMessages('comments')])
  return { default: comments.ReadingComments }
})
