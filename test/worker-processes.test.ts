import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { enqueue } from '../server/platform/jobs/jobs.ts'
import { scratchDatabase, testDatabase } from '../server/testing/database.ts'
import { startMailbox } from '../server/testing/mailbox.ts'
import { inTransaction } from '../server/testing/make.ts'
import { cli, only } from '../server/testing/program.ts'

/** Workers as processes: killed, stopped, and started where they cannot work. */

const { url, admin } = await testDatabase()
const mailbox = await startMailbox()

interface Started {
  readonly child: ChildProcess
  readonly lines: { readonly event: string; readonly address?: string; readonly id?: string }[]
  readonly errors: string[]
  until(event: string): Promise<void>
}

function start(args: string[], env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [cli, ...args], {
    env: only({
      DATABASE_URL: url,
      SMTP_URL: mailbox.url,
      BASE_URL: 'https://house.test',
      AUTH_SECRET: 'a-secret-of-tests-that-everybody-knows',
      SECRETS_KEY: 'a-secret-of-tests-that-everybody-knows',
      PORT: '0',
      SHUTDOWN_DELAY: '0',
      ...env,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  after(() => child.kill('SIGKILL'))
  const lines: Started['lines'] = []
  const errors: string[] = []
  child.stderr!.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  let rest = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const whole = (rest + text).split('\n')
    rest = whole.pop()!
    lines.push(...whole.map((line) => JSON.parse(line)))
  })
  const until = (event: string) =>
    eventually(event, () => {
      assert.equal(child.exitCode, null, errors.join(''))
      return lines.some((line) => line.event === event)
    })
  return { child, lines, errors, until }
}

async function eventually(what: string, isSo: () => boolean | Promise<boolean>, within = 20_000): Promise<void> {
  for (const end = Date.now() + within; Date.now() < end; ) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`not within ${within} ms: ${what}`)
}

async function addLetter(to: string): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    'insert into app.accounts (email) values ($1) on conflict (email) do update set email = $1 returning id',
    [to],
  )
  const order = { to: { account: rows[0]!.id }, letter: 'already-have-account', params: {} } as const
  return (await inTransaction(admin, (tx) => enqueue(tx, 'mail', order)))!
}

const isUnderWay = async (id: string) =>
  Boolean((await admin.query(`select from jobs.job where id = $1 and state = 'active'`, [id])).rowCount)

test('a job of a worker that is killed is taken by another within half a minute', async () => {
  const first = start(['worker'])
  await first.until('working')
  mailbox.refuse('silence')
  const to = 'killed@writers.test'
  const id = await addLetter(to)
  await eventually('the job is under way', () => isUnderWay(id))
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const killed = Date.now()
  mailbox.refuse(undefined)

  const second = start(['worker'])
  const letter = await mailbox.waitForLetter(to, undefined, 40_000)
  console.log(`retaken after ${Date.now() - killed} ms`)
  assert.ok(Date.now() - killed < 30_000, `${Date.now() - killed} ms`)
  assert.equal(letter.headers.get('message-id'), `<${id}@house.test>`)
  assert.equal(mailbox.letters().filter((one) => one.to.includes(to)).length, 1)
  second.child.kill('SIGTERM')
  const [code] = await once(second.child, 'exit')
  assert.equal(code, 0)
})

for (const args of [['worker'], ['serve', '--worker']]) {
  test(`${args.join(' ')}, told to stop, finishes what is under way and ends well`, async () => {
    const { child, lines, until } = start(args)
    await until('working')
    mailbox.refuse('silence')
    const to = `${args.length}@writers.test`
    const id = await addLetter(to)
    await eventually('the job is under way', () => isUnderWay(id))
    child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 700))
    assert.equal(child.exitCode, null)
    const late = await addLetter('late@writers.test')
    mailbox.refuse(undefined)
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
    assert.equal((await mailbox.waitForLetter(to)).headers.get('message-id'), `<${id}@house.test>`)
    assert.ok(lines.some((line) => line.event === 'job_done' && line.id === id))
    assert.equal(lines.at(-1)?.event, 'left')
    assert.equal(lines.filter(({ id: other }) => other === late).length, 0, 'it took another job')
    await admin.query('delete from jobs.job')
  })
}

test('serve --worker counts its jobs with its answers, and serve alone runs none', async () => {
  const alone = start(['serve'])
  await alone.until('listening')
  const id = await addLetter('counted@writers.test')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  assert.equal((await admin.query('select from jobs.job where id = $1 and started_on is null', [id])).rowCount, 1)
  alone.child.kill('SIGTERM')

  const both = start(['serve', '--worker'])
  await both.until('listening')
  await mailbox.waitForLetter('counted@writers.test')
  await both.until('job_done')
  const { address } = both.lines.find(({ event }) => event === 'listening')!
  const metrics = await (await fetch(`${address}/metrics`)).text()
  assert.match(metrics, /standfirst_job_seconds_count\{job="mail",outcome="done"\} 1/)
  both.child.kill('SIGTERM')
})

test('a worker may hold the worker’s credential alone', async () => {
  const own = new URL(url)
  own.username = 'svc_worker'
  const { child, until } = start(['worker'], { DATABASE_URL: '', WORKER_DATABASE_URL: own.href })
  await until('working')
  await addLetter('alone@writers.test')
  await mailbox.waitForLetter('alone@writers.test')
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})

test('where jobs cannot run, the operator is told in a sentence', async () => {
  const { url: empty } = await scratchDatabase()
  const wrong: [string[], Record<string, string>, RegExp][] = [
    [['worker'], { DATABASE_URL: empty }, /standfirst migrate/],
    [['serve', '--worker'], { DATABASE_URL: empty }, /standfirst migrate/],
    [['worker'], { DATABASE_URL: '', PUBLIC_DATABASE_URL: url }, /WORKER_DATABASE_URL or DATABASE_URL/],
    [['worker'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, /does not answer/],
    [
      ['serve', '--worker'],
      { NODE_ENV: 'production', SMTP_URL: '', AUTH_SECRET: 'x'.repeat(44), SECRETS_KEY: 'x'.repeat(44) },
      /SMTP_URL is required in production/,
    ],
  ]
  for (const [args, env, words] of wrong) {
    const { child, errors } = start(args, env)
    const [code] = await once(child, 'close')
    assert.equal(code, 1, args.join(' '))
    assert.match(errors.join(''), words)
    assert.doesNotMatch(errors.join(''), /\n\s+at /)
  }
})
