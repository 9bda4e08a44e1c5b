import { giveWebhooks } from '../../../testkit/desk-client.ts'
import { type Answer, good, type Receiver, startReceiver } from '../webhooks/receiver.ts'
import type { Author, Endpoints } from './people.ts'
import type { Recorder } from './recorder.ts'

/** Three servers that writers gave for their webhooks: one that answers, one that often does not, one that never does in time. */

const flaky = (random: () => number): Answer => {
  const draw = random()
  if (draw < 0.2) return { status: draw < 0.1 ? 500 : 503, after: random() * 20 }
  return draw < 0.3 ? 'reset' : good(random)
}
/** Longer than an attempt may take. */
const tarpit = (): Answer => ({ status: 200, after: 17_000 })

export interface MailRoom {
  /** `host:port` of all, by commas. */
  readonly allow: string
  /** The address of one author's server goes to the desk, and is proven. */
  subscribe(endpoints: Endpoints, authors: readonly Author[]): Promise<void>
  /** The server of this author. */
  urlOf(author: Author): string
  /** From now on they behave; the tarpit too. */
  calm(): void
  close(): void
}

export async function openMailRoom(random: () => number, record: () => Recorder): Promise<MailRoom> {
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
      for (const [place, { writer }] of authors.entries()) slugs.set(writer.slug, mannerAt(place))
      await giveWebhooks(
        endpoints.desk,
        authors.map(({ writer }) => ({ ...writer, drafts: [] })),
        (slug) => receiverOf(slug).urlOf(slug),
        (slug, secret) => receiverOf(slug).trust(slug, secret),
      )
      for (const receiver of receivers) receiver.isFaulty = true
    },
    urlOf: ({ writer }) => receiverOf(writer.slug).urlOf(writer.slug),
    calm: () => {
      for (const receiver of receivers) receiver.isFaulty = false
    },
    close: () => {
      for (const receiver of receivers) receiver.close()
    },
  }
}

/** Of eight writers five have a good one, two a flaky one, one a tarpit. */
const mannerAt = (place: number): number => (place % 8 === 7 ? 2 : place % 4 === 2 ? 1 : 0)
