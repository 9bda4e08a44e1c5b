import pg from 'pg'
import { type Answered, type Asked, type HouseUnderProof, honestHouse } from './honest.ts'

/** Houses with one grant too many and a door that uses it, to show that the proof can fail. Each in a database of its own. */

interface Planted {
  readonly name: string
  house(): Promise<HouseUnderProof>
  /** The breach that must be found. */
  readonly finds: RegExp
}

const json = (statusCode: number, body: unknown): Answered => ({ statusCode, body: JSON.stringify(body), headers: {} })

async function rogue(
  grant: string,
  route: { method: string; url: string },
  door: (client: pg.Client, asked: Asked, under: HouseUnderProof) => Promise<Answered>,
  role: string,
): Promise<HouseUnderProof> {
  const honest = await honestHouse()
  await honest.house.admin.query(grant)
  const address = new RegExp(`^${route.url.replace(/:id/, '[^/?]+')}(\\?|$)`)
  const under: HouseUnderProof = {
    ...honest,
    routes: [...Array<typeof route>(20).fill(route), ...honest.routes],
    async ask(asked) {
      if (asked.method !== route.method || !address.test(asked.url)) return honest.ask(asked)
      const client = new pg.Client({ connectionString: honest.config.DATABASE_URL!, options: `-c role=${role}` })
      await client.connect()
      try {
        return await door(client, asked, under)
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

/** A function with the publisher's rights that asks for neither session nor nonce, and the grant to call it. */
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
    name: 'a key may call a function that copies a draft across, and a door of the write API does',
    finds: /changed the public wing/,
    house: () =>
      rogue(
        careless(
          'feature',
          'void',
          `insert into pub.pieces (id, author_id, slug, headline, summary, category, tags, kind, locale,
                                   published_at, modified_at, headline_folded, sub_folded)
           select id, writer_id, id::text, headline, '', category, tags, style, locale, date_trunc('milliseconds', now()),
                  date_trunc('milliseconds', now()), lower(headline), ''
             from app.pieces where id = p_piece`,
          'svc_api',
        ),
        { method: 'POST', url: '/api/v1/pieces/:id/feature' },
        async (client, { url }) => {
          await client.query('select app.feature($1)', [pieceIn(url)])
          return json(200, { ok: true })
        },
        'svc_api',
      ),
  },
  {
    name: 'the public role may call a function that reads a draft, and a public door does',
    finds: /showed CANARY/,
    house: () =>
      rogue(
        careless('early', 'text', 'return (select body_md from app.pieces where id = p_piece)', 'svc_public'),
        { method: 'GET', url: '/api/public/pieces/:id/early' },
        async (client, { url }) => {
          const { rows } = await client.query('select app.early($1)', [pieceIn(url)])
          return json(200, { ok: true, rows })
        },
        'svc_public',
      ),
  },
  {
    name: 'the public role may call a function that reads the working copy of a listing, and a public door does',
    finds: /showed CANARY/,
    house: () =>
      rogue(
        careless('peek', 'text', 'return (select name from app.products where id = p_piece)', 'svc_public'),
        { method: 'GET', url: '/api/public/products/:id/early' },
        async (client, { url }) => {
          const { rows } = await client.query('select app.peek($1)', [pieceIn(url)])
          return json(200, { ok: true, rows })
        },
        'svc_public',
      ),
  },
  {
    name: 'a door writes what it was sent into the log',
    finds: /log line holds a canary/,
    house: () =>
      rogue(
        'select',
        { method: 'POST', url: '/api/v1/pieces/:id/debug' },
        async (_client, { payload }, { log }) => {
          log.push(JSON.stringify({ event: 'debug', payload }))
          return json(200, { ok: true })
        },
        'svc_api',
      ),
  },
]
