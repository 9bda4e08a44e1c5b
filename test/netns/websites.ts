import { createServer } from 'node:http'
import { fetchAndCheck, websiteLimits } from '../../server/features/profiles/website.ts'
import { expectedProof } from '../../server/features/profiles/website-token.ts'
import { urlsFor } from '../../server/features/urls.ts'
import { createOutbound } from '../../server/platform/outbound/outbound.ts'
import { readAllowList } from '../../server/platform/outbound/rules.ts'
import { begunSoFar, refuseWayOut } from './fake-internet.ts'
import { bypassForms } from './zone.ts'

/** Runs inside a network namespace without a route out and prints the outcome of fetching forbidden websites. */

export interface Looked {
  readonly states: readonly string[]
  readonly redirected: Readonly<Record<string, string>>
  /** Connections that the kernel opened for the forbidden ones. */
  readonly begun: number
}

refuseWayOut()

const sought = expectedProof('00000000-0000-4000-8000-000000000000', ['ada'], urlsFor('https://standfirst.example'))
const usual = { ownHosts: ['standfirst.example'], nameServers: ['127.0.0.1:1'], limits: websiteLimits }

const guarded = createOutbound(usual)
const states: string[] = []
for (const form of bypassForms.filter((text) => URL.canParse(text))) {
  states.push((await fetchAndCheck(form, sought, guarded)).state)
}
const begun = begunSoFar()

// An allowed website that redirects to a forbidden one.
const targets = [
  'http://127.0.0.1:81/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]:81/',
  'file:///etc/passwd',
]
const server = createServer(({ url }, answer) => {
  answer.writeHead(302, { location: targets[Number(url!.slice(1))]! }).end()
})
await new Promise<void>((resolve) => server.listen(80, '127.0.0.1', resolve))
const vouched = createOutbound({ ...usual, allow: readAllowList('127.0.0.1:80')! })
const redirected: Record<string, string> = {}
for (const [at, target] of targets.entries()) {
  redirected[target] = (await fetchAndCheck(`http://127.0.0.1/${at}`, sought, vouched)).state
}
server.close()
const looked: Looked = { states, redirected, begun: begun + (begunSoFar() - begun - targets.length) }
process.stdout.write(JSON.stringify(looked))
