import {
  longestNote,
  type ReportablePiece,
  type ReportForm,
  type ReportReason,
  reportReasons,
} from '#features/moderation/reports-schema.ts'
import type { FieldProblem } from '#platform/errors.ts'
import { type Html, html } from '#platform/html.ts'
import type { Masthead } from '#platform/masthead.ts'
import { document } from '#platform/page/document.ts'
import type { Urls } from '#platform/urls.ts'

/** "Report this piece", as pages that need no script. */

export const reportPath = (id: string): string => `/desk/report/${id}`

export interface ReportPages {
  form(piece: ReportablePiece, given?: ReportForm, problems?: readonly FieldProblem[]): string
  /** The piece is there to go back to, unless it has gone meanwhile. */
  thanks(piece: ReportablePiece | undefined): string
  enough(piece: ReportablePiece, words: string): string
}

const words: Readonly<Record<ReportReason, readonly [what: string, meaning: string]>> = {
  spam: ['Spam', 'It sells something, farms links or says the same again and again.'],
  harassment: ['Harassment or hate', 'It attacks a person, or people for what they are.'],
  copyright: ['Copyright', 'It is somebody else’s work.'],
  impersonation: ['Impersonation', 'Its writer pretends to be somebody else.'],
  danger: ['Dangerous or illegal', 'It could hurt somebody, or breaks the law.'],
  other: ['Something else', 'Tell us below.'],
}

const blank: ReportForm = { reason: '', note: '', email: '' }

export function reportPages(masthead: Masthead, urls: Urls): ReportPages {
  const page = (title: string, main: Html): string =>
    document(
      masthead,
      urls,
      { title, robots: 'noindex' },
      html`<link rel="stylesheet" href="/desk/report.css">
<div class="report column">
${main}
</div>`,
    )
  const back = (piece: ReportablePiece | undefined): Html =>
    piece
      ? html`<p class="note"><a href="${piece.url}">Back to the piece</a></p>`
      : html`<p class="note"><a href="${urls.home()}">Front page</a></p>`

  return {
    form: (piece, given = blank, problems = []) =>
      page(
        'Report this piece',
        html`<h1>Report this piece</h1>
<p class="standfirst"><a href="${piece.url}"><cite lang="${piece.locale}" dir="auto">${piece.headline}</cite></a> by <bdi>${piece.writer}</bdi></p>
<p>A moderator reads every report. The writer does not learn who sent it.</p>
${problems.length > 0 && summary(problems)}
<form method="post" action="${reportPath(piece.id)}">
${reasonField(given, problems)}
${noteField(given, problems)}
${emailField(given, problems)}
<p hidden><label>Leave this empty <input name="website" tabindex="-1" autocomplete="off"></label></p>
<button>Send the report</button>
</form>
<p class="note">We keep what you write here. Of your network address we keep only a hash, whose key is thrown away each day.</p>`,
      ),
    thanks: (piece) =>
      page(
        'Thank you',
        html`<h1>Thank you</h1>
<p class="standfirst">Your report is with the moderators. One of them will look at the piece; if you left an e-mail address, a letter says there what was decided.</p>
${back(piece)}`,
      ),
    enough: (piece, words) =>
      page(
        'We have heard you',
        html`<h1>We have heard you</h1>
<p class="standfirst">${words}</p>
${back(piece)}`,
      ),
  }
}

type Field = keyof ReportForm

/** In words for the one who filled it in. */
const advice: Readonly<Record<Field, (problem: FieldProblem) => string>> = {
  reason: () => 'Choose what is wrong with the piece.',
  note: ({ code, actual }) =>
    code === 'too_long'
      ? `Shorten your words to ${longestNote.toLocaleString('en')} characters; they have ${actual?.toLocaleString('en')}.`
      : 'Say in a few words what is wrong.',
  email: () => 'This is no e-mail address. Correct it, or leave the field empty.',
}

const fieldOf = ({ pointer }: FieldProblem): Field => pointer.slice(1) as Field
/** Where a link to the field leads: the first of the reasons, for those. */
const placeOf: Readonly<Record<Field, string>> = { reason: `reason-${reportReasons[0]}`, note: 'note', email: 'email' }

const summary = (problems: readonly FieldProblem[]): Html =>
  html`<div class="problems" role="alert">
<h2>The report was not sent yet</h2>
<ul>
${problems.map((problem) => html`<li><a href="#${placeOf[fieldOf(problem)]}">${advice[fieldOf(problem)](problem)}</a></li>\n`)}</ul>
</div>`

const problemOf = (field: Field, problems: readonly FieldProblem[]): FieldProblem | undefined =>
  problems.find((problem) => fieldOf(problem) === field)

const told = (field: Field, problem: FieldProblem | undefined): Html | undefined =>
  problem && html`<p class="problem" id="${field}-problem">${advice[field](problem)}</p>`

/** Names what describes the field, and that it is wrong. */
const described = (hint: string, field: Field, problem: FieldProblem | undefined): Html =>
  problem ? html` aria-describedby="${hint} ${field}-problem" aria-invalid="true"` : html` aria-describedby="${hint}"`

function reasonField({ reason }: ReportForm, problems: readonly FieldProblem[]): Html {
  const problem = problemOf('reason', problems)
  const choices = reportReasons.map((one) => {
    const [what, meaning] = words[one]
    return html`<p class="choice">
<input type="radio" name="reason" id="reason-${one}" value="${one}" required${reason === one && html` checked`} aria-describedby="${one}-meaning">
<label for="reason-${one}">${what}</label> <span id="${one}-meaning">${meaning}</span>
</p>
`
  })
  return html`<fieldset${problem && html` aria-describedby="reason-problem"`}>
<legend>What is wrong with it?</legend>
${told('reason', problem)}
${choices}</fieldset>`
}

function noteField({ note }: ReportForm, problems: readonly FieldProblem[]): Html {
  const problem = problemOf('note', problems)
  // The first line break inside the element is not part of its text.
  return html`<p class="field">
<label for="note">What should we look at?</label>
<span id="note-hint">If you like: the sentence, the original, what you know. At most ${longestNote.toLocaleString('en')} characters.</span>
<textarea id="note" name="note" rows="6" maxlength="${longestNote}" dir="auto"${described('note-hint', 'note', problem)}>
${note}</textarea>
</p>
${told('note', problem)}`
}

function emailField({ email }: ReportForm, problems: readonly FieldProblem[]): Html {
  const problem = problemOf('email', problems)
  return html`<p class="field">
<label for="email">Your e-mail address</label>
<span id="email-hint">Only if you would like an answer. It is used for that letter and then deleted.</span>
<input type="email" id="email" name="email" value="${email}" maxlength="254" autocomplete="email"${described('email-hint', 'email', problem)}>
</p>
${told('email', problem)}`
}
