import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse as Response } from 'fastify'
import { anyEmail, makeAccount, openDesk } from '../../testkit/accounts.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'

/**
 * Response times do not reveal whether an address has an account.
 * `PAIRS=200 node --test test/nightly/accounts-enumeration.test.ts` is the long form; without it 12 pairs of sign-ins
 * are timed.
 */

const { url, admin } = await testDatabase()
const app = await testApp(url)

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
    test(`${act}, ${count} pairs`, { timeout: 60_000 + count * 6_000 }, async (t) => {
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
      const difference = welch(sample.known, sample.unknown)
      t.diagnostic(
        `${act}: known ${mean(sample.known).toFixed(2)} ms, unknown ${mean(sample.unknown).toFixed(2)} ms, t = ${difference.toFixed(2)}`,
      )
      assert.ok(Math.abs(difference) < 4.5, `t = ${difference.toFixed(2)}`)
    })
  }

  test('and the measure would tell a difference of a twentieth', () => {
    const noise = () => 100 + 10 * (Math.random() + Math.random() + Math.random())
    const [one, other] = [Array.from({ length: 200 }, noise), Array.from({ length: 200 }, () => noise() + 5)]
    assert.ok(Math.abs(welch(one, other)) > 4.5)
  })
})

const mean = (sample: readonly number[]): number => sample.reduce((sum, one) => sum + one, 0) / sample.length
const variance = (sample: readonly number[]): number =>
  sample.reduce((sum, one) => sum + (one - mean(sample)) ** 2, 0) / (sample.length - 1)

/** Welch's t without the slowest 10 % of both samples, which other processes delayed. */
function welch(one: readonly number[], other: readonly number[]): number {
  const all = [...one, ...other].sort((a, b) => a - b)
  const slowest = all[Math.floor(all.length * 0.9)]!
  const [left, right] = [one, other].map((sample) => sample.filter((value) => value <= slowest)) as [number[], number[]]
  return (mean(left) - mean(right)) / Math.sqrt(variance(left) / left.length + variance(right) / right.length)
}
