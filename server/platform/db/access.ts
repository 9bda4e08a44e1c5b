import pg from 'pg'

/** How a process connects, and as which role its statements run. */
export interface Access {
  readonly url: string
  /** The name of the setting that the URL comes from. */
  readonly address?: string
  /** `current_user` of every statement. */
  readonly role?: string
  /** Set if a pooler in transaction mode may be in between: no session state reaches PostgreSQL. */
  readonly pooled?: Pooled
}

interface Pooled {
  /** What ALTER ROLE sets for the role (`applyRoleSettings`). */
  readonly settings: Settings
  readonly knowsNamedStatements: boolean
}

export type Settings = Readonly<Record<string, string>>

/** The settings that say where the database is. */
interface DatabaseAddresses {
  readonly DATABASE_URL: string | undefined
  readonly PUBLIC_DATABASE_URL: string | undefined
  readonly API_DATABASE_URL: string | undefined
  readonly DESK_DATABASE_URL: string | undefined
  readonly WORKER_DATABASE_URL: string | undefined
  readonly DIRECT_DATABASE_URL: string | undefined
  readonly POOLER: 'none' | 'transaction' | 'prepared'
  readonly TIMEOUT_FACTOR: number
}

const ownAddresses = {
  svc_public: 'PUBLIC_DATABASE_URL',
  svc_api: 'API_DATABASE_URL',
  svc_desk: 'DESK_DATABASE_URL',
  svc_worker: 'WORKER_DATABASE_URL',
} as const

export type Role = keyof typeof ownAddresses

/**
 * As the role itself if it has its own address, else as the owner with SET ROLE, which is impossible through a pooler.
 */
export function accessFor(config: DatabaseAddresses, role: Role): Access | undefined {
  const address = ownAddresses[role]
  const own = config[address]
  if (own) return { url: own, address, role, ...poolerOf(config, role) }
  if (!config.DATABASE_URL || config.POOLER !== 'none') return undefined
  return { url: config.DATABASE_URL, address: 'DATABASE_URL', role }
}

export const replicaAccess = (config: DatabaseAddresses, url: string): Access => ({
  url,
  address: 'REPLICA_DATABASE_URL',
  role: 'svc_public',
  ...poolerOf(config, 'svc_public'),
})

/** A direct connection past the pooler, for LISTEN, as any role. Undefined if no address leads there. */
export function listeningAccess(config: DatabaseAddresses, role: Role): Access | undefined {
  if (config.POOLER === 'none') return accessFor(config, role)
  const url = config.DIRECT_DATABASE_URL
  return url ? { url, address: 'DIRECT_DATABASE_URL' } : undefined
}

/** The job queue both listens and works. */
export function queueAccess(config: DatabaseAddresses): Access | undefined {
  const direct = listeningAccess(config, 'svc_worker')
  return direct ? { ...direct, role: 'svc_worker' } : accessFor(config, 'svc_worker')
}

function poolerOf({ POOLER, TIMEOUT_FACTOR }: DatabaseAddresses, role: Role): Pick<Access, 'pooled'> {
  if (POOLER === 'none') return {}
  return { pooled: { settings: roleSettings(role, TIMEOUT_FACTOR), knowsNamedStatements: POOLER === 'prepared' } }
}

/** Milliseconds, before TIMEOUT_FACTOR. */
export const statementTimeouts: Readonly<Record<Role, number>> = {
  svc_public: 2000,
  svc_api: 2500,
  svc_desk: 2500,
  svc_worker: 5000,
}

/** Settings of every pooled connection, all explicit so that nothing depends on defaults of the role. */
export const poolSettings = (statementTimeout: number, factor: number, others: Settings = {}): Settings => ({
  statement_timeout: String(statementTimeout),
  lock_timeout: String(1000 * factor),
  idle_in_transaction_session_timeout: String(5000 * factor),
  jit: 'off',
  default_transaction_read_only: 'off',
  ...others,
})

/** A second barrier behind the grants of svc_public: public reads cannot write, not even large objects. */
export const readOnly: Settings = { default_transaction_read_only: 'on' }

export const roleSettings = (role: Role, factor: number): Settings =>
  poolSettings(statementTimeouts[role] * factor, factor, role === 'svc_public' ? readOnly : {})

/**
 * Behind a pooler each role gets its settings from PostgreSQL, for this database. Open connections keep the old ones.
 */
export async function applyRoleSettings(client: pg.ClientBase, factor: number): Promise<void> {
  const statements = (Object.keys(ownAddresses) as Role[]).flatMap((role) =>
    Object.entries(roleSettings(role, factor)).map(
      ([name, value]) => `execute format('alter role ${role} in database %I set ${name} = %L', site, '${value}');`,
    ),
  )
  await client.query(`do $$ declare site text := current_database(); begin ${statements.join(' ')} end $$`)
}

/** Sent at connection start, where PostgreSQL itself receives it. */
export const connectionOptions = ({ role, pooled }: Access, settings: Settings): { options?: string } =>
  pooled
    ? {}
    : {
        options: Object.entries({ ...(role ? { role } : {}), ...settings })
          .map(([name, value]) => `-c ${name}=${value}`)
          .join(' '),
      }

/** Begins a transaction with the settings that differ from the role's; plain `begin` if none does. */
export function beginStatement({ pooled }: Access, settings: Settings): string {
  if (!pooled) return 'begin'
  const { default_transaction_read_only: reads, ...others } = Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => pooled.settings[name] !== value),
  )
  const mode = reads === undefined ? '' : reads === 'on' ? ' read only' : ' read write'
  const locals = Object.entries(others).map(([name, value]) => `; set local ${name} = '${value}'`)
  return `begin${mode}${locals.join('')}`
}

/** A connection that is not as its pool requires. No statement runs over it. */
export class WrongConnection extends Error {}

const isProcessOf = (client: pg.ClientBase, pid: number): boolean =>
  (client as unknown as { processID: number }).processID === pid

/** Session state and LISTEN need a session of their own: a pooler shares its sessions. */
export async function assertDirect(client: pg.ClientBase, address: string): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if (!isProcessOf(client, rows[0]!.pid)) throw new WrongConnection(`${address} ${mustBeDirect}`)
}

const mustBeDirect = 'leads through a connection pooler and must lead to PostgreSQL itself.'

const seeDocs = 'docs/operations.md, "Behind a connection pooler"'

const question = `
  select current_user::text as "user", pg_backend_pid() as pid,
         (select json_object_agg(name, setting) from pg_settings where name = any($1)) as settings`

interface ConnectionState {
  readonly user: string
  readonly pid: number
  readonly settings: Settings
}

/** One query on each new connection: its role and its limits. A wrong connection is rejected with an explanation. */
export async function verifyConnection(
  client: pg.ClientBase,
  access: Access,
  settings: Settings,
  timeout: number,
): Promise<void> {
  const demanded = access.pooled?.settings ?? settings
  const asked: pg.QueryConfig = { text: question, values: [Object.keys(demanded)] }
  const { rows } = await client.query<ConnectionState>({ ...asked, query_timeout: timeout } as pg.QueryConfig)
  const [found] = rows
  const wrong =
    !access.pooled && !isProcessOf(client, found!.pid) ? poolerProblem(access) : mismatchIn(found!, access, demanded)
  if (wrong) throw new WrongConnection(`${access.address ?? 'The address'} ${wrong}`)
}

function mismatchIn(found: ConnectionState, { role }: Access, demanded: Settings): string | undefined {
  if (role !== undefined && found.user !== role)
    return `acts as ${found.user} and must act as ${role}: let it sign in as ${role}, and the pooler too, without a user of its own (${seeDocs}).`
  const differing = Object.entries(demanded)
    .filter(([name, value]) => found.settings[name] !== value)
    .map(([name, value]) => `${name} = ${found.settings[name]}, not ${value}`)
  if (differing.length === 0) return undefined
  return `has ${differing.join('; ')}. Run standfirst migrate with the POOLER and TIMEOUT_FACTOR of this process, then RECONNECT at the pooler's console (${seeDocs}).`
}

const poolerProblem = ({ address, role }: Access): string =>
  role === undefined || address === 'DIRECT_DATABASE_URL' ? mustBeDirect : unknownPooler

const unknownPooler = `leads through a connection pooler, which drops what a connection is opened with. Set POOLER=transaction, and give each role its own address (${seeDocs}).`

/** Connection errors with the same cause: the pooler rejects it, or the user may not take the role. */
export function openingError(error: unknown, access: Access): unknown {
  const { address = 'The address', role, pooled } = access
  if (!(error instanceof pg.DatabaseError)) return error
  const { code, message } = error
  if (code === '08P01' && !pooled && message.includes('startup parameter'))
    return new WrongConnection(`${address} ${poolerProblem(access)}`, { cause: error })
  if (code === '42501' && role !== undefined && message.includes(`"${role}"`))
    return new WrongConnection(`${address} may not act as ${role}: let it sign in as ${role}. (${message})`, {
      cause: error,
    })
  return error
}
