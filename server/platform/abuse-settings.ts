import { number, wrong } from './setting.ts'

/** Who can write here, what strangers can make the site send, and who reads a piece before its readers do. */

const signUps = ['open', 'invited', 'closed'] as const
export type SignUp = (typeof signUps)[number]

const reviews = ['off', 'first', 'required'] as const
export type Review = (typeof reviews)[number]

export const abuseSettings = {
  SIGN_UP: {
    about:
      'Who can become a writer: `open`: everybody with an email address; `invited`: whoever has an invitation of a moderator or the operator; `closed`: nobody but whom the operator adds.',
    fallback: 'open',
    parse: (given: string): SignUp => signUps.find((one) => one === given) ?? wrong(signUps.join(', ')),
  },
  SIGN_UP_EMAILS_PER_HOUR: number(
    '100',
    'Emails an hour to addresses that were written into the sign-up form, all together. Beyond it none goes out, and the log says so.',
    0,
    1_000_000_000,
  ),
  SIGN_UP_EMAILS_PER_DAY: number('500', 'The same, for 24 hours.', 0, 1_000_000_000),
  REVIEW: {
    about:
      '`off`: Publish makes a piece public. `first`: Publish submits the first pieces of a new writer, and a moderator approves. `required`: so with every piece.',
    fallback: 'off',
    parse: (given: string): Review => reviews.find((one) => one === given) ?? wrong(reviews.join(', ')),
  },
  REVIEW_FIRST_PIECES: number(
    '3',
    'With `REVIEW=first`: how many pieces of a new writer a moderator approves before they publish by themselves.',
    1,
    1_000,
  ),
}
