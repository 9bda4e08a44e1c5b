import Type, { type Static, type TProperties } from 'typebox'
import { Check } from 'typebox/value'
import { accountEmails } from './account-emails.ts'
import {
  accountUrl,
  type Email,
  editPieceUrl,
  formatTime,
  KeyPrefix,
  layOutEmail,
  onlinePresenceUrl,
  PieceId,
  profileUrl,
  publicPieceUrl,
  type Site,
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

const templates = {
  ...accountEmails,
  ...decisionEmails,
  ...reporterEmails,

  'drafts-by-key': template(
    { count: Type.Integer({ minimum: 1, maximum: 1_000_000 }) },
    ({ count }, { name, base }) => ({
      subject: count === 1 ? 'A draft is waiting for you' : `${count} drafts are waiting for you`,
      before: [
        `One of your API keys made ${count === 1 ? 'a draft' : `${count} drafts`} for you at ${name}. Nobody else can see ${count === 1 ? 'it' : 'them'}: only you publish, at the desk.`,
      ],
      action: { label: count === 1 ? 'Read the draft' : 'Read the drafts', url: `${base}/desk?status=draft` },
      after: [
        `If no program of yours should be writing, revoke the key: ${onlinePresenceUrl({ name, base })}`,
        `We write about this once an hour at most. You can turn it off: ${accountUrl({ name, base })}`,
      ],
    }),
  ),

  'key-minted': template({ key: KeyPrefix, at: Time }, ({ key, at }, site) => ({
    subject: `A new API key for your account at ${site.name}`,
    before: [
      `An API key that begins with ${key} was made on ${formatTime(at)}. Whoever holds it can make drafts in your name, and change those drafts. It cannot publish.`,
    ],
    action: { label: 'See your keys', url: onlinePresenceUrl(site) },
    after: ['If this was not you, revoke the key there and set a new password.'],
  })),

  'key-leaked': template({ key: KeyPrefix, at: Time }, ({ key, at }, site) => ({
    subject: `An API key of yours was found in public and revoked`,
    before: [
      `Your API key that begins with ${key} was reported to ${site.name} as leaked, so we revoked it on ${formatTime(at)}. Whoever finds it now cannot use it, and neither can your own programs.`,
    ],
    action: { label: 'Make a new key', url: onlinePresenceUrl(site) },
    after: [
      'Look for the old key in your repositories, web pages and logs, and keep the new one where only your server can read it.',
      `Until it was revoked, others could use the key: check your drafts (${site.base}/desk?by=key) and the trash (${site.base}/desk/trash). It could not publish.`,
    ],
  })),

  'changes-requested': template({ piece: PieceId }, (params, site) => ({
    subject: 'Your piece needs another look',
    before: [
      `A moderator at ${site.name} has read your piece and asks for changes. Their note is with the piece, at the desk.`,
    ],
    action: { label: 'Read the note', url: editPieceUrl(site, params.piece) },
    after: ['When you have made the changes, send it in again from there.'],
  })),

  approved: template({ piece: PieceId }, (params, site) => ({
    subject: 'Your piece is public',
    before: [`A moderator at ${site.name} has approved your piece. Everyone can read it now.`],
    action: { label: 'See your piece', url: publicPieceUrl(site, params.piece) },
    after: [`You can change or unpublish it at the desk: ${editPieceUrl(site, params.piece)}`],
  })),

  'webhook-warning': template({ at: Time }, ({ at }, site) => ({
    subject: 'Your webhook has been failing for a day',
    before: [
      `The server your webhook calls has not taken a single delivery for a day, as of ${formatTime(at)}. Nothing is lost: we go on trying, less and less often.`,
    ],
    action: { label: 'See what it answered', url: webhookUrl(site) },
    after: ['If it fails for five days, we stop calling it and hold what there is to send for thirty days.'],
  })),

  'webhook-failing': template({ at: Time }, ({ at }, site) => ({
    subject: 'Your webhook is switched off',
    before: [
      `The server your webhook calls has failed for five days, so we stopped calling it on ${formatTime(at)}. What there is to send is held for thirty days.`,
    ],
    action: { label: 'Look at your webhook', url: webhookUrl(site) },
    after: [
      'When the server is well again, send a test from there: an answer switches the webhook on, and you can send what was held.',
    ],
  })),

  'webhook-gone': template({ at: Time }, ({ at }, site) => ({
    subject: 'Your webhook is switched off',
    before: [
      `The server your webhook calls answered 410 Gone on ${formatTime(at)}, which asks us to stop. So we did. What there is to send is held for thirty days.`,
    ],
    action: { label: 'Look at your webhook', url: webhookUrl(site) },
    after: ['If that was not meant, send a test from there: an answer switches the webhook on again.'],
  })),

  'identity-verified': template({ at: Time }, ({ at }, site) => ({
    subject: 'Your identity is verified',
    before: [
      `A moderator at ${site.name} verified your identity on ${formatTime(at)}. Your name carries the mark now, wherever readers meet it.`,
    ],
    action: { label: 'See your profile', url: profileUrl(site) },
    after: ['The mark is for the name you have. If you change your name, it is verified anew.'],
  })),

  'identity-withdrawn': template({ at: Time }, ({ at }, site) => ({
    subject: 'Your identity is no longer verified',
    before: [
      `A moderator at ${site.name} withdrew the mark from your name on ${formatTime(at)}. Your profile and your pieces are as they were.`,
    ],
    action: { label: 'See your profile', url: profileUrl(site) },
    after: ['If you think this is a mistake, write to the site and say why.'],
  })),
}

type Templates = typeof templates
export type EmailKind = keyof Templates
export type EmailParams = { [Kind in EmailKind]: Static<Templates[Kind]['params']> }

/** An email to render: its template and parameters. */
export type EmailOrder = {
  readonly [Kind in EmailKind]: { readonly letter: Kind; readonly params: Readonly<EmailParams[Kind]> }
}[EmailKind]

export const emailKinds = Object.keys(templates) as EmailKind[]

/** Templates that quote people: the text comes from the database, and no job can carry it. */
type QuotingKind = keyof typeof decisionEmails | 'writer-suspended'
/** Emails that can be queued as a job. */
export type QueuedEmail = Exclude<EmailOrder, { letter: QuotingKind }>
export const queuedKinds = emailKinds.filter((kind) => !(kind in decisionEmails) && kind !== 'writer-suspended')

/** Undefined for an unknown template or invalid parameters. */
export function renderEmail(order: { letter: string; params: unknown }, site: Site): Email | undefined {
  if (!Object.hasOwn(templates, order.letter)) return undefined
  const { params, write } = templates[order.letter as EmailKind] as unknown as Template<TProperties>
  if (!Check(params, order.params)) return undefined
  return layOutEmail(write(order.params, site), site)
}
