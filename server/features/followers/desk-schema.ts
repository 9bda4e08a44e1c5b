import Type, { type Static } from 'typebox'
import { nullable, ok } from '#platform/common-schemas.ts'

/** Wire shapes of the desk API for a writer's own followers. Nobody's address is in them. */

/** Characters; the same limit as in the database. */
export const longestWelcome = 5000

export const DeskFollowers = Type.Object({
  ok,
  total: Type.Integer(),
  /** The last ninety, in UTC; today is the last. `total` is at the end of the day. */
  days: Type.Array(
    Type.Object({ day: Type.String(), gained: Type.Integer(), lost: Type.Integer(), total: Type.Integer() }),
  ),
  /** What new followers get once; null for nothing. */
  welcome: nullable(Type.String()),
})
export type DeskFollowers = Static<typeof DeskFollowers>

export const WelcomeBody = Type.Object({
  text: nullable(Type.String({ maxLength: longestWelcome, 'x-printable': true })),
})

export const WelcomeSaved = Type.Object({ ok, welcome: nullable(Type.String()) })
export type WelcomeSaved = Static<typeof WelcomeSaved>
