import type { SiteInfo } from '#config/site-info.ts'
import { type Follow, type FollowForm, type Frequency, frequencies, type Subject } from '#features/followers/schema.ts'
import type { Urls } from '#features/urls.ts'
import { followConsent, followedName } from '#http/follow-form.ts'
import { honeypot } from '#http/page-layout.ts'
import { inHtml } from '#http/translate.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import type { FieldProblem } from '#platform/errors.ts'
import { type Html, html } from '#platform/html.ts'
import { formPage } from './forms.ts'

/** The pages by which readers follow something by email, change it and stop it. They need no script. */

/** What has just been done, for the page that follows. */
export const changes = ['confirmed', 'changed', 'stopped'] as const
export type Change = (typeof changes)[number]

export interface FollowPages {
  /** `handle` is its address in the fediverse, if it has one. */
  form(subject: Subject, handle: string | undefined, given?: FollowForm, problems?: readonly FieldProblem[]): string
  /** The same whatever is known of the address. Without the subject, if it is gone by now. */
  sent(subject: Subject | undefined): string
  tooMany(subject: Subject): string
  /** What one reader follows. */
  following(token: string, follows: readonly Follow[], change: Change | undefined): string
  /** Of a reader who follows nothing any more, or whose link is too old. */
  nothing(): string
  badLink(): string
  /** Asks before it stops what one email was sent for; says nothing of its reader. */
  stopEmail(token: string): string
  /** `isKnown` if the email is still known. */
  emailStopped(isKnown: boolean): string
}

const blank: FollowForm = { email: '', frequency: 'each' }

export function followPages(siteInfo: SiteInfo, urls: Urls, sender: string): FollowPages {
  const t = translatorOf(siteInfo.language)
  const page = (title: string, main: Html): string =>
    formPage(
      siteInfo,
      urls,
      title,
      html`<h1 dir="auto">${title}</h1>
${main}`,
    )
  const notice = (title: string, ...paragraphs: readonly (string | Html)[]): string =>
    page(title, html`${paragraphs.map((one, at) => html`<p class="${at === 0 ? 'standfirst' : 'note'}">${one}</p>\n`)}`)
  const nameOf = (subject: Subject) => followedName(t, siteInfo, subject)
  const isolated = (subject: Subject) => html`<bdi>${nameOf(subject)}</bdi>`
  const back = (subject: Subject | undefined): Html =>
    subject && subject.kind !== 'site'
      ? html`<a href="${subject.url}">${inHtml(t, 'site.follow.back', { name: isolated(subject) })}</a>`
      : html`<a href="${urls.home()}">${t('site.nav.home')}</a>`

  const otherEmails = t('site.follow.stop_email_help', { link: t('email.follow.change') })

  return {
    form: (subject, handle, given = blank, problems = []) =>
      page(
        t('site.follow.title', { name: nameOf(subject) }),
        html`<p class="standfirst">${followConsent(t, siteInfo, subject)}</p>
${problems.length > 0 && summary(t, problems)}
<form method="post" action="${urls.follow(subject.path)}">
${emailField(t, given, problems)}
${frequencyField(t, given, problems)}
${honeypot(t)}
<button>${t('site.follow.submit')}</button>
</form>
<p class="note">${t('site.follow.privacy')}</p>
<section aria-labelledby="feeds">
<h2 id="feeds">${t('site.follow.feeds_title')}</h2>
<p>${t('site.follow.feeds')}</p>
<dl>
${feedsOf(subject).map(([name, address]) => html`<dt>${name}</dt><dd><a href="${address}">${address}</a></dd>\n`)}</dl>
</section>
${
  handle !== undefined &&
  html`<section aria-labelledby="fediverse">
<h2 id="fediverse">${t('site.follow.fediverse_title')}</h2>
<p><label for="handle">${t('site.follow.fediverse')}</label></p>
<input id="handle" readonly dir="ltr" value="@${handle}">
</section>
`
}<p class="note">${back(subject)}</p>`,
      ),
    sent: (subject) =>
      notice(
        t('site.follow.sent_title'),
        t('site.follow.sent'),
        inHtml(t, 'site.follow.sent_help', { sender: html`<bdi>${sender}</bdi>` }),
        subject
          ? html`<a href="${urls.follow(subject.path)}">${t('site.follow.again')}</a><span class="dot">${back(subject)}</span>`
          : back(subject),
      ),
    tooMany: (subject) =>
      notice(
        t('site.follow.too_many_title'),
        inHtml(t, 'site.follow.too_many', {
          rss: (label) => html`<a href="${subject.feeds.rss}">${label}</a>`,
          json: (label) => html`<a href="${subject.feeds.json}">${label}</a>`,
        }),
        back(subject),
      ),

    following: (token, follows, change) => {
      const address = urls.following(token)
      const [waiting, confirmed] = [false, true].map((isConfirmed) =>
        follows.filter((follow) => follow.isConfirmed === isConfirmed),
      ) as [Follow[], Follow[]]
      return page(
        t('site.follow.following_title', { site: siteInfo.name }),
        html`${change && html`<p class="done" role="status">${t(`site.follow.done.${change}`)}</p>\n`}${
          waiting.length > 0 &&
          html`<section aria-labelledby="waiting">
<h2 id="waiting">${t('site.follow.waiting_title')}</h2>
<p>${t('site.follow.waiting')}</p>
<ul class="follows">
${waiting.map(({ subject, frequency }, at) => html`<li>\n${subjectLine(t, subject, nameOf(subject), `waiting-${at}`, t(`site.follow.frequency.${frequency}`))}\n${removeForm(t, address, subject, `waiting-${at}`)}\n</li>\n`)}</ul>
<form method="post" action="${address}/confirm"><button>${t('site.follow.confirm')}</button></form>
</section>
`
        }${
          confirmed.length > 0 &&
          html`<section aria-labelledby="confirmed">
<h2 id="confirmed">${t('site.follow.confirmed_title')}</h2>
<ul class="follows">
${confirmed.map((follow, at) => html`<li>\n${subjectLine(t, follow.subject, nameOf(follow.subject), `follow-${at}`)}\n${followRow(t, address, follow, `follow-${at}`)}\n</li>\n`)}</ul>
</section>
`
        }${follows.length === 0 && html`<p class="standfirst">${t('site.follow.not_public')}</p>\n`}<section aria-labelledby="stop-all">
<h2 id="stop-all">${t('site.follow.stop_all')}</h2>
<p>${t('site.follow.stop_all_hint')}</p>
<form method="post" action="${address}/stop">
<input type="hidden" name="all" value="yes">
<button class="quiet-button">${t('site.follow.stop_all')}</button>
</form>
</section>
<p class="note">${t('site.follow.keep_link')}</p>`,
      )
    },
    nothing: () =>
      notice(
        t('site.follow.nothing_title', { site: siteInfo.name }),
        t('site.follow.nothing'),
        t('site.follow.nothing_help'),
        back(undefined),
      ),
    badLink: () => notice(t('site.follow.bad_link_title'), t('site.follow.bad_link'), back(undefined)),

    stopEmail: (token) =>
      page(
        t('site.follow.stop_email_title'),
        html`<p class="standfirst">${t('site.follow.stop_email')}</p>
<form method="post" action="${urls.stopEmail(token)}"><input type="hidden" name="page" value="yes"><button>${t('site.follow.stop_email_submit')}</button></form>
<p class="note">${otherEmails}</p>`,
      ),
    emailStopped: (isKnown) =>
      isKnown
        ? notice(t('site.follow.email_stopped_title'), otherEmails)
        : notice(t('site.follow.email_gone_title'), t('site.follow.email_gone'), otherEmails),
  }
}

const feedsOf = ({ feeds }: Subject) =>
  [
    ['RSS', feeds.rss],
    ['JSON Feed', feeds.json],
  ] as const

type Field = keyof FollowForm

const fieldOf = ({ pointer }: FieldProblem): Field => pointer.slice(1) as Field

const advice = (t: Translator, problem: FieldProblem): string => {
  if (fieldOf(problem) === 'frequency') return t('site.follow.frequency_missing')
  return t(problem.code === 'missing' ? 'site.follow.email_missing' : 'site.follow.email_invalid')
}

const anchorOf = (field: Field): string => (field === 'frequency' ? `frequency-${frequencies[0]}` : field)

const summary = (t: Translator, problems: readonly FieldProblem[]): Html =>
  html`<div class="problems" role="alert">
<h2>${t('site.follow.not_sent')}</h2>
<ul>
${problems.map((problem) => html`<li><a href="#${anchorOf(fieldOf(problem))}">${advice(t, problem)}</a></li>\n`)}</ul>
</div>`

const problemOf = (t: Translator, field: Field, problems: readonly FieldProblem[]) => {
  const problem = problems.find((one) => fieldOf(one) === field)
  return problem && html`<p class="problem" id="${field}-problem">${advice(t, problem)}</p>`
}

function emailField(t: Translator, { email }: FollowForm, problems: readonly FieldProblem[]): Html {
  const problem = problemOf(t, 'email', problems)
  return html`<p class="field">
<label for="email">${t('site.follow.email_label')}</label>
<input type="email" id="email" name="email" value="${email}" required maxlength="254" autocomplete="email"${problem && html` aria-describedby="email-problem" aria-invalid="true"`}>
</p>
${problem}`
}

function frequencyField(t: Translator, { frequency }: FollowForm, problems: readonly FieldProblem[]): Html {
  const problem = problemOf(t, 'frequency', problems)
  const choices = frequencies.map(
    (one) => html`<p class="choice">
<input type="radio" name="frequency" id="frequency-${one}" value="${one}" required${frequency === one && html` checked`} aria-describedby="${one}-meaning">
<label for="frequency-${one}">${t(`site.follow.frequency.${one}`)}</label> <span id="${one}-meaning">${t(`site.follow.frequency_hint.${one}`)}</span>
</p>
`,
  )
  return html`<fieldset${problem && html` aria-describedby="frequency-problem"`}>
<legend>${t('site.follow.frequency_label')}</legend>
${problem}${choices}</fieldset>`
}

/** "Section: Ideas", with a link to it. */
const subjectLine = (t: Translator, { kind, url }: Subject, name: string, id: string, more?: string): Html =>
  html`<p id="${id}"><a href="${url}">${inHtml(t, 'site.follow.subject', { kind, name: html`<bdi>${name}</bdi>` })}</a>${more && html`<span class="dot">${more}</span>`}</p>`

const subjectField = ({ key }: Subject): Html => html`<input type="hidden" name="subject" value="${key}">`

const removeForm = (t: Translator, address: string, subject: Subject, id: string): Html =>
  html`<form method="post" action="${address}/stop">
${subjectField(subject)}
<button class="quiet-button" aria-describedby="${id}">${t('site.follow.remove')}</button>
</form>`

const followRow = (t: Translator, address: string, { subject, frequency }: Follow, id: string): Html =>
  html`<form method="post" action="${address}/change">
${subjectField(subject)}
<label class="hidden" for="${id}-frequency">${t('site.follow.frequency_label')}</label>
<select id="${id}-frequency" name="frequency" aria-describedby="${id}">
${frequencies.map((one: Frequency) => html`<option value="${one}"${one === frequency && html` selected`}>${t(`site.follow.frequency.${one}`)}</option>\n`)}</select>
<button class="quiet-button" aria-describedby="${id}">${t('site.follow.save')}</button>
<button class="quiet-button" formaction="${address}/stop" aria-describedby="${id}">${t('site.follow.stop')}</button>
</form>`
