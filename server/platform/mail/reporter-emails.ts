import type { Site, Words } from './layout.ts'
import { ListingSlug, listing, PieceId, publicPiece, template } from './parameters.ts'

/** To whoever left an address with a report: what came of it. */

/** Anybody can write anybody's address into the form. */
const forgotten = [
  'We deleted your address from the report when this was decided, and will not write again.',
  'If you reported nothing, somebody gave your address by mistake, and there is nothing to do.',
]

const takenDown = (what: string, url: string, { name }: Site): Words => ({
  subject: `The ${what} you reported was taken down`,
  before: [
    `You reported a ${what} at ${name}. A moderator has looked at it and taken it down: readers no longer see it. Thank you for telling us.`,
  ],
  action: { label: 'Where it was', url },
  after: [
    'Its writer may appeal. If another moderator finds that the decision was wrong, it is public again.',
    ...forgotten,
  ],
})

const kept = (what: string, url: string, { name }: Site): Words => ({
  subject: `The ${what} you reported stays public`,
  before: [
    `You reported a ${what} at ${name}. A moderator has looked at it and decided that it stays. Thank you for telling us all the same.`,
  ],
  action: { label: `See the ${what}`, url },
  after: ['If there is something the moderators cannot have known, report it again and say what.', ...forgotten],
})

export const reporterEmails = {
  'report-taken-down': template({ piece: PieceId }, (params, site) =>
    takenDown('piece', publicPiece(site, params.piece), site),
  ),
  'report-kept': template({ piece: PieceId }, (params, site) => kept('piece', publicPiece(site, params.piece), site)),
  'listing-report-taken-down': template({ listing: ListingSlug }, (params, site) =>
    takenDown('listing', listing(site, params.listing), site),
  ),
  'listing-report-kept': template({ listing: ListingSlug }, (params, site) =>
    kept('listing', listing(site, params.listing), site),
  ),
}
