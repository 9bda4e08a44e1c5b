import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse as Response } from 'fastify'
import { anyEmail, makeAccount, openDesk } from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { momentsOf, percentile, welch } from '../../testkit/measure.ts'

/**
 * Response times do not reveal whether an address has an account.
 * `PAIRS=200 node --test test/nightly/accounts-enumeration.test.ts` is the long form; without it 12 pairs of sign-ins
 * are timed.
 */

const { admin, app } = await testSite()

const pairs = Number(process.env['PAIRS'] ?? 12)
const wrong = 'this is not the password'

const acts: Record<string, (email: string) => Promise<Response>> = {
  'signing in': (email) => openDesk(app).post('/sign-in', { email, password: wrong }),
  'asking for a new password': (email) => openDesk(app).post('/forgot-password', { email }),
  'signing up': (email) => openDesk(app).post('/sign-up', { email }),
}

describe('it takes the same time, |t| < 4.5', () => {
  const timed: Record<string, number> = {
    'signing in': pairs,
    'asking for a new password': pairs * 20,
    'signing up': pairs * 20,
  }
  for (const [act, count] of Object.entries(timed)) {
    test(`${act}, ${count} pairs`, { timeout: 60_000 + count * 6_000 }, async (context) => {
      const perform = acts[act]!
      const known = (await makeAccount(admin, {}, 'real')).email
      const sample = { known: [] as number[], unknown: [] as number[] }
      const measure = async (kind: keyof typeof sample) => {
        // So that each is a first attempt, and each address is either new or known.
        await admin.query('delete from app.sign_in_attempts')
        const email = kind === 'known' ? known : anyEmail()
        const began = performance.now()
        const { statusCode } = await perform(email)
        sample[kind].push(performance.now() - began)
        assert.ok(statusCode === 401 || statusCode === 202, String(statusCode))
      }
      for (let number = 0; number < 3; number += 1)
        for (const kind of ['known', 'unknown'] as const) await measure(kind)
      sample.known.length = 0
      sample.unknown.length = 0
      for (let number = 0; number < count; number += 1) {
        const order = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
        for (const kind of order) await measure(kind)
      }
      const t = difference(sample.known, sample.unknown)
      context.diagnostic(
        `${act}: known ${momentsOf(sample.known).mean.toFixed(2)} ms, unknown ${momentsOf(sample.unknown).mean.toFixed(2)} ms, t = ${t.toFixed(2)}`,
      )
      assert.ok(Math.abs(t) < 4.5, `t = ${t.toFixed(2)}`)
    })
  }

  test('and the method would detect a difference of five percent', () => {
    const noise = () => 100 + 10 * (Math.random() + Math.random() + Math.random())
    const [one, other] = [Array.from({ length: 200 }, noise), Array.from({ length: 200 }, () => noise() + 5)]
    assert.ok(Math.abs(difference(one, other)) > 4.5)
  })
})

/** Without the slowest 10 % of both samples, which other processes delayed. */
function difference(one: readonly number[], other: readonly number[]): number {
  const slowest = percentile([...one, ...other], 0.9)
  const usual = (sample: readonly number[]) => sample.filter((value) => value <= slowest)
  return welch(usual(one), usual(other))
}
