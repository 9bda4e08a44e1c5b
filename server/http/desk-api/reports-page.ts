import type { SiteInfo } from '#config/site-info.ts'
import { categoryWords, type ReportReason, reportReasons } from '#features/moderation/categories.ts'
import {
  longestName,
  longestNote,
  type Reportable,
  type ReportForm,
  type Subject,
} from '#features/moderation/schema.ts'
import type { Urls } from '#features/urls.ts'
import { document } from '#http/page-layout.ts'
import type { FieldProblem } from '#platform/errors.ts'
import { type Html, html } from '#platform/html.ts'

/** The "Report this piece" and "Report this listing" pages. They need no script. */

export const reportPath = ({ kind, id }: Subject): string =>
  kind === 'piece' ? `/desk/report/${id}` : `/desk/report/listing/${id}`

export interface ReportPages {
  form(about: Reportable, given?: ReportForm, problems?: readonly FieldProblem[]): string
  /** Links back to the subject, unless it is gone. */
  thanks(about: Reportable | undefined): string
  tooMany(about: Reportable, words: string): string
}

/** Hints shown instead of the reason's usual explanation. */
const reasonHints: Partial<Record<ReportReason, string>> = {
  illegal: 'It breaks a law. We ask why, and where exactly.',
  other: 'Tell us below.',
}

const blank: ReportForm = { reason: '', note: '', email: '', place: '', name: '', good_faith: '' }

export function reportPages(siteInfo: SiteInfo, urls: Urls): ReportPages {
  const page = (title: string, main: Html): string =>
    document(
      siteInfo,
      urls,
      { title, robots: 'noindex' },
      html`<link rel="stylesheet" href="/desk/report.css">
<div class="report column">
${main}
</div>`,
    )
  const back = (about: Reportable | undefined): Html =>
    about
      ? html`<p class="note"><a href="${about.url}">Back to the ${about.kind}</a></p>`
      : html`<p class="note"><a href="${urls.home()}">Front page</a></p>`

  return {
    form: (about, given = blank, problems = []) =>
      page(
        `Report this ${about.kind}`,
        html`<h1>Report this ${about.kind}</h1>
<p class="standfirst"><a href="${about.url}"><cite${about.locale && html` lang="${about.locale}"`} dir="auto">${about.headline}</cite></a> by <bdi>${about.writer}</bdi></p>
<p>A moderator reads every report. The writer does not learn who sent it.</p>
${problems.length > 0 && summary(problems, about)}
<form method="post" action="${reportPath(about)}">
${reasonField(given, problems, about)}
${noteField(given, problems)}
${illegalFields(given, problems)}
${emailField(given, problems)}
<p hidden><label>Leave this empty <input name="website" tabindex="-1" autocomplete="off"></label></p>
<button>Send the report</button>
</form>
<p class="note">We keep what you write here. Of your network address we keep only a hash, whose key is thrown away each day.</p>`,
      ),
    thanks: (about) =>
      page(
        'Thank you',
        html`<h1>Thank you</h1>
<p class="standfirst">Your report is with the moderators. One of them will look at it; if you left an email address, we tell you there what was decided.</p>
${back(about)}`,
      ),
    tooMany: (about, words) =>
      page(
        'We have heard you',
        html`<h1>We have heard you</h1>
<p class="standfirst">${words}</p>
${back(about)}`,
      ),
  }
}

type Field = keyof ReportForm

/** Error messages for the person who filled in the form. */
const advice: Readonly<Record<Field, (problem: FieldProblem, what: string) => string>> = {
  reason: (_, what) => `Choose what is wrong with the ${what}.`,
  note: ({ code, detail, ...length }) =>
    code === 'too_long'
      ? shorten('words', length)
      : detail.includes('illegal')
        ? 'Say why it is illegal.'
        : 'Say in a few words what is wrong.',
  place: ({ code, ...length }) =>
    code === 'too_long' ? shorten('words', length) : 'Say where exactly it is, or that it is all of it.',
  name: (problem) => shorten('name', problem),
  email: ({ code }) =>
    code === 'missing'
      ? 'Give your email address too, or leave out your name.'
      : 'This is no e-mail address. Correct it, or leave the field empty.',
  good_faith: () => 'Confirm that you believe this to be true and complete.',
}

const shorten = (what: string, { limit, actual }: Pick<FieldProblem, 'limit' | 'actual'>): string =>
  `Shorten your ${what} to ${limit?.toLocaleString('en')} characters; they have ${actual?.toLocaleString('en')}.`

const fieldOf = ({ pointer }: FieldProblem): Field => pointer.slice(1) as Field
/** The anchor of a field; for the reasons, the first radio button. */
const anchorOf = (field: Field): string => (field === 'reason' ? `reason-${reportReasons[0]}` : field)

const summary = (problems: readonly FieldProblem[], { kind }: Subject): Html =>
  html`<div class="problems" role="alert">
<h2>The report was not sent yet</h2>
<ul>
${problems.map((problem) => html`<li><a href="#${anchorOf(fieldOf(problem))}">${advice[fieldOf(problem)](problem, kind)}</a></li>\n`)}</ul>
</div>`

const problemOf = (field: Field, problems: readonly FieldProblem[]): FieldProblem | undefined =>
  problems.find((problem) => fieldOf(problem) === field)

const problemText = (field: Field, problem: FieldProblem | undefined, kind = ''): Html | undefined =>
  problem && html`<p class="problem" id="${field}-problem">${advice[field](problem, kind)}</p>`

/** Attributes that link the field to its hint and error. */
const described = (hint: string, field: Field, problem: FieldProblem | undefined): Html =>
  problem ? html` aria-describedby="${hint} ${field}-problem" aria-invalid="true"` : html` aria-describedby="${hint}"`

function reasonField({ reason }: ReportForm, problems: readonly FieldProblem[], { kind }: Subject): Html {
  const problem = problemOf('reason', problems)
  const choices = reportReasons.map((one) => {
    const [what, meaning] = categoryWords[one]
    return html`<p class="choice">
<input type="radio" name="reason" id="reason-${one}" value="${one}" required${reason === one && html` checked`} aria-describedby="${one}-meaning">
<label for="reason-${one}">${what}</label> <span id="${one}-meaning">${reasonHints[one] ?? meaning}</span>
</p>
`
  })
  return html`<fieldset${problem && html` aria-describedby="reason-problem"`}>
<legend>What is wrong with it?</legend>
${problemText('reason', problem, kind)}
${choices}</fieldset>`
}

function noteField({ note }: ReportForm, problems: readonly FieldProblem[]): Html {
  const problem = problemOf('note', problems)
  // HTML ignores the first line break inside a textarea.
  return html`<p class="field">
<label for="note">What should we look at?</label>
<span id="note-hint">The sentence, the original, what you know. Of illegal content: why it is illegal, and by which law if you know. At most ${longestNote.toLocaleString('en')} characters.</span>
<textarea id="note" name="note" rows="6" maxlength="${longestNote}" dir="auto"${described('note-hint', 'note', problem)}>
${note}</textarea>
</p>
${problemText('note', problem)}`
}

/**
 * The fields of a notice of illegal content (Regulation (EU) 2022/2065, article 16). Shown only while that reason is
 * selected.
 */
function illegalFields(given: ReportForm, problems: readonly FieldProblem[]): Html {
  const [place, name, faith] = (['place', 'name', 'good_faith'] as const).map((field) => problemOf(field, problems))
  return html`<fieldset class="illegal">
<legend>About the illegal content</legend>
<p class="field">
<label for="place">Where exactly is it?</label>
<span id="place-hint">The sentence, the picture, or that it is all of it.</span>
<textarea id="place" name="place" rows="3" maxlength="${longestNote}" dir="auto"${described('place-hint', 'place', place)}>
${given.place}</textarea>
</p>
${problemText('place', place)}
<p class="field">
<label for="name">Your name</label>
<span id="name-hint">Only if you like. Moderators see it; the writer does not. It is deleted with your email address.</span>
<input id="name" name="name" value="${given.name}" maxlength="${longestName}" autocomplete="name" dir="auto"${described('name-hint', 'name', name)}>
</p>
${problemText('name', name)}
<p class="choice">
<input type="checkbox" name="good_faith" id="good_faith" value="yes"${given.good_faith !== '' && html` checked`}${faith && html` aria-describedby="good_faith-problem" aria-invalid="true"`}>
<label for="good_faith">I believe in good faith that what I say here is true and complete.</label>
</p>
${problemText('good_faith', faith)}
</fieldset>`
}

function emailField({ email }: ReportForm, problems: readonly FieldProblem[]): Html {
  const problem = problemOf('email', problems)
  return html`<p class="field">
<label for="email">Your email address</label>
<span id="email-hint">Only if you would like an answer. It is used for that email and then deleted.</span>
<input type="email" id="email" name="email" value="${email}" maxlength="254" autocomplete="email"${described('email-hint', 'email', problem)}>
</p>
${problemText('email', problem)}`
}
