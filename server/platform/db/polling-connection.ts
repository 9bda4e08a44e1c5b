import pg from 'pg'
import { assertDirect } from './access.ts'

/** How long a server may be silent before it counts as frozen. */
const patience = 1000

export interface Loss {
  readonly error: Error
  /** No connection could be opened; otherwise it was lost. */
  readonly atOpening: boolean
  /** It did not answer at all: frozen, or the network is cut. */
  readonly isSilent: boolean
}

interface PollingOptions<Row> {
  readonly url: string
  readonly role?: string
  /** The application_name of the connection. */
  readonly name: string
  readonly query: string
  /** Listened to over the same connection. */
  readonly channel?: string
  onNotification?(): void
  onQuery?(): void
  /** Returns the milliseconds until the next query. */
  onAnswer(row: Row): number
  /** Returns the milliseconds until the next connection attempt. */
  onLost(loss: Loss): number
}

export interface Poller {
  /** Sends the next query immediately. */
  now(): void
  stop(): Promise<void>
}

/** Repeats one query over a dedicated connection, and reconnects when it breaks or stops answering. */
export function startPolling<Row extends pg.QueryResultRow>(options: PollingOptions<Row>): Poller {
  let stopped = false
  let isRequested = false
  let wakeUp = () => {}
  const sleep = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const pollOver = async (connection: PollingConnection) => {
    await connection.open()
    if (options.channel) await connection.listen(options.channel)
    connection.isOpen = true
    while (!stopped) {
      isRequested = false
      options.onQuery?.()
      const pause = options.onAnswer(await connection.ask<Row>(options.query))
      if (!isRequested && !stopped) await sleep(pause)
      if (connection.lost) throw connection.lost
    }
  }
  const run = async () => {
    while (!stopped) {
      const connection = new PollingConnection(options, {
        onNotification: () => options.onNotification?.(),
        onLost: () => wakeUp(),
      })
      try {
        await pollOver(connection)
      } catch (error) {
        connection.end()
        const { isSilent, isOpen } = connection
        const pause = stopped
          ? 0
          : options.onLost({ error: connection.lost ?? (error as Error), atOpening: !isOpen, isSilent })
        if (!stopped) await sleep(pause)
      }
      connection.end()
    }
  }
  const running = run()
  return {
    now: () => {
      isRequested = true
      // A lost connection keeps its own retry interval.
      wakeUp()
    },
    stop: async () => {
      stopped = true
      wakeUp()
      await running
    },
  }
}

/** One connection with a timeout on every answer. */
class PollingConnection {
  readonly #client: pg.Client
  isOpen = false
  isSilent = false
  lost: Error | undefined

  constructor(
    { url, role, name }: Pick<PollingOptions<never>, 'url' | 'role' | 'name'>,
    callbacks: { onNotification(): void; onLost(): void },
  ) {
    this.#client = new pg.Client({
      connectionString: url,
      application_name: `standfirst ${name}`,
      keepAlive: true,
      ...(role ? { options: `-c role=${role}` } : {}),
    })
    const onLost = (error: Error) => {
      this.lost ??= error
      callbacks.onLost()
    }
    this.#client.on('error', onLost)
    this.#client.on('end', () => onLost(new Error('the connection ended')))
    this.#client.on('notification', callbacks.onNotification)
  }

  async open(): Promise<void> {
    await this.#within(this.#client.connect())
  }

  async listen(channel: string): Promise<void> {
    await this.#within(assertDirect(this.#client, 'The address of the primary'))
    await this.ask(`listen ${pg.escapeIdentifier(channel)}`)
  }

  async ask<Row extends pg.QueryResultRow>(text: string): Promise<Row> {
    const { rows } = await this.#within(this.#client.query<Row>(text))
    return rows[0]!
  }

  async #within<T>(answer: Promise<T>): Promise<T> {
    let isAnswered = false
    const giveUp = () => {
      if (isAnswered) return
      this.isSilent = true
      this.lost ??= new Error(`no answer within ${patience} ms`)
      this.end()
    }
    // If this process was blocked, the answer may already be in the socket: two turns of the event loop read it first.
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), patience)
    try {
      return await answer
    } finally {
      isAnswered = true
      clearTimeout(timer)
    }
  }

  /** Without a regular close, which a frozen server would never answer. */
  end(): void {
    const { connection } = this.#client as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
  }
}
