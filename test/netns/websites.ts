import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { lookAt, websiteLimits } from '../../server/features/profiles/website.ts'
import { soughtFor } from '../../server/features/profiles/website-token.ts'
import { readAllowList } from '../../server/platform/outbound/allow-list.ts'
import { createOutbound } from '../../server/platform/outbound/outbound.ts'
import { urlsFor } from '../../server/platform/urls.ts'
import { bypassForms } from './bypass-forms.ts'

/** Runs inside a namespace that has no way out and prints what looking at forbidden websites came to. */

export interface Looked {
  readonly states: readonly string[]
  readonly redirected: Readonly<Record<string, string>>
  /** Connections that the kernel began for the forbidden ones. */
  readonly begun: number
}

// Below, forbidden addresses are looked at on purpose. That must never happen where a packet could leave.
const networks = Object.keys(networkInterfaces())
if (networks.some((name) => name !== 'lo')) throw new Error(`There is a way out: ${networks}`)

const begunSoFar = (): number => {
  const lines = readFileSync('/proc/self/net/snmp', 'utf8').split('\n')
  const [titles, figures] = lines.filter((line) => line.startsWith('Tcp:')).map((line) => line.split(' '))
  return Number(figures![titles!.indexOf('ActiveOpens')])
}

const sought = soughtFor('00000000-0000-4000-8000-000000000000', ['ada'], urlsFor('https://standfirst.example'))
const usual = { ownHosts: ['standfirst.example'], nameServers: ['127.0.0.1:1'], limits: websiteLimits }

const guarded = createOutbound(usual)
const states: string[] = []
for (const form of bypassForms.filter((text) => URL.canParse(text))) {
  states.push((await lookAt(form, sought, guarded)).state)
}
const begun = begunSoFar()

// A website that may be called, and sends us on to where we may not go.
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
  redirected[target] = (await lookAt(`http://127.0.0.1/${at}`, sought, vouched)).state
}
server.close()
const looked: Looked = { states, redirected, begun: begun + (begunSoFar() - begun - targets.length) }
process.stdout.write(JSON.stringify(looked))
