import pg from 'pg'
import { type Answered, type Asked, honestSite, type SiteUnderProof } from './honest-site.ts'

/** Injected bugs, all in one site: an extra grant and a route that uses it, to show that the proof can fail. */

interface Planted {
  readonly name: string
  readonly grant: string
  readonly route: { readonly method: string; readonly url: string }
  readonly role: string
  answer(client: pg.Client, asked: Asked, under: SiteUnderProof): Promise<Answered>
  /** The breach that must be found. */
  readonly finds: RegExp
}

const json = (statusCode: number, body: unknown): Answered => ({ statusCode, body: JSON.stringify(body), headers: {} })

const addressOf = (url: string): RegExp => new RegExp(`^${url.replace(/:id/, '[^/?]+')}(\\?|$)`)

/** The server as shipped, with these bugs in it. */
export async function plantedSite(bugs: readonly Planted[]): Promise<SiteUnderProof> {
  const honest = await honestSite()
  for (const { grant } of bugs) await honest.site.admin.query(grant)
  const routes = bugs.map(({ route }) => route)
  const under: SiteUnderProof = {
    ...honest,
    // First and often, so that each gets requests for pieces in every state.
    routes: [...Array.from({ length: 20 }, () => routes).flat(), ...honest.routes],
    async ask(asked) {
      const bug = bugs.find(({ route }) => asked.method === route.method && addressOf(route.url).test(asked.url))
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

export const planted: readonly Planted[] = [
  {
    name: 'a key may call a function that copies a draft across, and a route of the write API does',
    finds: /changed the public wing/,
    grant: careless(
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
    grant: careless('early', 'text', 'return (select body_md from app.pieces where id = p_piece)', 'svc_public'),
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
    grant: careless('peek', 'text', 'return (select name from app.products where id = p_piece)', 'svc_public'),
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
    grant: 'select',
    route: { method: 'POST', url: '/api/v1/pieces/:id/debug' },
    role: 'svc_api',
    answer: async (_client, { payload }, { log }) => {
      log.push(JSON.stringify({ event: 'debug', payload }))
      return json(200, { ok: true })
    },
  },
]
