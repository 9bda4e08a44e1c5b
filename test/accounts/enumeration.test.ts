import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { after, describe, mock, test } from 'node:test'
import type { LightMyRequestResponse as Response } from 'fastify'
import pg from 'pg'
import { anyEmail, cheapScrypt, goodPassword, makeAccount, openDesk } from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { withoutId } from '../../testkit/http.ts'

/**
 * Answers do not reveal whether an address has an account: same bytes, same headers, same SQL statements.
 * test/nightly/accounts-enumeration.test.ts measures that they take the same time.
 */

const { admin, app } = await testSite()
const derivations = cheapScrypt()

const wrong = 'this is not the password'

/** Kinds of accounts, none of which may differ from an address without an account. */
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
    await admin.query('update app.accounts set password_params = null, password_proof = null where id = $1', [id])
    return email
  },
}

const acts: Record<string, (email: string) => Promise<Response>> = {
  'signing in': (email) => openDesk(app).post('/sign-in', { email, password: wrong }),
  'giving a recovery code': (email) =>
    openDesk(app).post('/sign-in/recovery-code', { email, code: 'AAAA-AAAA-AAAA-AAAA' }),
  'asking for a new password': (email) => openDesk(app).post('/forgot-password', { email }),
  'signing up': (email) => openDesk(app).post('/sign-up', { email }),
}

/** Everything a client can see except the date and the request id. */
const seen = ({ statusCode, headers, body }: Response) => {
  const { date: _, 'x-request-id': _id, ...rest } = headers
  return { statusCode, headers: rest, body: withoutId(body) }
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

describe('the work is the same for an address without an account and for one', () => {
  /** The statements sent to PostgreSQL by what runs in this context. */
  const statements = new AsyncLocalStorage<string[]>()
  const { query } = pg.Client.prototype
  const recording = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [string | { text: string }]
    const text = typeof asked === 'string' ? asked : asked.text
    // Each comes from another IP address.
    statements.getStore()?.push(text.replace(/(app\.visitor = ')[0-9a-f]+/, '$1'))
    return Reflect.apply(query, this, given)
  })
  after(() => recording.mock.restore())

  async function workOf(perform: (email: string) => Promise<Response>, email: string) {
    derivations.length = 0
    const sent: string[] = []
    await statements.run(sent, () => perform(email))
    return { derivations: [...derivations], statements: sent }
  }

  for (const [kind, make] of Object.entries(accounts)) {
    test(kind, async () => {
      for (const [act, perform] of Object.entries(acts)) {
        const known = await workOf(perform, await make())
        assert.ok(known.statements.length > 0)
        assert.deepEqual(known, await workOf(perform, anyEmail()), act)
        assert.deepEqual(
          known.derivations.map(({ N, r, p }) => ({ N, r, p })),
          act === 'signing in' ? [{ N: 65_536, r: 8, p: 2 }] : [],
          act,
        )
      }
    })
  }
})
