import type { CommentForm, LinkComment, Paragraph } from '#features/comments/by-link.ts'
import { longest } from '#features/comments/schema.ts'
import { honeypot } from '#http/page-layout.ts'
import type { Translator } from '#messages/translator.ts'
import type { FieldProblem } from '#platform/errors.ts'
import { type Html, html } from '#platform/html.ts'

/** The comments under a piece on the page of a private link, and their form. They need no script. */

interface CommentSection {
  /** Where the form is sent. */
  readonly action: string
  readonly comments: readonly LinkComment[]
  readonly paragraphs: readonly Paragraph[]
  readonly form?: CommentForm | undefined
  readonly problems?: readonly FieldProblem[] | undefined
  readonly isSent: boolean
}

const blank: CommentForm = { name: '', passage: '', words: '', comment: '', replacement: '', thread: '' }

export function commentSection(
  t: Translator,
  { action, comments, paragraphs, form = blank, problems = [], isSent }: CommentSection,
): Html {
  const threads = comments.filter(({ thread_id }) => thread_id === null)
  // Problems belong to the form that was sent: the one for a new comment, or that of a thread.
  const of = (thread: string) =>
    form.thread === thread ? { form, problems } : { form: { ...blank, name: form.name }, problems: [] }
  return html`<link rel="stylesheet" href="/desk/preview-comments.css">
<section class="comments column" id="comments" aria-labelledby="comments-title" lang="${t.language}" dir="${t.dir}">
<h2 id="comments-title">${t('site.comments.title')}</h2>
<p>${t('site.comments.intro')}</p>
${isSent && html`<p class="sent" role="status">${t('site.comments.sent')}</p>`}
${
  threads.length > 0 &&
  html`<ol>
${threads.map((thread) => threadOf(t, thread, comments, action, of(thread.id)))}</ol>`
}
<h3>${t('site.comments.add')}</h3>
${newForm(t, action, paragraphs, of(''))}
<p class="note">${t('site.comments.privacy')}</p>
</section>
`
}

interface Given {
  readonly form: CommentForm
  readonly problems: readonly FieldProblem[]
}

function threadOf(t: Translator, thread: LinkComment, all: readonly LinkComment[], action: string, given: Given): Html {
  const { id, quote, replacement, resolved_at, outcome } = thread
  const replies = all.filter(({ thread_id }) => thread_id === id)
  return html`<li id="comment-${id}">
${quote !== null && html`<blockquote dir="auto">${shortened(quote, 300)}</blockquote>`}
${said(t, thread)}
${
  replacement !== null &&
  html`<p class="suggested">${t('site.comments.suggestion')}</p>
<blockquote class="replacement" dir="auto">${replacement}</blockquote>`
}
${resolved_at && html`<p class="state">${t('site.comments.resolved', { outcome: outcome ?? 'other' })}</p>`}
${replies.map((reply) => html`<div class="reply">${said(t, reply)}</div>\n`)}
<details${given.problems.length > 0 && html` open`}>
<summary>${t('site.comments.reply')}</summary>
<form method="post" action="${action}#comments">
${summaryOf(t, given.problems, id)}
<input type="hidden" name="thread" value="${id}">
${nameField(t, given, `-${id}`)}
${commentField(t, given, `-${id}`, 3)}
${honeypot(t)}
<button>${t('site.comments.send_reply')}</button>
</form>
</details>
</li>
`
}

const said = (t: Translator, { name, body, created_at, made_by }: LinkComment): Html =>
  html`<p class="by"><bdi>${name ?? t('site.comments.no_name')}</bdi>${made_by === 'writer' && html` <span>${t('site.comments.writer')}</span>`} <time datetime="${created_at.toISOString()}">${t.date(created_at, { dateStyle: 'medium' })}</time></p>
${body !== '' && html`<p class="said" dir="auto">${body}</p>`}`

const shortened = (text: string, length: number): string => {
  const signs = [...text]
  return signs.length > length ? `${signs.slice(0, length).join('').trimEnd()}…` : text
}

function newForm(t: Translator, action: string, paragraphs: readonly Paragraph[], given: Given): Html {
  const { form, problems } = given
  // A key for each text; of two paragraphs with the same words the first is meant.
  const distinct = new Map(paragraphs.toReversed().map((paragraph) => [paragraph.key, paragraph]))
  const choices = paragraphs.filter((paragraph) => distinct.get(paragraph.key) === paragraph)
  return html`<form method="post" action="${action}#comments">
${summaryOf(t, problems, '')}
${nameField(t, given, '')}
<p class="field">
<label for="passage">${t('site.comments.passage')}</label>
<select id="passage" name="passage"${described(problems, 'passage', '')}>
<option value="">${t('site.comments.whole')}</option>
${choices.map(({ key, text }) => html`<option value="${key}"${form.passage === key && html` selected`}>${shortened(text.replace(/\s+/g, ' '), 90)}</option>\n`)}</select>
</p>
${problemOf(t, problems, 'passage', '')}
<p class="field">
<label for="words">${t('site.comments.words')}</label>
<span id="words-hint">${t('site.comments.words_hint')}</span>
<textarea id="words" name="words" rows="2" dir="auto"${described(problems, 'words', '', 'words-hint')}>
${form.words}</textarea>
</p>
${problemOf(t, problems, 'words', '')}
${commentField(t, given, '', 4)}
<p class="field">
<label for="replacement">${t('site.comments.replacement')}</label>
<span id="replacement-hint">${t('site.comments.replacement_hint')}</span>
<textarea id="replacement" name="replacement" rows="3" maxlength="${longest.replacement}" dir="auto"${described(problems, 'replacement', '', 'replacement-hint')}>
${form.replacement}</textarea>
</p>
${problemOf(t, problems, 'replacement', '')}
${honeypot(t)}
<button>${t('site.comments.send')}</button>
</form>`
}

const nameField = (t: Translator, { form, problems }: Given, id: string): Html => html`<p class="field">
<label for="name${id}">${t('site.comments.name')}</label>
<input id="name${id}" name="name" value="${form.name}" required maxlength="${longest.name}" autocomplete="name" dir="auto"${described(problems, 'name', id)}>
</p>
${problemOf(t, problems, 'name', id)}`

// HTML ignores the first line break inside a textarea.
const commentField = (
  t: Translator,
  { form, problems }: Given,
  id: string,
  rows: number,
): Html => html`<p class="field">
<label for="comment${id}">${t('site.comments.comment')}</label>
<textarea id="comment${id}" name="comment" rows="${rows}" maxlength="${longest.body}" dir="auto"${described(problems, 'comment', id)}>
${form.comment}</textarea>
</p>
${problemOf(t, problems, 'comment', id)}`

type Field = 'name' | 'passage' | 'words' | 'comment' | 'replacement'

const advice: Readonly<Record<Field, (t: Translator, problem: FieldProblem) => string>> = {
  name: (t, problem) => (problem.code === 'too_long' ? tooLong(t, problem) : t('site.comments.problem.name')),
  passage: (t, { code }) =>
    t(code === 'missing' ? 'site.comments.problem.no_passage' : 'site.comments.problem.passage'),
  words: (t) => t('site.comments.problem.words'),
  comment: (t, problem) => (problem.code === 'too_long' ? tooLong(t, problem) : t('site.comments.problem.comment')),
  replacement: (t, problem) => tooLong(t, problem),
}

const tooLong = (t: Translator, { limit = 0, actual = 0 }: FieldProblem): string =>
  t('site.report.text_too_long', { limit, actual })

const fieldOf = ({ pointer }: FieldProblem): Field | undefined => {
  const name = pointer.slice(1)
  return Object.hasOwn(advice, name) ? (name as Field) : undefined
}

function summaryOf(t: Translator, problems: readonly FieldProblem[], thread: string): Html | undefined {
  if (problems.length === 0) return undefined
  const suffix = thread === '' ? '' : `-${thread}`
  return html`<div class="problems" role="alert">
<p>${t('site.comments.not_sent')}</p>
<ul>
${problems.map((problem) => {
  const field = fieldOf(problem)
  return field
    ? html`<li><a href="#${field}${suffix}">${advice[field](t, problem)}</a></li>\n`
    : html`<li>${t('site.comments.problem.too_many')}</li>\n`
})}</ul>
</div>`
}

const problemIn = (problems: readonly FieldProblem[], field: Field) =>
  problems.find((problem) => fieldOf(problem) === field)

const problemOf = (t: Translator, problems: readonly FieldProblem[], field: Field, id: string): Html | undefined => {
  const problem = problemIn(problems, field)
  return problem && html`<p class="problem" id="${field}${id}-problem">${advice[field](t, problem)}</p>`
}

function described(problems: readonly FieldProblem[], field: Field, id: string, hint?: string): Html | undefined {
  const ids = [hint, problemIn(problems, field) && `${field}${id}-problem`].filter(Boolean).join(' ')
  if (ids === '') return undefined
  return html` aria-describedby="${ids}"${problemIn(problems, field) && html` aria-invalid="true"`}`
}
