import pg from 'pg'
import { demandDirect } from './verify.ts'

/** How long a server may be silent before it counts as frozen. */
const patience = 1000

export interface Loss {
  readonly error: Error
  /** There was no connection to be had; else it was lost. */
  readonly atOpening: boolean
  /** It said nothing at all: frozen, or the way to it is cut. */
  readonly isSilent: boolean
}

interface Asking<Row> {
  readonly url: string
  readonly role?: string
  /** What PostgreSQL calls the connection. */
  readonly name: string
  readonly question: string
  /** Heard over the same connection. */
  readonly channel?: string
  onHeard?(): void
  onAsk?(): void
  /** Answers with the milliseconds until the next question. */
  onAnswer(row: Row): number
  /** Answers with the milliseconds until another connection is tried. */
  onLost(loss: Loss): number
}

export interface Asker {
  /** The next question does not wait. */
  now(): void
  stop(): Promise<void>
}

/** One question again and again, over a connection of its own, which is made anew when it breaks or falls silent. */
export function keepAsking<Row extends pg.QueryResultRow>(asking: Asking<Row>): Asker {
  let stopped = false
  let isWanted = false
  let rouse = () => {}
  const rest = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const askOver = async (link: Link) => {
    await link.open()
    if (asking.channel) await link.listen(asking.channel)
    link.isOpen = true
    while (!stopped) {
      isWanted = false
      asking.onAsk?.()
      const pause = asking.onAnswer(await link.ask<Row>(asking.question))
      if (!isWanted && !stopped) await rest(pause)
      if (link.lost) throw link.lost
    }
  }
  const run = async () => {
    while (!stopped) {
      const link = new Link(asking, {
        onHeard: () => asking.onHeard?.(),
        onLost: () => rouse(),
      })
      try {
        await askOver(link)
      } catch (error) {
        link.end()
        const { isSilent, isOpen } = link
        const pause = stopped
          ? 0
          : asking.onLost({ error: link.lost ?? (error as Error), atOpening: !isOpen, isSilent })
        if (!stopped) await rest(pause)
      }
      link.end()
    }
  }
  const running = run()
  return {
    now: () => {
      isWanted = true
      // A connection that was lost is tried again by its own time.
      rouse()
    },
    stop: async () => {
      stopped = true
      rouse()
      await running
    },
  }
}

/** One connection, which waits for no answer longer than its patience. */
class Link {
  readonly #client: pg.Client
  isOpen = false
  isSilent = false
  lost: Error | undefined

  constructor(
    { url, role, name }: Pick<Asking<never>, 'url' | 'role' | 'name'>,
    told: { onHeard(): void; onLost(): void },
  ) {
    this.#client = new pg.Client({
      connectionString: url,
      application_name: `standfirst ${name}`,
      keepAlive: true,
      ...(role ? { options: `-c role=${role}` } : {}),
    })
    const onLost = (error: Error) => {
      this.lost ??= error
      told.onLost()
    }
    this.#client.on('error', onLost)
    this.#client.on('end', () => onLost(new Error('the connection ended')))
    this.#client.on('notification', told.onHeard)
  }

  async open(): Promise<void> {
    await this.#within(this.#client.connect())
  }

  async listen(channel: string): Promise<void> {
    await this.#within(demandDirect(this.#client, 'The address of the primary'))
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
    // Where we were late ourselves the answer may lie there: what has arrived is read before this is called.
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), patience)
    try {
      return await answer
    } finally {
      isAnswered = true
      clearTimeout(timer)
    }
  }

  /** Without a goodbye, for which a frozen server would let one wait. */
  end(): void {
    const { connection } = this.#client as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
  }
}
