import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { sweepAccounts } from '../../server/features/accounts/mail.ts'
import { makeAccount } from '../../testkit/accounts.ts'
import { testDatabase, workerDatabase } from '../../testkit/database.ts'

/** Expired rows are deleted in batches small enough to block nobody; others stay. */

const { url, admin } = await testDatabase()
const { id: account } = await makeAccount(admin)

/** For each table: how to insert rows with a given date, and how long they live. */
const perishable: Record<string, { insert: string; lasts: string; index: string }> = {
  sign_in_attempts: {
    insert: `insert into app.sign_in_attempts (account_key, place_key, known_device, at)
      select sha256(n::text::bytea), sha256(n::text::bytea), false, $1::timestamptz from generate_series(1, $2::integer) n`,
    lasts: '1 day',
    index: 'sign_in_attempts_by_age',
  },
  challenges: {
    insert: `insert into app.challenges (challenge_hash, purpose, expires_at)
      select sha256((n::text || $1)::bytea), 'sign_in', $1::timestamptz from generate_series(1, $2::integer) n`,
    lasts: '0 days',
    index: 'challenges_by_age',
  },
  mail_tokens: {
    insert: `insert into app.mail_tokens (token_hash, account_id, kind, expires_at)
      select sha256((n::text || $1)::bytea), '${account}', 'reset', $1::timestamptz from generate_series(1, $2::integer) n`,
    lasts: '1 day',
    index: 'mail_tokens_by_age',
  },
  sessions: {
    insert: `insert into app.sessions (account_id, token_hash, expires_at)
      select '${account}', sha256((n::text || $1)::bytea), $1::timestamptz from generate_series(1, $2::integer) n`,
    lasts: '30 days',
    index: 'sessions_by_age',
  },
  accounts: {
    insert: `insert into app.accounts (email, signed_up_at)
      select 'p' || n || '-' || extract(epoch from $1::timestamptz) || '@site.test', $1::timestamptz from generate_series(1, $2::integer) n`,
    lasts: '7 days',
    index: 'accounts_unconfirmed',
  },
}
const ago = async (time: string): Promise<string> =>
  (await admin.query('select (now() - $1::interval)::text as at', [time])).rows[0].at
const count = async (table: string): Promise<number> =>
  (await admin.query(`select count(*)::integer as rows from app.${table}`)).rows[0].rows

describe('of what is past its time', () => {
  for (const [table, { insert, lasts, index }] of Object.entries(perishable)) {
    test(`${table} go 5,000 at a time, found by their index, and only those`, async () => {
      const before = await count(table)
      await admin.query(insert, [await ago(`${lasts} 1 minute`), 12_000])
      await admin.query(insert, [await ago(`${lasts} -10 minutes`), 20_000])
      await admin.query(`analyze app.${table}`)
      const plans = await plansOf(`select app.sweep_accounts('${table}')`)
      assert.match(plans, new RegExp(`Index Scan using ${index} on ${table} o\\b[^\\n]*\\n\\s*Index Cond: `), plans)
      assert.equal(await count(table), before + 27_000)

      const worker = workerDatabase(url)
      await sweepAccounts(worker)
      assert.equal(await count(table), before + 20_000)
    })
  }
})

/** The query plans, including those of statements inside functions. */
async function plansOf(sql: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const plans: string[] = []
  client.on('notice', ({ message }) => plans.push(message ?? ''))
  try {
    await client.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_level = notice;
      set auto_explain.log_nested_statements = on; set client_min_messages = notice`)
    await client.query(sql)
  } finally {
    await client.end()
  }
  return plans.join('\n')
}
