import { actorLimits, createRemoteActors } from '../../server/features/fediverse/remote-actors.ts'
import { createOutbound } from '../../server/platform/outbound/outbound.ts'
import { begunSoFar, startFakeInternet } from './fake-internet.ts'
import { bypassForms, forbiddenTargets, targetName } from './zone.ts'

/** Runs inside a network namespace without a route out: accounts at addresses that an inbox must not fetch. */

export interface Fetched {
  readonly outcomes: readonly string[]
  /** Connections that the kernel opened. */
  readonly begun: number
}

const { trusted, receiver, names } = await startFakeInternet()
const outbound = createOutbound({
  ownHosts: ['standfirst.example'],
  nameServers: [names.address],
  ca: trusted.cert,
  limits: actorLimits,
})
// A site whose actors have no key that it can decrypt asks without a signature.
const accounts = createRemoteActors(outbound, async () => undefined)

const addresses = [
  ...bypassForms.filter((text) => URL.canParse(text)),
  ...forbiddenTargets.map((_, place) => `https://${targetName(place)}/users/ada`),
]
const before = begunSoFar()
const outcomes: string[] = []
for (const address of addresses) outcomes.push(String(await accounts.get(address, undefined)))
const fetched: Fetched = { outcomes, begun: begunSoFar() - before }
receiver.close()
names.close()
process.stdout.write(JSON.stringify(fetched), () => process.exit())
