import { createServer } from 'node:http'
import { fetchMetadata, pageLimits } from '../../server/features/link-cards/fetch.ts'
import { createOutbound } from '../../server/platform/outbound/outbound.ts'
import { readAllowList } from '../../server/platform/outbound/rules.ts'
import { begunSoFar, refuseWayOut } from './fake-internet.ts'
import { bypassForms } from './zone.ts'

/** Runs inside a network namespace without a route out and prints what came of links to forbidden addresses. */

export interface Fetched {
  readonly results: readonly string[]
  readonly redirected: readonly string[]
  /** Connections that the kernel opened for the forbidden ones. */
  readonly begun: number
}

refuseWayOut()

const usual = { ownHosts: ['standfirst.example'], nameServers: ['127.0.0.1:1'], limits: pageLimits }
const outcomeOf = async (pages: ReturnType<typeof createOutbound>, url: string) => {
  const found = await fetchMetadata({ pages, userAgent: 'test' }, url)
  return typeof found === 'string' ? found : 'fetched'
}

const guarded = createOutbound(usual)
const results: string[] = []
for (const form of bypassForms.filter((text) => /^https?:/i.test(text) && URL.canParse(text)))
  results.push(await outcomeOf(guarded, form))
const begun = begunSoFar()

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
const redirected: string[] = []
for (const at of targets.keys()) redirected.push(await outcomeOf(vouched, `http://127.0.0.1/${at}`))
server.close()
const fetched: Fetched = { results, redirected, begun: begun + (begunSoFar() - begun - targets.length) }
process.stdout.write(JSON.stringify(fetched))
