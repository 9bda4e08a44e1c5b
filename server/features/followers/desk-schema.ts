import Type, { type Static } from 'typebox'
import { nullable, ok } from '#platform/common-schemas.ts'

/** Wire shapes of the desk API for a writer's own followers. Nobody's address is in them. */

/** Characters; the same limit as in the database. */
export const longestWelcome = 5000

/** Rows of a file with followers. */
export const longestList = 10_000

const Counts = {
  /** With anything in them. */
  rows: Type.Integer(),
  /** Followers by a consent that the file has a date of; and those who are asked to confirm, without one. */
  added: Type.Integer(),
  asked: Type.Integer(),
  /** Left out: already there, stopped following or taking no emails, without an address, or a second time in the file. */
  known: Type.Integer(),
  ended: Type.Integer(),
  malformed: Type.Integer(),
  repeated: Type.Integer(),
}

/** What a file would change, and what its writer agrees to. */
export const ImportPreview = Type.Object({ ok, id: Type.String(), statement: Type.String(), ...Counts })
export type ImportPreview = Static<typeof ImportPreview>

export const OneImport = Type.Object({ id: Type.String({ format: 'uuid' }) })

const FollowerImport = Type.Object({
  id: Type.String(),
  agreed_at: Type.String(),
  ...Counts,
  /** Not asked, because so many were on one day. */
  over_limit: Type.Integer(),
  /** While it is not, the counts are how far it is. */
  is_finished: Type.Boolean(),
  /** Too many addresses refused an email or reported one as spam. */
  is_stopped: Type.Boolean(),
})
export type FollowerImport = Static<typeof FollowerImport>

export const ImportAgreed = Type.Object({ ok, imports: Type.Array(FollowerImport) })
export type ImportAgreed = Static<typeof ImportAgreed>

export const DeskFollowers = Type.Object({
  ok,
  total: Type.Integer(),
  /** The last ninety, in UTC; today is the last. `total` is at the end of the day. */
  days: Type.Array(
    Type.Object({ day: Type.String(), gained: Type.Integer(), lost: Type.Integer(), total: Type.Integer() }),
  ),
  /** What new followers get once; null for nothing. */
  welcome: nullable(Type.String()),
  /** The newest first. */
  imports: Type.Array(FollowerImport),
})
export type DeskFollowers = Static<typeof DeskFollowers>

export const WelcomeBody = Type.Object({
  text: nullable(Type.String({ maxLength: longestWelcome, 'x-printable': true })),
})

export const WelcomeSaved = Type.Object({ ok, welcome: nullable(Type.String()) })
export type WelcomeSaved = Static<typeof WelcomeSaved>
