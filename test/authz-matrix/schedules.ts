import { publishDue } from '../../server/features/pieces/schedule.ts'
import { urlsFor } from '../../server/features/urls.ts'
import { createSigner } from '../../server/platform/crypto.ts'
import { Database } from '../../server/platform/db/database.ts'
import { type Desk, deskOf, makeModerator, makeSchedulesDue } from '../../testkit/desk.ts'
import { inTransaction, makeKey, makeWriter } from '../../testkit/factories.ts'
import { type SiteUnderProof, takeChanges } from './honest-site.ts'

/**
 * Scheduled pieces: a refused request leaves no consent, and the worker publishes nothing before its time or without a valid
 * consent. What it publishes with one shows that it works.
 */

interface Judged {
  readonly tried: number
  readonly breaches: string[]
}

const hour = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
const inAnHour = () => inHours(1)

async function previewed(desk: Desk, id: string): Promise<string> {
  const { statusCode, body } = await desk.ask('POST', `pieces/${id}/preview`)
  if (statusCode !== 200) throw new Error(`the desk cannot preview: ${body}`)
  return JSON.parse(body).nonce
}

export async function scheduleAtDesk(desk: Desk, id: string): Promise<void> {
  const payload = { nonce: await previewed(desk, id), at: inAnHour() }
  const { statusCode, body } = await desk.ask('POST', `pieces/${id}/schedule`, payload)
  if (statusCode !== 200) throw new Error(`the desk cannot schedule: ${body}`)
}

export async function judgeSchedules(under: SiteUnderProof): Promise<Judged> {
  const refused = await judgeRefused(under)
  const consents = await judgeConsents(under)
  return { tried: refused.tried + consents.tried, breaches: [...refused.breaches, ...consents.breaches] }
}

/** A writer at their desk, whose request is well formed but for one thing. */
async function judgeRefused({ app, site: { admin, me, other } }: SiteUnderProof): Promise<Judged> {
  const [mine, theirs] = [deskOf(app, me), deskOf(app, other)]
  const save = (id: string) => mine.ask('PATCH', `pieces/${id}`, { sub: 'Else.' }, { 'if-match': '*' })
  const set = (change: string, values: readonly unknown[]) => admin.query(change, [...values])
  const nonceOf = (id: string) => previewed(mine, id)
  const attempts: readonly [name: string, send: (id: string) => Promise<object>][] = [
    ['without a nonce', async () => ({ at: inAnHour() })],
    ['with a nonce that nobody made', async () => ({ nonce: 'x'.repeat(43), at: inAnHour() })],
    ['without a time', async (id) => ({ nonce: await nonceOf(id) })],
    ['for a time that is past', async (id) => ({ nonce: await nonceOf(id), at: inHours(-1) })],
    ['for a time too far ahead', async (id) => ({ nonce: await nonceOf(id), at: inHours(367 * 24) })],
    [
      'with an expired nonce',
      async (id) => {
        const nonce = await nonceOf(id)
        await set("update app.publish_nonces set expires_at = now() - interval '1 second' where piece_id = $1", [id])
        return { nonce, at: inAnHour() }
      },
    ],
    [
      'with the nonce of a revision that was changed',
      async (id) => {
        const nonce = await nonceOf(id)
        await save(id)
        return { nonce, at: inAnHour() }
      },
    ],
    [
      'with a used nonce',
      async (id) => {
        const nonce = await nonceOf(id)
        await set('update app.publish_nonces set used_at = now() where piece_id = $1', [id])
        return { nonce, at: inAnHour() }
      },
    ],
    ['with the nonce of another piece', async () => ({ nonce: await nonceOf(await mine.begin()), at: inAnHour() })],
    [
      'with the nonce of another writer',
      async () => ({ nonce: await previewed(theirs, await theirs.begin()), at: inAnHour() }),
    ],
    [
      'with a sign-in that is too old',
      async (id) => {
        const nonce = await nonceOf(id)
        await set("update app.sessions set authenticated_at = now() - interval '13 hours' where id = $1", [
          me.sessionId,
        ])
        return { nonce, at: inAnHour() }
      },
    ],
  ]
  const breaches: string[] = []
  for (const [name, prepare] of attempts) {
    const id = await mine.begin({ headline: 'Not yet' })
    const payload = await prepare(id)
    const { statusCode, body } = await mine.ask('POST', `pieces/${id}/schedule`, payload)
    await set('update app.sessions set authenticated_at = now() where id = $1', [me.sessionId])
    const { rowCount } = await set('select from app.schedules where piece_id = $1', [id])
    if (rowCount || statusCode < 400 || statusCode >= 500)
      breaches.push(`a schedule ${name} was kept, or answered ${statusCode}: ${body}`)
  }
  return { tried: attempts.length, breaches }
}

/** Each on a scheduled piece of a writer of its own, before its time comes. */
function ends({ app, site: { admin } }: SiteUnderProof, moderator: Desk) {
  type Scheduled = { readonly id: string; readonly desk: Desk; readonly writer: Awaited<ReturnType<typeof makeWriter>> }
  const ofAccount =
    (columns: string) =>
    async ({ writer }: Scheduled) => {
      await admin.query(`update app.accounts set ${columns} where id = $1`, [writer.accountId])
    }
  const all: readonly [name: string, end: (one: Scheduled) => Promise<unknown>][] = [
    [
      'after its writer changed it',
      ({ id, desk }) => desk.ask('PATCH', `pieces/${id}`, { sub: 'Else.' }, { 'if-match': '*' }),
    ],
    [
      'after a key changed it',
      async ({ id, writer }) => {
        const { key } = await makeKey(admin, writer, { scopes: ['pieces:write', 'drafts:read', 'drafts:edit'] })
        const headers = { authorization: `Bearer ${key}`, 'if-match': '*' }
        const answer = await app.inject({
          method: 'PATCH',
          url: `/api/v1/pieces/${id}`,
          headers,
          payload: { sub: 'Else.' },
        })
        if (answer.statusCode !== 200) throw new Error(`the key cannot change it: ${answer.body}`)
      },
    ],
    [
      'after a change that no trigger saw',
      ({ id }) =>
        inTransaction(admin, async (client) => {
          await client.query('set local role svc_publisher')
          await client.query("update app.pieces set body_md = 'Slipped in.' where id = $1", [id])
        }),
    ],
    ['after it got another address', ({ id, desk }) => desk.ask('PUT', `pieces/${id}/slug`, { slug: 'elsewhere' })],
    ['from the trash', ({ id, desk }) => desk.ask('DELETE', `pieces/${id}`)],
    [
      'after it was in the trash',
      async ({ id, desk }) => {
        await desk.ask('DELETE', `pieces/${id}`)
        await desk.ask('POST', `trash/${id}/restore`)
      },
    ],
    ['after it was cancelled', ({ id, desk }) => desk.ask('DELETE', `pieces/${id}/schedule`)],
    ['after it was submitted', ({ id, desk }) => desk.act('submit', id)],
    [
      'of a suspended writer',
      ({ writer }) => moderator.ask('POST', `review/writers/${writer.slug}/suspend`, { reason: 'Spam.' }),
    ],
    ['of a barred account', ofAccount('disabled_at = now()')],
    ['of an account about to be deleted', ofAccount("delete_asked_at = now(), delete_at = now() + interval '7 days'")],
  ]
  return all
}

async function judgeConsents(under: SiteUnderProof): Promise<Judged> {
  const { app, config, site } = under
  const { admin } = site
  const breaches: string[] = []
  const runJob = () => publishAsWorker(config.DATABASE_URL!)
  const scheduled = async () => {
    const writer = await makeWriter(admin)
    const desk = deskOf(app, writer)
    const id = await desk.begin({ headline: 'At its time', body_md: 'For later.' })
    await scheduleAtDesk(desk, id)
    return { id, desk, writer }
  }
  const appeared = async () =>
    new Set(
      (await takeChanges(admin)).flatMap(({ relation, op, id }) =>
        relation === 'pieces' && op !== 'DELETE' ? [id] : [],
      ),
    )

  await takeChanges(admin)
  const valid = [await scheduled(), await scheduled()]
  await runJob()
  for (const id of await appeared()) breaches.push(`${id} was published before its time`)

  const void_ = new Map<string, string>()
  for (const [name, end] of ends(under, deskOf(app, await makeModerator(admin)))) {
    const one = await scheduled()
    await end(one)
    void_.set(one.id, name)
  }
  await makeSchedulesDue(admin, [...void_.keys()])
  for (let run = 0; run < 2; run += 1) await runJob()
  for (const id of await appeared()) breaches.push(`${id} was published ${void_.get(id) ?? 'before its time'}`)

  // The counter-check: with a valid consent it is published, by any number of workers once.
  await makeSchedulesDue(
    admin,
    valid.map(({ id }) => id),
  )
  await Promise.all([runJob(), runJob()])
  const { rows } = await admin.query<{ count: number }>(
    "select count(*)::integer as count from app.audit where act = 'publish' and piece_id = any ($1)",
    [valid.map(({ id }) => id)],
  )
  const shown = await appeared()
  if (!valid.every(({ id }) => shown.has(id)) || rows[0]!.count !== valid.length)
    breaches.push(`${valid.length} pieces were due, and were published ${rows[0]!.count} times`)
  return { tried: void_.size + valid.length, breaches }
}

/** One run of the worker's job. */
async function publishAsWorker(url: string): Promise<void> {
  const db = new Database({ url, role: 'svc_worker', name: 'worker', connections: 1, statementTimeout: 20_000 })
  const context = {
    db,
    urls: urlsFor('https://site.test'),
    signer: createSigner('a-secret-of-tests-that-everybody-knows'),
    review: 'off',
    reviewFirst: 1,
    allowance: { firstDay: 3, firstWeek: 10 },
  } as const
  try {
    await publishDue(context, new AbortController().signal)
  } finally {
    await db.close()
  }
}
