import pg from 'pg'

/** Who files: an address, and the role taken on there where it is not signed in as that. */
export interface FilingAccess {
  readonly url: string
  readonly role?: string
}

/** A piece of work is seconds long, and in the middle of it the connection waits for this process to count. */
const longestStatement = 120_000

/** A connection for `fileNext`. Once a query on it failed it is of no more use. */
export async function openFiling({ url, role }: FilingAccess): Promise<pg.Client> {
  const settings = {
    ...(role ? { role } : {}),
    statement_timeout: longestStatement,
    idle_in_transaction_session_timeout: longestStatement,
    jit: 'off',
    // So that a machine that is gone does not keep the hold.
    tcp_keepalives_idle: 30,
    tcp_keepalives_interval: 10,
    tcp_keepalives_count: 3,
  }
  const client = new pg.Client({
    connectionString: url,
    application_name: 'standfirst filing',
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    // The server's own time-out does nothing while the server is frozen.
    query_timeout: longestStatement + 10_000,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  })
  // A connection that breaks fails the next query; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Any number, as long as every process has the same. */
const holdKey = 7_305_325

/** Only one process of a house files at a time, for as long as its connection lasts. False while another does. */
export async function holdFiling(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1::bigint) as held', [holdKey])
  return rows[0]!.held
}

/** SQL: whether any process has that hold on this database now. */
export const isHeld = `exists (
  select from pg_locks join pg_database d on d.oid = database
   where locktype = 'advisory' and classid = 0 and objid = ${holdKey} and objsubid = 1 and granted
     and d.datname = current_database())`
