import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '#config/config.ts'
import { createMailer } from '#features/emails/mailer.ts'
import { formatLogLine } from './restart.ts'

const base = 'http://localhost:8080'

test('an email in the log is shown as text, with its link alone on a line', async () => {
  const lines: string[] = []
  const log = pino({ base: undefined }, { write: (line: string) => void lines.push(line.trim()) })
  const mailer = createMailer(readConfig({ DATABASE_URL: 'postgres://site.test/site', BASE_URL: base }), log)
  const token = 'a'.repeat(43)
  await mailer.send('one', 'ada@site.test', { template: 'verify-email', params: { token, hours: 24 } }, null)

  const shown = lines.map(formatLogLine).join('\n')
  assert.match(shown, /^\n {2}Email: Confirm your email/)
  assert.ok(shown.split('\n').includes(`  ${base}/desk/verify-email#${token}`), shown)
})

test('every other line is shown as it is', () => {
  for (const line of ['{"level":"warn","event":"slow"}', 'a "email_failed" that is no JSON', ''])
    assert.equal(formatLogLine(line), line)
})
