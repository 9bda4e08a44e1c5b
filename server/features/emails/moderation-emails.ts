import Type from 'typebox'
import {
  type EmailContent,
  formatTime,
  ListingSlug,
  listingUrl,
  PieceId,
  publicPieceUrl,
  Quoted,
  type Site,
  Time,
  template,
} from './layout.ts'

/**
 * Emails about moderation decisions. They quote a headline and a moderator's words, so no job carries them as
 * parameters: the worker reads both from the database. Never the body, and nothing about the reporter.
 */

const Headline = Type.String({ minLength: 1, maxLength: 500 })
const act = Type.Enum(['take_down', 'reject', 'withhold'])
const outcome = Type.Enum(['upheld', 'reversed'])

/** For a subject. */
const short = (headline: string): string =>
  [...headline].length <= 40 ? headline : `${[...headline].slice(0, 39).join('').trimEnd()}…`

const decisionPage = ({ base }: Site, id: string): string => `${base}/desk/decisions/${id}`

const decisionTexts = {
  take_down: {
    subject: 'was taken down',
    words: 'has taken your piece down. Readers no longer see it; you still have all of it.',
  },
  reject: { subject: 'was not accepted', words: 'has read your piece and decided not to publish it.' },
  withhold: {
    subject: 'was taken out of the shop',
    words: 'has taken your listing out of the shop. Readers no longer see it; you still have all of it.',
  },
} as const

const restored = {
  take_down: 'Your piece is public again, as it was, unless you have changed that yourself.',
  reject: 'Your piece is before the moderators again, unless you have changed that yourself.',
  withhold: 'Your listing is in the shop again, as it was, unless you have changed that yourself.',
} as const

export const decisionEmails = {
  decision: template(
    {
      decision: PieceId,
      act,
      headline: Headline,
      rule: Quoted,
      facts: Quoted,
      by_report: Type.Boolean(),
      until: Time,
    },
    (params, site) => ({
      subject: `“${short(params.headline)}” ${decisionTexts[params.act].subject}`,
      before: [
        `A moderator at ${site.name} ${decisionTexts[params.act].words} It is about “${params.headline}”.`,
        `The reason: ${params.rule}`,
        `What the moderator found: “${params.facts}”`,
        params.by_report
          ? 'A report led to this. A person decided it; nothing was decided automatically.'
          : 'No report led to this. A person decided it; nothing was decided automatically.',
      ],
      action: { label: 'Read it or appeal', url: decisionPage(site, params.decision) },
      after: [`You can appeal once, until ${formatTime(params.until)}. Somebody else then decides.`],
    }),
  ),

  'decision-reviewed': template(
    { decision: PieceId, act, headline: Headline, outcome, answer: Quoted, was_appealed: Type.Boolean() },
    (params, site) => ({
      subject:
        params.outcome === 'reversed'
          ? `The decision about “${short(params.headline)}” was reversed`
          : `The decision about “${short(params.headline)}” stands`,
      before: [
        params.outcome === 'reversed'
          ? `${params.was_appealed ? 'You appealed, and somebody else has looked at it' : 'It was looked at once more'} at ${site.name}: the decision about “${params.headline}” was wrong and is reversed. ${restored[params.act]}`
          : `You appealed the decision about “${params.headline}” at ${site.name}. Somebody else has looked at it, and it stands.`,
        `Why: “${params.answer}”`,
      ],
      action: { label: 'Read the decision', url: decisionPage(site, params.decision) },
      after:
        params.outcome === 'reversed'
          ? ['There is nothing for you to do.']
          : ['A decision is appealed once. You can still change your work.'],
    }),
  ),

  'appeal-decided': template({ decision: PieceId, headline: Headline, outcome, answer: Quoted }, (params, site) => ({
    subject: `Your decision about “${short(params.headline)}” was ${params.outcome}`,
    before: [
      `The writer of “${params.headline}” appealed your decision at ${site.name}, and somebody else has ${params.outcome} it.`,
      `Why: “${params.answer}”`,
    ],
    action: { label: 'Read it', url: `${site.base}/desk/review/decisions/${params.decision}` },
    after: ['There is nothing for you to do.'],
  })),
}

/** Emails to people who left an address with a report. */

/** Anyone can enter anyone's address in the form. */
const addressDeleted = [
  'We deleted your address from the report when this was decided, and will not write again.',
  'If you reported nothing, somebody gave your address by mistake, and there is nothing to do.',
]

const takenDown = (what: string, url: string, { name }: Site): EmailContent => ({
  subject: `The ${what} you reported was taken down`,
  before: [
    `You reported a ${what} at ${name}. A moderator has looked at it and taken it down: readers no longer see it. Thank you for telling us.`,
  ],
  action: { label: 'Where it was', url },
  after: [
    'Its writer may appeal. If another moderator finds that the decision was wrong, it is public again.',
    ...addressDeleted,
  ],
})

const stayedUp = (what: string, url: string, { name }: Site): EmailContent => ({
  subject: `The ${what} you reported stays public`,
  before: [
    `You reported a ${what} at ${name}. A moderator has looked at it and decided that it stays. Thank you for telling us all the same.`,
  ],
  action: { label: `See the ${what}`, url },
  after: ['If there is something the moderators cannot have known, report it again and say what.', ...addressDeleted],
})

export const reporterEmails = {
  'report-taken-down': template({ piece: PieceId }, (params, site) =>
    takenDown('piece', publicPieceUrl(site, params.piece), site),
  ),
  'report-kept': template({ piece: PieceId }, (params, site) =>
    stayedUp('piece', publicPieceUrl(site, params.piece), site),
  ),
  'listing-report-taken-down': template({ listing: ListingSlug }, (params, site) =>
    takenDown('listing', listingUrl(site, params.listing), site),
  ),
  'listing-report-kept': template({ listing: ListingSlug }, (params, site) =>
    stayedUp('listing', listingUrl(site, params.listing), site),
  ),
}
