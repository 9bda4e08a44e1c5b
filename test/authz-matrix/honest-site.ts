import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pg from 'pg'
import { type Config, readConfig } from '../../server/config/config.ts'
import { surfaceNames } from '../../server/config/required-settings.ts'
import { buildApp } from '../../server/main/app.ts'
import { migrate } from '../../server/sql/migrate.ts'
import { captureLog } from '../../testkit/log.ts'
import { type Mailbox, startMailbox } from '../../testkit/mailbox.ts'
import { type Receiver, startReceiver } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'
import { type Route, routesOf } from './requests.ts'
import { type ProofSite, proofSite } from './site.ts'

/** Sends a request as a client would; a site with injected bugs answers some addresses itself. */
interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string
}
export interface Answered {
  readonly statusCode: number
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
}

export interface SiteUnderProof {
  readonly app: FastifyInstance
  readonly site: ProofSite
  readonly config: Config
  readonly routes: readonly Route[]
  readonly log: string[]
  readonly mailbox: Mailbox
  /** The receiver of both writers' webhooks. */
  readonly receiver: Receiver
  ask(request: Asked): Promise<Answered>
  close(): Promise<void>
}

const serverUrl = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** The server as shipped, with every surface enabled, its own database and a captured log. */
export async function honestSite(): Promise<SiteUnderProof> {
  const name = `sf_proof_${randomBytes(5).toString('hex')}`
  const server = new pg.Pool({ connectionString: serverUrl, max: 1 })
  await server.query(`create database ${name} encoding 'UTF8' locale 'C.UTF-8' template template0`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await migrate(url.href)
  const admin = new pg.Pool({ connectionString: url.href, max: 3 })
  admin.on('error', () => {})
  server.on('error', () => {})
  const [mailbox, receiver] = [await startMailbox(), await startReceiver()]
  const pictures = mkdtempSync(join(tmpdir(), 'sf-proof-'))
  const config = readConfig({
    DATABASE_URL: url.href,
    BASE_URL: 'https://site.test',
    AUTH_SECRET: 'a-secret-of-tests-that-everybody-knows',
    SECRETS_KEY: 'a-secret-of-tests-that-everybody-knows',
    RATE_READ: '1000000000',
    RATE_SEARCH: '1000000000',
    RATE_TOOLS: '1000000000',
    RATE_WRITE: '1000000000',
    DRAFTS_PER_DAY: '1000000000',
    LOAD_FACTOR: '1000',
    TIMEOUT_FACTOR: '60',
    SMTP_URL: mailbox.url,
    OUTBOUND_ALLOW: receiver.host,
    MEDIA_URL: `file://${pictures}`,
    LOG_LEVEL: 'trace',
  })
  const { log, lines } = captureLog()
  const app = await buildApp(config, log, surfaceNames)
  await watchPublicSchema(admin)
  const site = await proofSite(app, admin, config.SECRETS_KEY[0]!)
  return {
    app,
    site,
    config,
    routes: routesOf(app),
    log: lines,
    mailbox,
    receiver,
    ask: (request) => patiently(request, () => app.inject(request as InjectOptions)),
    async close() {
      await app.close()
      await mailbox.close()
      await admin.end()
      await server.query(`drop database ${name} with (force)`)
      await server.end()
      rmSync(pictures, { recursive: true, force: true })
    },
  }
}

/** On a loaded machine the server may answer 503; ask again, since that answer proves nothing. */
const patiently = (asked: Asked, ask: () => Promise<Answered>): Promise<Answered> =>
  until(async () => {
    const answer = await ask()
    return answer.statusCode !== 503 && answer
  }, `another answer than 503 to ${asked.method} ${asked.url}`)

/** Records every change of the public schema pub with the test's own triggers, independent of the code under test. */

const tables = {
  authors: 'id',
  former_slugs: 'author_id',
  media: 'shown_by',
  pieces: 'id',
  piece_contents: 'piece_id',
  piece_texts: 'piece_id',
  products: 'id',
  receipts: 'piece_id',
  series: 'author_id',
}

interface Change {
  readonly relation: string
  readonly op: 'INSERT' | 'UPDATE' | 'DELETE'
  readonly id: string
  readonly transaction: string
  /** What the audit trail says was done in the same transaction. */
  readonly acts: string[]
}

async function watchPublicSchema(admin: pg.Pool): Promise<void> {
  await admin.query(`
    create table public.seen (relation text, op text, id uuid, transaction xid8 default pg_current_xact_id());
    create function public.note_change() returns trigger language plpgsql security definer as $$
    begin
      insert into public.seen (relation, op, id)
      values (tg_table_name, tg_op, (to_jsonb(coalesce(new, old)) ->> tg_argv[0])::uuid);
      return null;
    end $$`)
  for (const [table, key] of Object.entries(tables)) {
    await admin.query(`create trigger zz_noted after insert or update or delete on pub.${table}
      for each row execute function public.note_change('${key}')`)
    await admin.query(`alter table pub.${table} enable always trigger zz_noted`)
  }
}

/** The changes since the last call. */
export async function takeChanges(admin: pg.Pool): Promise<Change[]> {
  const { rows } = await admin.query<Change>(`
    with taken as (delete from public.seen returning *)
    select relation, op, id, transaction::text,
           coalesce((select array_agg(a.act) from (
                select act, xmin from app.audit union all select act || '_product', xmin from app.product_audit union all
                select act || '_writer', xmin from app.writer_audit where act in ('suspend', 'restore')) a
              where a.xmin::text::bigint = taken.transaction::text::bigint % 4294967296), '{}') as acts
      from taken`)
  return rows
}

/** Writers and moderators hide pieces at the desk without a nonce. Any other change that is not a publish is a breach. */
export function isHiding({ relation, op, acts }: Change): boolean {
  const hides = acts.some((act) =>
    ['unpublish', 'take_down', 'withdraw_product', 'withhold_product', 'suspend_writer'].includes(act),
  )
  // A series that loses a piece is written again.
  return hides && (op === 'DELETE' || (op === 'UPDATE' && ['authors', 'series'].includes(relation)))
}

/** A moderator ends a suspension: what was public before is public again. The canary check covers its content. */
export const isRestoring = ({ op, acts }: Change): boolean => op !== 'DELETE' && acts.includes('restore_writer')

/**
 * A writer changes their public profile or series at the desk: `writer` is the only one whose session is among the callers. No
 * profile becomes public this way.
 */
export const isOwnProfile = ({ relation, op, id }: Change, writer: string): boolean =>
  id === writer && (['former_slugs', 'series'].includes(relation) || (relation === 'authors' && op === 'UPDATE'))

/** Injected bugs, all in one site: a changed database, and most often a route that uses it, to show that the proof can fail. */

interface Planted {
  readonly name: string
  readonly sql: string
  /** The breach that must be found. */
  readonly finds: RegExp
}

interface PlantedRoute extends Planted {
  readonly route: { readonly method: string; readonly url: string }
  readonly role: string
  answer(client: pg.Client, asked: Asked, under: SiteUnderProof): Promise<Answered>
}

const json = (statusCode: number, body: unknown): Answered => ({ statusCode, body: JSON.stringify(body), headers: {} })

const addressOf = (url: string): RegExp => new RegExp(`^${url.replace(/:id/, '[^/?]+')}(\\?|$)`)

/** The server as shipped, with these bugs in it. */
export async function plantedSite(bugs: readonly (Planted | PlantedRoute)[]): Promise<SiteUnderProof> {
  const honest = await honestSite()
  for (const { sql } of bugs) await honest.site.admin.query(sql)
  const rogue = bugs.filter((bug) => 'route' in bug)
  const routes = rogue.map(({ route }) => route)
  const under: SiteUnderProof = {
    ...honest,
    // First and often, so that each gets requests for pieces in every state.
    routes: [...Array.from({ length: 20 }, () => routes).flat(), ...honest.routes],
    async ask(asked) {
      const bug = rogue.find(({ route }) => asked.method === route.method && addressOf(route.url).test(asked.url))
      if (!bug) return honest.ask(asked)
      const client = new pg.Client({ connectionString: honest.config.DATABASE_URL!, options: `-c role=${bug.role}` })
      await client.connect()
      try {
        return await bug.answer(client, asked, under)
      } catch (error) {
        return json(400, { ok: false, reason: (error as Error).message })
      } finally {
        await client.end()
      }
    },
    close: () => honest.close(),
  }
  return under
}

const pieceIn = (url: string): string => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(url)?.[0] ?? ''

/** A function with the publisher's rights that requires neither session nor nonce, and the grant to call it. */
const careless = (name: string, returns: string, body: string, role: string): string => `
  grant create on schema app to svc_publisher;
  set role svc_publisher;
  create function app.${name}(p_piece uuid) returns ${returns} language plpgsql security definer as $$ begin ${body}; end $$;
  reset role;
  revoke create on schema app from svc_publisher;
  grant usage on schema app to ${role};
  grant execute on function app.${name}(uuid) to ${role}`

/** A function as shipped but for these words, which it must have. */
const changed = (name: string, from: string, to: string): string => `
  do $do$ declare body text := pg_get_functiondef('app.${name}'::regproc); begin
    if strpos(body, '${from}') = 0 then raise exception 'app.${name} has no such words any more'; end if;
    execute replace(body, '${from}', '${to}');
  end $do$`

const due = 's.publish_at <= clock_timestamp()'

export const planted: readonly (Planted | PlantedRoute)[] = [
  {
    name: 'the worker publishes what is scheduled whatever its text is by then',
    finds: /was published after a change that no trigger saw/,
    sql: changed('publish_scheduled', ' or app.text_hash(piece) <> due.text_hash', ''),
  },
  {
    name: 'the worker takes what is due within a day for due',
    finds: /was published before its time/,
    sql: ['due_schedules', 'publish_scheduled']
      .map((name) => changed(name, due, `${due} + interval ''1 day''`))
      .join(';'),
  },
  {
    name: 'a key may call a function that copies a draft across, and a route of the write API does',
    finds: /changed the public wing/,
    sql: careless(
      'feature',
      'void',
      `insert into pub.pieces (id, author_id, slug, headline, summary, category, tags, kind, locale,
                               published_at, modified_at, headline_folded, sub_folded)
       select id, writer_id, id::text, headline, '', category, tags, style, locale, date_trunc('milliseconds', now()),
              date_trunc('milliseconds', now()), lower(headline), ''
         from app.pieces where id = p_piece`,
      'svc_api',
    ),
    route: { method: 'POST', url: '/api/v1/pieces/:id/feature' },
    role: 'svc_api',
    answer: async (client, { url }) => {
      await client.query('select app.feature($1)', [pieceIn(url)])
      return json(200, { ok: true })
    },
  },
  {
    name: 'the public role may call a function that reads a draft, and a public route does',
    finds: /pieces\/:id\/early showed CANARY/,
    sql: careless('early', 'text', 'return (select body_md from app.pieces where id = p_piece)', 'svc_public'),
    route: { method: 'GET', url: '/api/public/pieces/:id/early' },
    role: 'svc_public',
    answer: async (client, { url }) => {
      const { rows } = await client.query('select app.early($1)', [pieceIn(url)])
      return json(200, { ok: true, rows })
    },
  },
  {
    name: 'the public role may call a function that reads the working copy of a listing, and a public route does',
    finds: /products\/:id\/early showed CANARY/,
    sql: careless('peek', 'text', 'return (select name from app.products where id = p_piece)', 'svc_public'),
    route: { method: 'GET', url: '/api/public/products/:id/early' },
    role: 'svc_public',
    answer: async (client, { url }) => {
      const { rows } = await client.query('select app.peek($1)', [pieceIn(url)])
      return json(200, { ok: true, rows })
    },
  },
  {
    name: 'a route writes what it was sent into the log',
    finds: /log line holds a canary: \{"event":"debug"/,
    sql: 'select',
    route: { method: 'POST', url: '/api/v1/pieces/:id/debug' },
    role: 'svc_api',
    answer: async (_client, { payload }, { log }) => {
      log.push(JSON.stringify({ event: 'debug', payload }))
      return json(200, { ok: true })
    },
  },
]
