import { randomUUID } from 'node:crypto'
import type { DeskContext } from '#features/context.ts'
import { message } from '#messages/message.ts'
import { hashOf } from '#platform/crypto.ts'
import { type FieldProblem, invalid, notFound } from '#platform/errors.ts'
import { hasVisible, normalise, normaliseLine } from '#platform/text/normalise.ts'
import { findQuotation, type Passage, paragraphsOf, passageAt, withPlainLines } from '#platform/text/passages.ts'
import { columnsOf } from './comments.ts'
import { longest, type Maker, type Outcome } from './schema.ts'

/** Comments of those who hold a private link, made and read on its page, without an account. */

export interface LinkComment {
  readonly id: string
  readonly thread_id: string | null
  readonly made_by: Maker
  readonly name: string | null
  readonly body: string
  readonly replacement: string | null
  readonly quote: string | null
  readonly created_at: Date
  readonly resolved_at: Date | null
  readonly outcome: Outcome | null
}

export const commentsByLink = ({ db }: DeskContext, token: string): Promise<LinkComment[]> =>
  db.run<LinkComment>({ text: 'select * from app.comments_by_link($1)', values: [hashOf(token)] })

/** The fields of the form, as they were filled in. */
export interface CommentForm {
  readonly name: string
  readonly passage: string
  readonly words: string
  readonly comment: string
  readonly replacement: string
  /** Of a reply: the comment that it answers. */
  readonly thread: string
}

/** A paragraph that can be chosen. Its key stays while its words do, so a form opened before a change still fits. */
export interface Paragraph {
  readonly key: string
  readonly text: string
  readonly from: number
  readonly to: number
}

export function choosableParagraphs(body: string): Paragraph[] {
  const text = withPlainLines(body)
  return paragraphsOf(text).map(({ from, to }) => {
    const words = text.slice(from, to)
    return { key: hashOf(words).toString('hex').slice(0, 16), text: words, from, to }
  })
}

interface NewLinkComment {
  readonly thread: string | null
  readonly name: string
  readonly body: string
  readonly replacement: string | null
  readonly passage: Passage | null
}

/** Throws all problems at once. */
export function readCommentForm(form: CommentForm, body: string): NewLinkComment {
  const problems: FieldProblem[] = []
  const thread = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(form.thread) ? form.thread : null
  const isReply = thread !== null
  const name = normaliseLine(form.name)
  const comment = normalise(form.comment).trim()
  const replacement = isReply ? '' : normalise(form.replacement).trim()
  const passage = isReply ? null : passageOf(form, withPlainLines(body), problems)
  if (!hasVisible(name)) problems.push({ pointer: '/name', code: 'missing', detail: 'must be filled in' })
  if (!hasVisible(comment) && replacement === '') {
    problems.push({ pointer: '/comment', code: 'missing', detail: 'must be filled in' })
  }
  if (replacement !== '' && passage === null) {
    problems.push({ pointer: '/passage', code: 'missing', detail: 'must be chosen for a suggestion' })
  }
  for (const [field, text, limit] of [
    ['name', name, longest.name],
    ['comment', comment, longest.body],
    ['replacement', replacement, longest.replacement],
  ] as const) {
    const actual = [...text].length
    const detail = `must have at most ${limit} characters`
    if (actual > limit) problems.push({ pointer: `/${field}`, code: 'too_long', detail, limit, actual })
  }
  if (problems.length > 0) throw invalid(problems)
  return { thread, name, body: comment, replacement: replacement || null, passage: passage ?? null }
}

/** Null for the whole piece; undefined with a problem. */
function passageOf(form: CommentForm, text: string, problems: FieldProblem[]): Passage | null | undefined {
  const chosen = choosableParagraphs(text).find(({ key }) => key === form.passage)
  if (form.passage !== '' && !chosen) {
    problems.push({ pointer: '/passage', code: 'unknown_value', detail: 'is not in the text any more' })
    return undefined
  }
  if (form.words.trim() === '') return chosen ? (passageAt(text, chosen) ?? null) : null
  const within = chosen ?? { from: 0, to: text.length }
  const found = findQuotation(text.slice(within.from, within.to), normalise(form.words))
  if (!found) {
    problems.push({ pointer: '/words', code: 'unknown_value', detail: 'are not in the text' })
    return undefined
  }
  return passageAt(text, { from: within.from + found.from, to: within.from + found.to }) ?? null
}

export async function addLinkComment({ db }: DeskContext, token: string, comment: NewLinkComment): Promise<void> {
  const { thread, name, body, replacement, passage } = comment
  if (!/^[\w-]{43}$/.test(token)) throw notFound(message('error.preview_expired'))
  await db.run({
    text: 'select app.comment_by_link($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
    values: [hashOf(token), randomUUID(), thread, name, body, replacement, ...columnsOf(passage)],
  })
}
