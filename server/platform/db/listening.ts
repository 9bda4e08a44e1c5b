import pg from 'pg'
import { demandDirect } from './verify.ts'

const pauseBeforeAnother = 1000

interface Listening {
  readonly url: string
  readonly address?: string
  readonly role?: string
  readonly channel: string
  /** Something was said; or, after a break, may have been. */
  onHeard(payload?: string): void
  onError(error: Error): void
}

/** Hears a channel of PostgreSQL over a connection of its own, which is made anew whenever it breaks. */
export function listenTo({ url, address = 'The address', role, channel, onHeard, onError }: Listening): {
  stop(): Promise<void>
} {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const open = async () => {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'standfirst listening',
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      ...(role ? { options: `-c role=${role}` } : {}),
    })
    client = fresh
    const again = (error: Error) => {
      if (stopped || client !== fresh) return
      client = undefined
      onError(error)
      timer = setTimeout(open, pauseBeforeAnother)
      fresh.end().catch(() => {})
    }
    fresh.on('error', again)
    fresh.on('end', () => again(new Error('the connection for listening ended')))
    fresh.on('notification', ({ payload }) => onHeard(payload))
    try {
      await fresh.connect()
      await demandDirect(fresh, address)
      await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
      onHeard()
    } catch (error) {
      again(error as Error)
    }
  }
  void open()
  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
