import { addWebhooks } from '../../../testkit/desk-client.ts'
import { type Answer, good, type Receiver, startReceiver } from '../webhooks/receiver.ts'
import type { Author, Endpoints } from './clients.ts'
import type { Recorder } from './evidence.ts'

/** Three webhook receivers: a good one, a flaky one, and one that never answers in time. */

const flaky = (random: () => number): Answer => {
  const draw = random()
  if (draw < 0.2) return { status: draw < 0.1 ? 500 : 503, after: random() * 20 }
  return draw < 0.3 ? 'reset' : good(random)
}
/** Longer than an attempt may take. */
const tarpit = (): Answer => ({ status: 200, after: 17_000 })

export interface WebhookReceivers {
  /** `host:port` of all, by commas. */
  readonly allow: string
  /** Registers each author's receiver at the desk and waits for its ping. */
  subscribe(endpoints: Endpoints, authors: readonly Author[]): Promise<void>
  /** The server of this author. */
  urlOf(author: Author): string
  /** From now on all answer correctly, including the tarpit. */
  stopFaults(): void
  close(): void
}

export async function startReceivers(random: () => number, record: () => Recorder): Promise<WebhookReceivers> {
  const watch = {
    reached: () => {},
    senderAt: () => undefined,
    arrived: (arrival: Parameters<Recorder['arrived']>[0], body: Buffer) => {
      record().arrived(arrival)
      record().read('a webhook', arrival.at, body.toString('utf8'))
    },
  }
  const receivers: Receiver[] = await Promise.all(
    [good, flaky, tarpit].map((manner) => startReceiver(random, watch, manner)),
  )
  const slugs = new Map<string, number>()
  const receiverOf = (slug: string): Receiver => receivers[slugs.get(slug)!]!
  return {
    allow: receivers.map(({ host }) => host).join(','),
    subscribe: async (endpoints, authors) => {
      for (const [place, { writer }] of authors.entries()) slugs.set(writer.slug, receiverIndex(place))
      await addWebhooks(
        endpoints.desk,
        authors.map(({ writer }) => ({ ...writer, drafts: [] })),
        (slug) => receiverOf(slug).urlOf(slug),
        (slug, secret) => receiverOf(slug).setSecret(slug, secret),
      )
      for (const receiver of receivers) receiver.isFaulty = true
    },
    urlOf: ({ writer }) => receiverOf(writer.slug).urlOf(writer.slug),
    stopFaults: () => {
      for (const receiver of receivers) receiver.isFaulty = false
    },
    close: () => {
      for (const receiver of receivers) receiver.close()
    },
  }
}

/** Of eight writers five have a good one, two a flaky one, one a tarpit. */
const receiverIndex = (place: number): number => (place % 8 === 7 ? 2 : place % 4 === 2 ? 1 : 0)
