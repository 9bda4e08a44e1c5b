import { type CallContext, makeCall } from '../../server/features/websub/call.ts'
import type { ClaimedCall } from '../../server/features/websub/call-queue.ts'
import { createSealer } from '../../server/platform/crypto.ts'
import { createOutbound } from '../../server/platform/outbound/outbound.ts'
import { begunSoFar, startFakeInternet } from './fake-internet.ts'
import { bypassForms, forbiddenTargets, targetName } from './zone.ts'

/** Runs inside a network namespace without a route out: what a hub does with callbacks that it must not call. */

export interface Called {
  readonly outcomes: readonly string[]
  /** Connections that the kernel opened. */
  readonly begun: number
}

const { trusted, receiver, names } = await startFakeInternet()
const context: CallContext = {
  outbound: createOutbound({ ownHosts: ['standfirst.example'], nameServers: [names.address], ca: trusted.cert }),
  sealer: createSealer(['a-secret-of-tests-that-everybody-knows']),
  hub: 'https://standfirst.example/desk/websub',
  userAgent: 'a test',
  feed: async () => ({
    self: 'https://standfirst.example/feed.json',
    type: 'application/feed+json',
    bytes: Buffer.from('{}'),
  }),
}

const callbacks = [
  ...bypassForms.filter((text) => URL.canParse(text)),
  ...forbiddenTargets.map((_, place) => `https://${targetName(place)}/`),
]
const before = begunSoFar()
const outcomes: string[] = []
for (const callback of callbacks)
  for (const mode of ['subscribe', 'unsubscribe', 'denied', 'distribute'] as const) {
    const claimed = {
      mode,
      callback,
      topic: 'https://standfirst.example/feed.json',
      key: Buffer.alloc(32),
      attempts: 1,
    }
    const { outcome, is_up } = await makeCall(
      { ...claimed, secret: null, sent: null } as unknown as ClaimedCall,
      context,
    )
    outcomes.push(`${outcome}, ${is_up}`)
  }
const called: Called = { outcomes, begun: begunSoFar() - before }
receiver.close()
names.close()
process.stdout.write(JSON.stringify(called), () => process.exit())
