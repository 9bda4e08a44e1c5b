import Type, { type Static, type TProperties } from 'typebox'
import { Check } from 'typebox/value'
import { scheduleProblems } from '#features/schedule-problems.ts'
import type { Translator } from '#messages/translator.ts'
import { accountEmails } from './account-emails.ts'
import {
  accountUrl,
  type Email,
  editPieceUrl,
  formatTime,
  Headline,
  KeyPrefix,
  layOutEmail,
  onlinePresenceUrl,
  PieceId,
  profileUrl,
  publicPieceUrl,
  Quoted,
  type Site,
  shorten,
  type Template,
  Time,
  template,
  webhookUrl,
} from './layout.ts'
import { decisionEmails, reporterEmails } from './moderation-emails.ts'

/**
 * Every email the site sends. A job names a template and its parameters, whose schemas leave no space for prose: anyone
 * who can add a job still cannot make the site say anything else. Templates that quote people cannot be queued.
 */

/** At most this many headlines are named in an email. */
export const maxHeadlines = 5

const templates = {
  ...accountEmails,
  ...decisionEmails,
  ...reporterEmails,

  'drafts-by-key': template(
    {
      count: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      headlines: Type.Array(Headline, { minItems: 1, maxItems: maxHeadlines }),
    },
    ({ count, headlines }, site, t) => ({
      subject: t('email.drafts.subject', { count, headline: shorten(headlines[0]!) }),
      before: [
        t('email.drafts.intro', { count, site: site.name }),
        ...headlines.map((text) => t('email.quote', { text })),
        ...(count > headlines.length ? [t('email.drafts.more', { count: count - headlines.length })] : []),
      ],
      action: { label: t('email.drafts.action', { count }), url: `${site.base}/desk?status=draft` },
      after: [
        t('email.drafts.unexpected', { url: onlinePresenceUrl(site) }),
        t('email.drafts.turn_off', { url: accountUrl(site) }),
      ],
    }),
  ),

  comments: template(
    {
      piece: PieceId,
      headline: Headline,
      reader: Type.Enum(['writer', 'co_author', 'moderator']),
      count: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      /** Without those of moderators. */
      names: Type.Array(Quoted, { maxItems: 4 }),
    },
    ({ piece, headline, reader, count, names }, site, t) => ({
      subject: t('email.comments.subject', { headline: shorten(headline) }),
      before: [
        t('email.comments.intro', { count, headline, site: site.name }),
        ...(names.length > 0 ? [t('email.comments.from', { names: t.list(names) })] : []),
      ],
      action: {
        label: t('email.comments.action'),
        url: {
          writer: editPieceUrl(site, piece),
          co_author: `${site.base}/desk/co-authors/${piece}`,
          moderator: `${site.base}/desk/review/${piece}`,
        }[reader],
      },
      after: [t('email.comments.next', { url: accountUrl(site) })],
    }),
  ),

  'translation-asked': template(
    { original_headline: Headline, headline: Headline, translator: Quoted },
    ({ original_headline, headline, translator }, site, t) => ({
      subject: t('email.translation_asked.subject', { headline: shorten(original_headline) }),
      before: [
        t('email.translation_asked.intro', { translator, headline: original_headline, site: site.name }),
        t('email.quote', { text: headline }),
      ],
      action: { label: t('email.translation_asked.action'), url: `${site.base}/desk/translations` },
      after: [t('email.translation_asked.next')],
    }),
  ),

  'translation-answered': template(
    { piece: PieceId, original_headline: Headline, headline: Headline, answer: Type.Enum(['agreed', 'declined']) },
    ({ piece, original_headline, headline, answer }, site, t) => ({
      subject: t('email.translation_answered.subject', { answer, headline: shorten(headline) }),
      before: [
        t('email.translation_answered.intro', { answer, headline, original: original_headline, site: site.name }),
      ],
      action: { label: t('email.translation_answered.action'), url: editPieceUrl(site, piece) },
      after: [t('email.translation_answered.next', { answer })],
    }),
  ),

  'co-author-invited': template({ headline: Headline, writer: Quoted }, ({ headline, writer }, site, t) => ({
    subject: t('email.co_author_invited.subject', { writer: shorten(writer), headline: shorten(headline) }),
    before: [t('email.co_author_invited.intro', { writer, site: site.name }), t('email.quote', { text: headline })],
    action: { label: t('email.co_author_invited.action'), url: `${site.base}/desk/co-authors` },
    after: [t('email.co_author_invited.next')],
  })),

  'co-author-answered': template(
    { piece: PieceId, headline: Headline, name: Quoted, answer: Type.Enum(['agreed', 'declined', 'withdrawn']) },
    ({ piece, headline, name, answer }, site, t) => ({
      subject: t('email.co_author_answered.subject', { answer, name: shorten(name), headline: shorten(headline) }),
      before: [t('email.co_author_answered.intro', { answer, name, headline, site: site.name })],
      action: { label: t('email.co_author_answered.action'), url: editPieceUrl(site, piece) },
      after: [t('email.co_author_answered.next', { answer })],
    }),
  ),

  'schedule-published': template({ piece: PieceId, headline: Headline }, ({ piece, headline }, site, t) => ({
    subject: t('email.schedule_published.subject', { headline: shorten(headline) }),
    before: [t('email.schedule_published.intro', { site: site.name, headline })],
    action: { label: t('email.approved.action'), url: publicPieceUrl(site, piece) },
    after: [t('email.approved.edit', { url: editPieceUrl(site, piece) })],
  })),

  'schedule-void': template(
    { piece: PieceId, headline: Headline, reason: Type.Enum([...scheduleProblems]), at: Time },
    ({ piece, headline, reason, at }, site, t) => ({
      subject: t('email.schedule_void.subject', { headline: shorten(headline) }),
      before: [
        t('email.schedule_void.intro', { site: site.name, headline, when: formatTime(t, at) }),
        t('email.schedule_void.reason', { reason }),
      ],
      action: { label: t('email.schedule_void.action'), url: `${editPieceUrl(site, piece)}/publish` },
      after: [t('email.schedule_void.next')],
    }),
  ),

  'key-minted': template({ key: KeyPrefix, at: Time }, ({ key, at }, site, t) => ({
    subject: t('email.key_created.subject', { site: site.name }),
    before: [t('email.key_created.intro', { key, when: formatTime(t, at) })],
    action: { label: t('email.key_created.action'), url: onlinePresenceUrl(site) },
    after: [t('email.key_created.not_you')],
  })),

  'key-leaked': template({ key: KeyPrefix, at: Time }, ({ key, at }, site, t) => ({
    subject: t('email.key_leaked.subject'),
    before: [t('email.key_leaked.intro', { key, site: site.name, when: formatTime(t, at) })],
    action: { label: t('email.key_leaked.action'), url: onlinePresenceUrl(site) },
    after: [
      t('email.key_leaked.clean_up'),
      t('email.key_leaked.check', { drafts: `${site.base}/desk?by=key`, trash: `${site.base}/desk/trash` }),
    ],
  })),

  'webhook-warning': template({ at: Time }, ({ at }, site, t) => ({
    subject: t('email.webhook_warning.subject'),
    before: [t('email.webhook_warning.intro', { when: formatTime(t, at) })],
    action: { label: t('email.webhook_warning.action'), url: webhookUrl(site) },
    after: [t('email.webhook_warning.next')],
  })),

  'webhook-failing': template({ at: Time }, ({ at }, site, t) => ({
    subject: t('email.webhook_off.subject'),
    before: [t('email.webhook_off.failing', { when: formatTime(t, at) })],
    action: { label: t('email.webhook_off.action'), url: webhookUrl(site) },
    after: [t('email.webhook_off.failing_next')],
  })),

  'webhook-gone': template({ at: Time }, ({ at }, site, t) => ({
    subject: t('email.webhook_off.subject'),
    before: [t('email.webhook_off.gone', { when: formatTime(t, at) })],
    action: { label: t('email.webhook_off.action'), url: webhookUrl(site) },
    after: [t('email.webhook_off.gone_next')],
  })),

  'identity-verified': template({ at: Time }, ({ at }, site, t) => ({
    subject: t('email.verified.subject'),
    before: [t('email.verified.intro', { site: site.name, when: formatTime(t, at) })],
    action: { label: t('email.view_profile'), url: profileUrl(site) },
    after: [t('email.verified.name')],
  })),

  'identity-withdrawn': template({ at: Time }, ({ at }, site, t) => ({
    subject: t('email.unverified.subject'),
    before: [t('email.unverified.intro', { site: site.name, when: formatTime(t, at) })],
    action: { label: t('email.view_profile'), url: profileUrl(site) },
    after: [t('email.contact_site')],
  })),
}

type Templates = typeof templates
export type EmailKind = keyof Templates
export type EmailParams = { [Kind in EmailKind]: Static<Templates[Kind]['params']> }

/** An email to render: its template and parameters. */
export type EmailOrder = {
  readonly [Kind in EmailKind]: { readonly template: Kind; readonly params: Readonly<EmailParams[Kind]> }
}[EmailKind]

export const emailKinds = Object.keys(templates) as EmailKind[]

/** Templates that quote people: the text comes from the database, and no job can carry it. */
const otherQuotingKinds = [
  'writer-suspended',
  'drafts-by-key',
  'comments',
  'schedule-published',
  'schedule-void',
  'co-author-invited',
  'co-author-answered',
  'translation-asked',
  'translation-answered',
] as const
type QuotingKind = keyof typeof decisionEmails | (typeof otherQuotingKinds)[number]
const quotingKinds: readonly string[] = [...Object.keys(decisionEmails), ...otherQuotingKinds]

/** Emails that can be queued as a job. */
export type QueuedEmail = Exclude<EmailOrder, { template: QuotingKind }>
export const queuedKinds = emailKinds.filter((kind) => !quotingKinds.includes(kind))

/** Undefined for an unknown template or invalid parameters. */
export function renderEmail(
  order: { template: string; params: unknown },
  site: Site,
  t: Translator,
): Email | undefined {
  if (!Object.hasOwn(templates, order.template)) return undefined
  const { params, write } = templates[order.template as EmailKind] as unknown as Template<TProperties>
  if (!Check(params, order.params)) return undefined
  return layOutEmail(write(order.params, site, t), site, t)
}
