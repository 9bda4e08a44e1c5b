import type pg from 'pg'
import type { Config } from '../config.ts'

/** How a process signs in, and as whom its statements run. */
export interface Access {
  readonly url: string
  /** The setting that the address is of. */
  readonly address?: string
  /** `current_user` of every statement. */
  readonly role?: string
  /** Given where a pooler in transaction mode may be in between: nothing that belongs to a session reaches PostgreSQL. */
  readonly pooled?: Pooled
}

interface Pooled {
  /** What the role brings along, by ALTER ROLE (`giveRolesTheirSettings`). */
  readonly settings: Settings
  readonly knowsNamedStatements: boolean
}

export type Settings = Readonly<Record<string, string>>

const ownAddresses = {
  svc_public: 'PUBLIC_DATABASE_URL',
  svc_api: 'API_DATABASE_URL',
  svc_desk: 'DESK_DATABASE_URL',
  svc_worker: 'WORKER_DATABASE_URL',
} as const

export type Role = keyof typeof ownAddresses

/** As the role itself where it has an address of its own, else as the owner who takes it on, which no pooler can do. */
export function accessFor(config: Config, role: Role): Access | undefined {
  const address = ownAddresses[role]
  const own = config[address]
  if (own) return { url: own, address, role, ...poolerOf(config, role) }
  if (!config.DATABASE_URL || config.POOLER !== 'none') return undefined
  return { url: config.DATABASE_URL, address: 'DATABASE_URL', role }
}

export const replicaAccess = (config: Config, url: string): Access => ({
  url,
  address: 'REPLICA_DATABASE_URL',
  role: 'svc_public',
  ...poolerOf(config, 'svc_public'),
})

/** Past the pooler, where PostgreSQL itself can be heard, as whoever it is. Undefined where no address leads there. */
export function listeningAccess(config: Config, role: Role): Access | undefined {
  if (config.POOLER === 'none') return accessFor(config, role)
  const url = config.DIRECT_DATABASE_URL
  return url ? { url, address: 'DIRECT_DATABASE_URL' } : undefined
}

/** The job queue both hears and works. */
export function queueAccess(config: Config): Access | undefined {
  const direct = listeningAccess(config, 'svc_worker')
  return direct ? { ...direct, role: 'svc_worker' } : accessFor(config, 'svc_worker')
}

function poolerOf({ POOLER, TIMEOUT_FACTOR }: Config, role: Role): Pick<Access, 'pooled'> {
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

/** What every connection of a pool has: all of it said, so that nothing depends on what the role brings along. */
export const poolSettings = (statementTimeout: number, factor: number, others: Settings = {}): Settings => ({
  statement_timeout: String(statementTimeout),
  lock_timeout: String(1000 * factor),
  idle_in_transaction_session_timeout: String(5000 * factor),
  jit: 'off',
  default_transaction_read_only: 'off',
  ...others,
})

/** Behind the rights of svc_public: nothing a public read runs may write, not even a large object. */
export const readOnly: Settings = { default_transaction_read_only: 'on' }

export const roleSettings = (role: Role, factor: number): Settings =>
  poolSettings(statementTimeouts[role] * factor, factor, role === 'svc_public' ? readOnly : {})

/** Behind a pooler each role has them from PostgreSQL, in this database. Connections that are open keep what they had. */
export async function giveRolesTheirSettings(client: pg.ClientBase, factor: number): Promise<void> {
  const statements = (Object.keys(ownAddresses) as Role[]).flatMap((role) =>
    Object.entries(roleSettings(role, factor)).map(
      ([name, value]) => `execute format('alter role ${role} in database %I set ${name} = %L', site, '${value}');`,
    ),
  )
  await client.query(`do $$ declare site text := current_database(); begin ${statements.join(' ')} end $$`)
}

/** Said when the connection is opened, where PostgreSQL itself hears it. */
export const startingWith = ({ role, pooled }: Access, settings: Settings): { options?: string } =>
  pooled
    ? {}
    : {
        options: Object.entries({ ...(role ? { role } : {}), ...settings })
          .map(([name, value]) => `-c ${name}=${value}`)
          .join(' '),
      }

/** Begins a transaction with what the role does not bring along; plain `begin` where it brings all. */
export function beginWith({ pooled }: Access, settings: Settings): string {
  if (!pooled) return 'begin'
  const { default_transaction_read_only: reads, ...others } = Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => pooled.settings[name] !== value),
  )
  const mode = reads === undefined ? '' : reads === 'on' ? ' read only' : ' read write'
  const locals = Object.entries(others).map(([name, value]) => `; set local ${name} = '${value}'`)
  return `begin${mode}${locals.join('')}`
}
