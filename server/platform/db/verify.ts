import pg from 'pg'
import type { Access, Settings } from './access.ts'

/** A connection that is not what its pool must have. Nothing is asked over it. */
export class WrongConnection extends Error {}

const isProcessOf = (client: pg.ClientBase, pid: number): boolean =>
  (client as unknown as { processID: number }).processID === pid

/** What is kept or heard in a session needs one of its own: a pooler lends its sessions to everybody. */
export async function demandDirect(client: pg.ClientBase, address: string): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if (!isProcessOf(client, rows[0]!.pid)) throw new WrongConnection(`${address} ${mustBeDirect}`)
}

const mustBeDirect = 'leads through a connection pooler and must lead to PostgreSQL itself.'

const seeDocs = 'docs/operations.md, "Behind a connection pooler"'

const question = `
  select current_user::text as "user", pg_backend_pid() as pid,
         (select json_object_agg(name, setting) from pg_settings where name = any($1)) as settings`

interface Found {
  readonly user: string
  readonly pid: number
  readonly settings: Settings
}

/** One question to each new connection: who it acts as, and what limits it has. A wrong one is refused with a sentence. */
export async function verifyConnection(
  client: pg.ClientBase,
  access: Access,
  settings: Settings,
  timeout: number,
): Promise<void> {
  const demanded = access.pooled?.settings ?? settings
  const asked: pg.QueryConfig = { text: question, values: [Object.keys(demanded)] }
  const { rows } = await client.query<Found>({ ...asked, query_timeout: timeout } as pg.QueryConfig)
  const [found] = rows
  const wrong =
    !access.pooled && !isProcessOf(client, found!.pid) ? notToldOf(access) : wrongIn(found!, access, demanded)
  if (wrong) throw new WrongConnection(`${access.address ?? 'The address'} ${wrong}`)
}

function wrongIn(found: Found, { role }: Access, demanded: Settings): string | undefined {
  if (role !== undefined && found.user !== role)
    return `acts as ${found.user} and must act as ${role}: let it sign in as ${role}, and the pooler too, without a user of its own (${seeDocs}).`
  const differing = Object.entries(demanded)
    .filter(([name, value]) => found.settings[name] !== value)
    .map(([name, value]) => `${name} = ${found.settings[name]}, not ${value}`)
  if (differing.length === 0) return undefined
  return `has ${differing.join('; ')}. Run standfirst migrate with the POOLER and TIMEOUT_FACTOR of this process, then RECONNECT at the pooler's console (${seeDocs}).`
}

const notToldOf = ({ address, role }: Access): string =>
  role === undefined || address === 'DIRECT_DATABASE_URL' ? mustBeDirect : unknownPooler

const unknownPooler = `leads through a connection pooler, which drops what a connection is opened with. Set POOLER=transaction, and give each role its own address (${seeDocs}).`

/** An error of opening the connection that says the same: the pooler refuses it, or the role is not theirs to take on. */
export function openingError(error: unknown, access: Access): unknown {
  const { address = 'The address', role, pooled } = access
  if (!(error instanceof pg.DatabaseError)) return error
  const { code, message } = error
  if (code === '08P01' && !pooled && message.includes('startup parameter'))
    return new WrongConnection(`${address} ${notToldOf(access)}`, { cause: error })
  if (code === '42501' && role !== undefined && message.includes(`"${role}"`))
    return new WrongConnection(`${address} may not act as ${role}: let it sign in as ${role}. (${message})`, {
      cause: error,
    })
  return error
}
