import Type from 'typebox'
import { categories } from '#features/report-reasons.ts'
import type { Translator } from '#messages/translator.ts'
import {
  type EmailContent,
  editPieceUrl,
  formatTime,
  Headline,
  ListingSlug,
  listingUrl,
  PieceId,
  publicPieceUrl,
  Quoted,
  type Site,
  shorten,
  Time,
  template,
} from './layout.ts'

/**
 * Emails about review and moderation. They quote a headline and a moderator's words, so no job carries them as
 * parameters: the worker reads both from the database. Never the body, and nothing about the reporter.
 */

const act = Type.Enum(['take_down', 'reject', 'withhold'])
const outcome = Type.Enum(['upheld', 'reversed'])

const decisionPage = ({ base }: Site, id: string): string => `${base}/desk/decisions/${id}`

export const decisionEmails = {
  'changes-requested': template(
    { piece: PieceId, headline: Headline, note: Quoted },
    ({ piece, headline, note }, site, t) => ({
      subject: t('email.changes_requested.subject', { headline: shorten(headline) }),
      before: [t('email.changes_requested.intro', { site: site.name, headline }), t('email.quote', { text: note })],
      action: { label: t('email.changes_requested.action'), url: editPieceUrl(site, piece) },
      after: [t('email.changes_requested.next')],
    }),
  ),

  approved: template({ piece: PieceId, headline: Headline }, ({ piece, headline }, site, t) => ({
    subject: t('email.approved.subject', { headline: shorten(headline) }),
    before: [t('email.approved.intro', { site: site.name, headline })],
    action: { label: t('email.approved.action'), url: publicPieceUrl(site, piece) },
    after: [t('email.approved.edit', { url: editPieceUrl(site, piece) })],
  })),

  decision: template(
    {
      decision: PieceId,
      act,
      headline: Headline,
      category: Type.Enum([...categories]),
      facts: Quoted,
      by_report: Type.Boolean(),
      until: Time,
    },
    ({ decision, act, headline, category, facts, by_report, until }, site, t) => ({
      subject: t('email.decision.subject', { act, headline: shorten(headline) }),
      before: [
        t('email.decision.intro', { act, site: site.name, headline }),
        t('email.decision.reason', { reason: t(`email.reason.${category}`) }),
        t('email.decision.note', { note: facts }),
        t('email.decision.origin', { reported: by_report ? 'yes' : 'other' }),
      ],
      action: { label: t('email.decision.action'), url: decisionPage(site, decision) },
      after: [t('email.decision.appeal', { when: formatTime(t, until) })],
    }),
  ),

  'decision-reviewed': template(
    { decision: PieceId, act, headline: Headline, outcome, answer: Quoted, was_appealed: Type.Boolean() },
    ({ decision, act, headline, outcome, answer, was_appealed }, site, t) => {
      const about = { headline, site: site.name }
      const reason = t('email.decision_reviewed.reason', { reason: answer })
      const isReversed = outcome === 'reversed'
      const reversed = was_appealed ? 'reversed_on_appeal' : 'reversed'
      return {
        subject: t('email.decision_reviewed.subject', { outcome, headline: shorten(headline) }),
        before: isReversed
          ? [t(`email.decision_reviewed.${reversed}`, about), reason, t('email.decision_reviewed.now', { act })]
          : [t('email.decision_reviewed.upheld', about), reason],
        action: { label: t('email.decision_reviewed.action'), url: decisionPage(site, decision) },
        after: [isReversed ? t('email.nothing_to_do') : t('email.decision_reviewed.once')],
      }
    },
  ),

  'appeal-decided': template(
    { decision: PieceId, headline: Headline, outcome, answer: Quoted },
    ({ decision, headline, outcome, answer }, site, t) => ({
      subject: t('email.appeal_decided.subject', { outcome, headline: shorten(headline) }),
      before: [
        t('email.appeal_decided.intro', { outcome, headline, site: site.name }),
        t('email.decision_reviewed.reason', { reason: answer }),
      ],
      action: { label: t('email.decision_reviewed.action'), url: `${site.base}/desk/review/decisions/${decision}` },
      after: [t('email.nothing_to_do')],
    }),
  ),
}

/** Emails to people who left an address with a report. They name nothing: what was taken down is no longer public. */

type Kind = 'piece' | 'listing'

/** Anyone can enter anyone's address in the form. */
const addressDeleted = (t: Translator): string[] => [t('email.report.address_deleted'), t('email.report.not_you')]

const takenDown = (kind: Kind, url: string, site: Site, t: Translator): EmailContent => ({
  subject: t('email.report_taken_down.subject', { kind }),
  before: [t('email.report_taken_down.intro', { kind, site: site.name })],
  action: { label: t('email.report_taken_down.action'), url },
  after: [t('email.report_taken_down.appeal', { kind }), ...addressDeleted(t)],
})

const keptPublic = (kind: Kind, url: string, site: Site, t: Translator): EmailContent => ({
  subject: t('email.report_kept.subject', { kind }),
  before: [t('email.report_kept.intro', { kind, site: site.name })],
  action: { label: t('email.report_kept.action', { kind }), url },
  after: [t('email.report_kept.again'), ...addressDeleted(t)],
})

export const reporterEmails = {
  'report-taken-down': template({ piece: PieceId }, ({ piece }, site, t) =>
    takenDown('piece', publicPieceUrl(site, piece), site, t),
  ),
  'report-kept': template({ piece: PieceId }, ({ piece }, site, t) =>
    keptPublic('piece', publicPieceUrl(site, piece), site, t),
  ),
  'listing-report-taken-down': template({ listing: ListingSlug }, ({ listing }, site, t) =>
    takenDown('listing', listingUrl(site, listing), site, t),
  ),
  'listing-report-kept': template({ listing: ListingSlug }, ({ listing }, site, t) =>
    keptPublic('listing', listingUrl(site, listing), site, t),
  ),
}
