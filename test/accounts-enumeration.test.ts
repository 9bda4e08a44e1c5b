import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { LightMyRequestResponse as Response } from 'fastify'
import { testApp } from '../server/testing/app.ts'
import { testDatabase } from '../server/testing/database.ts'
import { anyEmail, goodPassword, makeAccount, openDesk } from './desk-browser.ts'

/**
 * Whether somebody has an account is nobody's business: the same bytes, the same headers and the same time.
 * `PAIRS=200 node --test test/accounts-enumeration.test.ts` is the long form; without it 12 pairs of sign-ins are timed.
 */

const { url, admin } = await testDatabase()
const app = await testApp(url)
await pause(1000)

const pairs = Number(process.env['PAIRS'] ?? 12)
const wrong = 'this is not the password'

/** Kinds of accounts, none of which is to be told from an address that has none. */
const accounts = {
  'with a password': async () => (await makeAccount(admin, {}, 'real')).email,
  'that is disabled': async () => {
    const { email, id } = await makeAccount(admin, {}, 'real')
    await admin.query('update app.accounts set disabled_at = now() where id = $1', [id])
    return email
  },
  'that never confirmed': async () => {
    const { email, id } = await makeAccount(admin, {}, 'real')
    await admin.query('update app.accounts set email_verified_at = null where id = $1', [id])
    return email
  },
  'without a password': async () => {
    const { email, id } = await makeAccount(admin, {}, 'real')
    await admin.query(
      'update app.accounts set password_params = null, password_proof = null, password_stands_alone = null where id = $1',
      [id],
    )
    return email
  },
}

const acts: Record<string, (email: string) => Promise<Response>> = {
  'signing in': (email) => openDesk(app).post('/sign-in', { email, password: wrong }),
  'asking for a new password': (email) => openDesk(app).post('/forgot-password', { email }),
  'signing up': (email) => openDesk(app).post('/sign-up', { email }),
}

/** All that a caller can see but the clock. */
const seen = ({ statusCode, headers, body }: Response) => {
  const { date: _, ...rest } = headers
  return { statusCode, headers: rest, body }
}

describe('the answer is the same, byte for byte, for an address without an account and for one', () => {
  for (const [kind, make] of Object.entries(accounts)) {
    test(kind, async () => {
      for (const [act, perform] of Object.entries(acts)) {
        assert.deepEqual(seen(await perform(await make())), seen(await perform(anyEmail())), act)
      }
    })
  }

  test('also when it is one try too many', async () => {
    const [known, unknown] = [await accounts['with a password'](), anyEmail()]
    for (const email of [known, unknown]) {
      await admin.query(
        `insert into app.sign_in_attempts (account_key, place_key, known_device, at)
         select app.attempt_key('account', $1), app.attempt_key('network', n::text), false, now() - interval '10 minutes'
           from generate_series(1, 20) as n`,
        [email],
      )
    }
    const [first, second] = [await acts['signing in']!(known), await acts['signing in']!(unknown)]
    assert.equal(first.statusCode, 429)
    const withoutSeconds = (answer: Response) => JSON.stringify(seen(answer)).replace(/"retry-after":"\d+"/, '')
    assert.equal(withoutSeconds(first), withoutSeconds(second))
  })

  test('also when the right password is given for an address that was never confirmed', async () => {
    const right = (email: string) => openDesk(app).post('/sign-in', { email, password: goodPassword })
    assert.deepEqual(seen(await right(await accounts['that never confirmed']())), seen(await right(anyEmail())))
  })
})

describe('it takes the same time, |t| < 4.5', () => {
  const timed: Record<string, number> = {
    'signing in': pairs,
    'asking for a new password': pairs * 20,
    'signing up': pairs * 20,
  }
  for (const [act, count] of Object.entries(timed)) {
    test(`${act}, ${count} pairs`, { timeout: 60_000 + count * 6_000 }, async (t) => {
      const perform = acts[act]!
      const known = await accounts['with a password']()
      const sample = { known: [] as number[], unknown: [] as number[] }
      const measure = async (kind: keyof typeof sample) => {
        // So that it is a first try each time, and each address is new or known, not both.
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

/** Welch's t, without the slowest tenth of both together: those were busy with something else. */
function welch(one: readonly number[], other: readonly number[]): number {
  const all = [...one, ...other].sort((a, b) => a - b)
  const slowest = all[Math.floor(all.length * 0.9)]!
  const [left, right] = [one, other].map((sample) => sample.filter((value) => value <= slowest)) as [number[], number[]]
  return (mean(left) - mean(right)) / Math.sqrt(variance(left) / left.length + variance(right) / right.length)
}
