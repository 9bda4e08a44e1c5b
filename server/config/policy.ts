/**
 * Policy numbers that the database enforces, each in one place. A file of server/sql names one as `:'session_lifetime'`
 * (an interval) or `:emails_per_hour` (a number), as psql writes variables; `migrate` puts the value in, and applies the
 * file again when a value changes. What is here can be changed without thinking about SQL; authorisation and invariants
 * are in the functions themselves. Windows of a minute or an hour that only group events stay there too. What an operator
 * sets, rate limits among it, is in config.ts.
 */
export const policy = {
  // Sessions and sign-in
  /** A session ends this long after its owner last proved who they are. */
  session_lifetime: '14 days',
  /** A session ends when it was not used for this long. */
  session_idle: '24 hours',
  /** A sensitive action asks for the password or passkey again after this. */
  sensitive_action_window: '10 minutes',
  /** What counts as a recent sign-in where a change needs one. */
  proof_window: '12 hours',
  /** Failed sign-ins of an account are counted in this window. */
  sign_in_failures_window: '1 hour',
  /** Failures from one place delay the next try, doubling up to 15 minutes, within this window. */
  sign_in_delay_window: '1 day',

  // Links in emails
  /** How long a link that verifies an email address works. */
  verify_link_lifetime: '24 hours',
  /** How long a link that resets a password works. */
  reset_link_lifetime: '1 hour',
  /** Emails one account can order within an hour. */
  emails_per_hour: 10,
  /** How long the former address can take back a change of address. */
  email_change_undo: '72 hours',

  // Accounts
  /** An account is deleted this long after its owner asked. */
  deletion_delay: '7 days',
  /** How often deletion can be asked for within an hour. */
  deletion_requests_per_hour: 5,
  /** A sign-up whose address was never verified is deleted after this. */
  unverified_account_lifetime: '7 days',
  /** Ended sessions are kept this long. */
  ended_session_retention: '30 days',
  /** Sign-in attempts are kept this long. */
  sign_in_attempt_retention: '1 day',
  /** The security history of an account is kept this long. */
  security_event_retention: '1 year',
  /** Invitations one account can make within a day. */
  invitations_per_day: 50,
  /** Expired invitations are kept this long. */
  expired_invitation_retention: '30 days',

  // Keys
  /** A key that was not used for this long no longer works. */
  unused_key_lifetime: '1 year',
  /** The answer to an Idempotency-Key is repeated for this long. */
  idempotency_retention: '24 hours',

  // Pieces, listings and pictures
  /** What was previewed can be published for this long. */
  publish_nonce_lifetime: '10 minutes',
  /** What was confirmed of imported drafts can be published for this long. */
  import_consent_lifetime: '1 hour',
  /** How far ahead a publication can be scheduled. */
  schedule_horizon: '1 year',
  /** Pieces of one writer that wait for their time. */
  schedules_per_writer: 100,
  /** The address of a preview page for its own writer works for this long. */
  preview_page_lifetime: '10 minutes',
  /** Comments on one piece, with replies. */
  comments_per_piece: 1000,
  /** Comments and replies that holders of one private link can make. */
  comments_per_link: 100,
  /** A deleted piece can be restored for this long. */
  trash_retention: '30 days',
  /** Saves and new pieces of one writer within a day. */
  saves_per_day: 10_000,
  /** Every save is kept this long; then the last of each ten minutes. */
  every_save_kept: '1 day',
  /** How often a writer can change their address within a day. */
  renames_per_day: 5,
  /** Accounts younger than this publish at most so many pieces a day. */
  new_account_period: '7 days',
  /** New addresses of listings one writer can take within a day. */
  listing_addresses_per_day: 50,
  /** Pieces of a series. */
  pieces_per_series: 200,
  /** Series of one writer. */
  series_per_writer: 100,
  /** Co-authors of a piece, the writer not counted. */
  co_authors_per_piece: 10,
  /** Invitations of co-authors by one writer within a day. */
  co_author_invitations_per_day: 20,
  /** An uploaded picture that nothing uses is deleted after this. */
  unused_media_lifetime: '7 days',

  // Moderation
  /** A decision can be appealed for this long, and what it was about is kept for it. */
  appeal_period: '6 months',
  /** Reports are kept this long after they were settled. */
  settled_report_retention: '90 days',

  // The front page
  /** How many pieces moderators can pin: a lead, two beside it and a row of four. */
  front_page_pins: 7,
  /** A pin and the editor's note end after this at the latest. */
  longest_pin: '30 days',
  /** Places that one author has among the first ten, while others have pieces; and so among what is pinned. */
  front_page_places_of_author: 2,

  // Webhooks
  /** After this many failures in a row a webhook rests for a minute. */
  webhook_failures_before_rest: 10,
  /** How long it rests. */
  webhook_rest: '1 minute',
  /** A webhook counts as failing when nothing succeeded for this long. */
  webhook_failing_after: '12 hours',
  /** Its writer is emailed after it has been failing for this long. */
  webhook_warned_after: '1 day',
  /** It is switched off after it has been failing for this long. */
  webhook_disabled_after: '5 days',
  /** The log of deliveries is kept this long. */
  delivery_retention: '30 days',
  /** Test deliveries of one webhook within an hour. */
  pings_per_hour: 60,
  /** At least this much time is between two of them. */
  ping_interval: '3 seconds',
  /** At least this much time is between two resends of one webhook. */
  resend_interval: '10 seconds',

  // Websites
  /** A verified website stays verified while it is unreachable for this long. */
  website_unreachable_grace: '3 days',
  /** A website is checked again after this. */
  website_check_interval: '23 hours',

  // Followers by email
  /** Digests are sent at this time of the day in UTC, weekly ones on Mondays. */
  digest_time: '6 hours',
  /** Forms to follow something that one network can send within a day. */
  follow_requests_per_network: 30,
  /** Emails that ask one address to confirm, within a day. */
  follow_confirmations_per_day: 3,
  /** What was never confirmed is deleted after this. */
  unconfirmed_follow_lifetime: '7 days',
  /** An address that refused an email or reported one as spam is asked for no confirmation for this long. */
  suppression_before_asking_again: '30 days',
  /** That an email was sent is kept this long: one that comes back is recognised until then. */
  reader_email_retention: '60 days',
  /** Emails that came back with a temporary failure before an address gets none any more, */
  temporary_bounces: 4,
  /** and the least time between the first and the last of them. */
  temporary_bounces_for: '5 days',
  /** Reports of providers are recognised when they are sent again within this. */
  provider_report_retention: '7 days',
  /** Files with followers that one writer can upload within a day, */
  follower_files_per_day: 20,
  /** and those of them whose readers are added. */
  follower_imports_per_day: 5,
  /** What an uploaded file would change can be agreed to for this long. */
  follower_preview_lifetime: '1 hour',
  /** A writer's imported readers get no more emails when so many of their addresses refuse one, */
  imported_bounces_at_least: 20,
  /** and these are more than this part of them; */
  imported_bounces_percent: 5,
  /** or when so many report one as spam, */
  imported_complaints_at_least: 3,
  /** and these are more than this part: what large providers allow. */
  imported_complaints_per_thousand: 3,

  // Feed subscriptions (WebSub)
  /** How long a subscription lasts if its subscriber asks for no other time, */
  feed_lease: '10 days',
  /** the shortest time it gets, */
  shortest_feed_lease: '1 hour',
  /** and the longest. */
  longest_feed_lease: '30 days',
  /** Requests to subscribe and unsubscribe that one network can send within a day. */
  feed_requests_per_network: 2000,
  /** Requests that can wait until callbacks of one host confirm them. */
  feed_verifications_per_host: 100,
  /** Subscriptions with callbacks of one host, */
  feed_subscriptions_per_host: 5000,
  /** and those of one feed. */
  feed_subscriptions_per_feed: 10_000,

  // Fediverse
  /** Activities that one network can send within a day, whatever becomes of them, */
  fediverse_requests_per_network: 20_000,
  /** and those that one server can have accepted. */
  fediverse_activities_per_server: 50_000,

  // Notifications
  /** Emails about drafts made by keys are at least this far apart. */
  draft_emails_interval: '1 hour',
  /** Emails about comments on one piece are at least this far apart. */
  comment_emails_interval: '1 hour',
} as const

type PolicyName = keyof typeof policy

const secondsPer = { second: 1, minute: 60, hour: 3600, day: 86_400 }

/** The same interval for code that has to say it: a link's lifetime in its email, a cookie's. Days and shorter units only. */
export function policySeconds(name: PolicyName): number {
  const [, count, unit] = /^(\d+) (second|minute|hour|day)s?$/.exec(String(policy[name])) ?? []
  if (!count) throw new Error(`${name} has no fixed number of seconds: ${policy[name]}`)
  return Number(count) * secondsPer[unit as keyof typeof secondsPer]
}

/** The text with the values in it. Throws for a name that is not in the table. */
export function withPolicy(text: string): string {
  return text
    .replace(/(?<![:\w]):'(\w+)'/g, (_, name: string) => `'${policyValue(name)}'`)
    .replace(numbers, (_, name: PolicyName) => String(policy[name]))
}

function policyValue(name: string): string | number {
  if (!(name in policy)) throw new Error(`server/config/policy.ts has no ${name}`)
  return policy[name as PolicyName]
}

const numberNames = Object.entries(policy).flatMap(([name, value]) => (typeof value === 'number' ? [name] : []))
const numbers = new RegExp(`(?<![:\\w]):(${numberNames.join('|')})\\b`, 'g')
