import { createPrivateKey } from 'node:crypto'
import type { ClaimedDelivery } from '../../server/features/fediverse/delivery-queue.ts'
import { makeActorKeys } from '../../server/features/fediverse/keys.ts'
import { type SendContext, sendDelivery } from '../../server/features/fediverse/send.ts'
import { urlsFor } from '../../server/features/urls.ts'
import { createOutbound } from '../../server/platform/outbound/outbound.ts'
import { begunSoFar, startFakeInternet } from './fake-internet.ts'
import { bypassForms, forbiddenTargets, targetName } from './zone.ts'

/** Runs inside a network namespace without a route out: what becomes of deliveries to inboxes that must not be called. */

export interface Delivered {
  readonly outcomes: readonly string[]
  /** Connections that the kernel opened. */
  readonly begun: number
}

const { trusted, receiver, names } = await startFakeInternet()
const { privateKey } = await makeActorKeys()
const context: SendContext = {
  outbound: createOutbound({ ownHosts: ['standfirst.example'], nameServers: [names.address], ca: trusted.cert }),
  urls: urlsFor('https://standfirst.example'),
  userAgent: 'a test',
  key: async () => createPrivateKey(privateKey),
  profile: async () => undefined,
  piece: async () => undefined,
}
const inboxes = [
  ...bypassForms.filter((text) => URL.canParse(text)),
  ...forbiddenTargets.map((_, place) => `https://${targetName(place)}/inbox`),
]
const before = begunSoFar()
const outcomes: string[] = []
for (const inbox of inboxes)
  for (const signature of ['draft-cavage', 'rfc9421'] as const) {
    const claimed: Partial<ClaimedDelivery> = {
      inbox,
      signature,
      activity_id: 'an-activity',
      activity_kind: 'accept',
      kind: 'accept',
      actor_id: 'an-actor',
      is_on: true,
      document: { type: 'Accept' },
      attempts: 1,
    }
    const { outcome, is_up } = await sendDelivery(claimed as ClaimedDelivery, context)
    outcomes.push(`${outcome}, ${is_up}`)
  }
const delivered: Delivered = { outcomes, begun: begunSoFar() - before }
receiver.close()
names.close()
process.stdout.write(JSON.stringify(delivered), () => process.exit())
