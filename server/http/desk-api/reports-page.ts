import type { SiteInfo } from '#config/site-info.ts'
import {
  longestName,
  longestNote,
  type Reportable,
  type ReportForm,
  type Subject,
} from '#features/moderation/schema.ts'
import { reportReasons } from '#features/report-reasons.ts'
import type { Urls } from '#features/urls.ts'
import { honeypot } from '#http/page-layout.ts'
import { inHtml } from '#http/translate.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import type { FieldProblem } from '#platform/errors.ts'
import { type Html, html } from '#platform/html.ts'
import { formPage } from './forms.ts'

/** The "Report this piece" and "Report this listing" pages. They need no script. */

export const reportPath = ({ kind, id }: Subject): string =>
  kind === 'piece' ? `/desk/report/${id}` : `/desk/report/listing/${id}`

export interface ReportPages {
  form(about: Reportable, given?: ReportForm, problems?: readonly FieldProblem[]): string
  /** Links back to the subject, unless it is gone. */
  thanks(about: Reportable | undefined): string
  tooMany(about: Reportable): string
}

const blank: ReportForm = { reason: '', note: '', email: '', place: '', name: '', good_faith: '' }

export function reportPages(siteInfo: SiteInfo, urls: Urls): ReportPages {
  const t = translatorOf(siteInfo.language)
  const page = (title: string, main: Html): string => formPage(siteInfo, urls, title, main)
  const back = (about: Reportable | undefined): Html =>
    about
      ? html`<p class="note"><a href="${about.url}">${t('site.report.back', { kind: about.kind })}</a></p>`
      : html`<p class="note"><a href="${urls.home()}">${t('site.nav.home')}</a></p>`
  const notice = (title: string, text: string, about: Reportable | undefined): string =>
    page(
      title,
      html`<h1>${title}</h1>
<p class="standfirst">${text}</p>
${back(about)}`,
    )

  return {
    form: (about, given = blank, problems = []) => {
      const title = t('site.report.title', { kind: about.kind })
      return page(
        title,
        html`<h1>${title}</h1>
<p class="standfirst">${inHtml(t, 'site.report.about', { headline: headlineOf(about), writer: html`<bdi>${about.writer}</bdi>` })}</p>
<p>${t('site.report.intro')}</p>
${problems.length > 0 && summary(t, problems, about)}
<form method="post" action="${reportPath(about)}">
${reasonField(t, given, problems, about)}
${noteField(t, given, problems)}
${illegalFields(t, given, problems)}
${emailField(t, given, problems)}
${honeypot(t)}
<button>${t('site.report.submit')}</button>
</form>
<p class="note">${t('site.report.privacy')}</p>`,
      )
    },
    thanks: (about) => notice(t('site.report.thanks_title'), t('site.report.thanks'), about),
    tooMany: (about) => notice(t('site.report.too_many_title'), t('site.report.too_many', { kind: about.kind }), about),
  }
}

const headlineOf = ({ url, locale, headline }: Reportable): Html =>
  html`<a href="${url}"><cite${locale && html` lang="${locale}"`} dir="auto">${headline}</cite></a>`

type Field = keyof ReportForm

/** Error messages for the person who filled in the form. */
const advice: Readonly<Record<Field, (t: Translator, problem: FieldProblem, kind: Subject['kind']) => string>> = {
  reason: (t, _, kind) => t('site.report.reason_missing', { kind }),
  note: (t, problem) =>
    problem.code === 'too_long'
      ? t('site.report.text_too_long', lengthsOf(problem))
      : t(String(problem.detail).includes('illegal') ? 'site.report.note_illegal_missing' : 'site.report.note_missing'),
  place: (t, problem) =>
    problem.code === 'too_long' ? t('site.report.text_too_long', lengthsOf(problem)) : t('site.report.place_missing'),
  name: (t, problem) => t('site.report.name_too_long', lengthsOf(problem)),
  email: (t, { code }) => t(code === 'missing' ? 'site.report.email_missing' : 'site.report.email_invalid'),
  good_faith: (t) => t('site.report.good_faith_missing'),
}

const lengthsOf = ({ limit = 0, actual = 0 }: FieldProblem) => ({ limit, actual })

const fieldOf = ({ pointer }: FieldProblem): Field => pointer.slice(1) as Field
/** The anchor of a field; for the reasons, the first radio button. */
const anchorOf = (field: Field): string => (field === 'reason' ? `reason-${reportReasons[0]}` : field)

const summary = (t: Translator, problems: readonly FieldProblem[], { kind }: Subject): Html =>
  html`<div class="problems" role="alert">
<h2>${t('site.report.not_sent')}</h2>
<ul>
${problems.map((problem) => html`<li><a href="#${anchorOf(fieldOf(problem))}">${advice[fieldOf(problem)](t, problem, kind)}</a></li>\n`)}</ul>
</div>`

const problemOf = (field: Field, problems: readonly FieldProblem[]): FieldProblem | undefined =>
  problems.find((problem) => fieldOf(problem) === field)

const problemText = (
  t: Translator,
  field: Field,
  problem: FieldProblem | undefined,
  kind: Subject['kind'] = 'piece',
): Html | undefined => problem && html`<p class="problem" id="${field}-problem">${advice[field](t, problem, kind)}</p>`

/** Attributes that link the field to its hint and error. */
const described = (hint: string, field: Field, problem: FieldProblem | undefined): Html =>
  problem ? html` aria-describedby="${hint} ${field}-problem" aria-invalid="true"` : html` aria-describedby="${hint}"`

function reasonField(
  t: Translator,
  { reason }: ReportForm,
  problems: readonly FieldProblem[],
  { kind }: Subject,
): Html {
  const problem = problemOf('reason', problems)
  const choices = reportReasons.map(
    (one) => html`<p class="choice">
<input type="radio" name="reason" id="reason-${one}" value="${one}" required${reason === one && html` checked`} aria-describedby="${one}-meaning">
<label for="reason-${one}">${t(`site.report.reason.${one}`)}</label> <span id="${one}-meaning">${t(`site.report.reason_hint.${one}`)}</span>
</p>
`,
  )
  return html`<fieldset${problem && html` aria-describedby="reason-problem"`}>
<legend>${t('site.report.reason_label')}</legend>
${problemText(t, 'reason', problem, kind)}
${choices}</fieldset>`
}

function noteField(t: Translator, { note }: ReportForm, problems: readonly FieldProblem[]): Html {
  const problem = problemOf('note', problems)
  // HTML ignores the first line break inside a textarea.
  return html`<p class="field">
<label for="note">${t('site.report.note_label')}</label>
<span id="note-hint">${t('site.report.note_hint', { limit: longestNote })}</span>
<textarea id="note" name="note" rows="6" maxlength="${longestNote}" dir="auto"${described('note-hint', 'note', problem)}>
${note}</textarea>
</p>
${problemText(t, 'note', problem)}`
}

/**
 * The fields of a notice of illegal content (Regulation (EU) 2022/2065, article 16). Shown only while that reason is
 * selected.
 */
function illegalFields(t: Translator, given: ReportForm, problems: readonly FieldProblem[]): Html {
  const [place, name, faith] = (['place', 'name', 'good_faith'] as const).map((field) => problemOf(field, problems))
  return html`<fieldset class="illegal">
<legend>${t('site.report.illegal_label')}</legend>
<p class="field">
<label for="place">${t('site.report.place_label')}</label>
<span id="place-hint">${t('site.report.place_hint')}</span>
<textarea id="place" name="place" rows="3" maxlength="${longestNote}" dir="auto"${described('place-hint', 'place', place)}>
${given.place}</textarea>
</p>
${problemText(t, 'place', place)}
<p class="field">
<label for="name">${t('site.report.name_label')}</label>
<span id="name-hint">${t('site.report.name_hint')}</span>
<input id="name" name="name" value="${given.name}" maxlength="${longestName}" autocomplete="name" dir="auto"${described('name-hint', 'name', name)}>
</p>
${problemText(t, 'name', name)}
<p class="choice">
<input type="checkbox" name="good_faith" id="good_faith" value="yes"${given.good_faith !== '' && html` checked`}${faith && html` aria-describedby="good_faith-problem" aria-invalid="true"`}>
<label for="good_faith">${t('site.report.good_faith_label')}</label>
</p>
${problemText(t, 'good_faith', faith)}
</fieldset>`
}

function emailField(t: Translator, { email }: ReportForm, problems: readonly FieldProblem[]): Html {
  const problem = problemOf('email', problems)
  return html`<p class="field">
<label for="email">${t('site.report.email_label')}</label>
<span id="email-hint">${t('site.report.email_hint')}</span>
<input type="email" id="email" name="email" value="${email}" maxlength="254" autocomplete="email"${described('email-hint', 'email', problem)}>
</p>
${problemText(t, 'email', problem)}`
}
