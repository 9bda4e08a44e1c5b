import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook, type WebhookError } from '@standfirst/sdk'
import { cliTranslator } from '#messages/cli.ts'
import { normaliseLine, shortened } from '#platform/text/normalise.ts'
import { CommandError } from './command-support.ts'
import { formatBytes } from './format.ts'

const t = cliTranslator()

export interface Listening {
  readonly port: number
  readonly secret?: string
  /** The status of every response, to test how the site reacts. */
  readonly answer?: number
}

/** Loopback only: it answers anyone, and prints what they send. */
const host = '127.0.0.1'

/** The site sends at most 1 MiB. */
const largestBody = 2 ** 21

/**
 * `standfirst webhook listen`: a receiver for development that verifies like a real one and prints what it received.
 */
export async function listen({ port, secret, answer }: Listening): Promise<void> {
  if (secret !== undefined) await checkSecret(secret)
  const seen = new Set<string>()
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const arrived = new Date()
    const body = await bodyOf(request)
    if (request.method !== 'POST') return send(response, 405, `${t('cli.webhook.post_only')}\n`)
    if (body === undefined)
      return send(response, 413, `${t('cli.webhook.too_large', { size: formatBytes(largestBody) })}\n`)
    const verdict = await judge(request, body, secret)
    const reply = answerTo(verdict, body, answer)
    send(response, reply.status, reply.text)
    console.log(blockOf(arrived, request, body, verdict, reply, seen))
  }
  // A sender that disconnects needs no response.
  const server = createServer((request, response) => void receive(request, response).catch(() => response.destroy()))
  await opened(server, port)
  // Before the address is printed.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close().closeAllConnections())
  greet((server.address() as AddressInfo).port, secret)
}

/** Verified, refused with the reason, or `undefined` without a secret. */
type Verdict = { readonly refused?: WebhookError } | undefined

async function judge({ headers }: IncomingMessage, body: Buffer, secret: string | undefined): Promise<Verdict> {
  if (secret === undefined) return undefined
  return verifyWebhook({ body, headers, secret }).then(
    () => ({}),
    (refused: WebhookError) => ({ refused }),
  )
}

interface Reply {
  readonly status: number
  readonly text: string
}

/** A ping is answered with its challenge, which proves control of the address. */
function answerTo(verdict: Verdict, body: Buffer, answer: number | undefined): Reply {
  if (answer !== undefined) return { status: answer, text: '' }
  if (verdict?.refused) return { status: 400, text: `${verdict.refused.message}\n` }
  const { challenge } = membersOf(body)
  return typeof challenge === 'string' ? { status: 200, text: challenge } : { status: 204, text: '' }
}

function blockOf(
  arrived: Date,
  { headers }: IncomingMessage,
  body: Buffer,
  verdict: Verdict,
  { status }: Reply,
  seen: Set<string>,
): string {
  const id = lineOf(headers['webhook-id']) || t('cli.webhook.no_id')
  const isRepeated = seen.has(id)
  seen.add(id)
  const { title, _service: service } = membersOf(body)
  const { event, sequence } = Object(service)
  const words = [
    `${arrived.toTimeString().slice(0, 8)}  ${lineOf(event) || t('cli.webhook.no_event')}: ${verdictText(verdict)}`,
    lineOf(title),
    t('cli.webhook.attempt', { id, attempt: lineOf(headers['x-service-attempt']) || '?' }),
    isRepeated && t('cli.webhook.repeated'),
    sequence && t('cli.webhook.sequence', { sequence: lineOf(sequence) }),
    t('cli.webhook.answered', { size: body.length, status }),
  ]
  return `${words.filter(Boolean).join('\n          ')}\n`
}

function verdictText(verdict: Verdict): string {
  if (verdict === undefined) return t('cli.webhook.unverified')
  const { refused } = verdict
  return refused
    ? t('cli.webhook.invalid', { code: refused.reason, reason: refused.message })
    : t('cli.webhook.verified')
}

/** As one short line: untrusted text could move the cursor or rewrite lines. */
const lineOf = (value: unknown): string => shortened(normaliseLine(String(value ?? '')), 100)

/** Printed whether or not it is verified. */
function membersOf(body: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(body.toString()))
  } catch {
    return {}
  }
}

/** Undefined if it is too large; the rest is read and dropped, so that the sender gets the response. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= largestBody) chunks.push(chunk)
  }
  return size <= largestBody ? Buffer.concat(chunks) : undefined
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
  response.end(text)
}

/** A delivery without headers is refused for that; an invalid secret is refused before. */
async function checkSecret(secret: string): Promise<void> {
  await verifyWebhook({ body: '', headers: {}, secret }).catch((error: Error) => {
    if (error instanceof TypeError) throw new CommandError(error.message)
  })
}

async function opened(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve)).catch(
    (error: { code?: string }) => {
      if (error.code !== 'EADDRINUSE') throw error
      throw new CommandError(t('cli.port_taken', { port: String(port), option: `--port ${port + 1}` }))
    },
  )
}

function greet(port: number, secret: string | undefined): void {
  const address = `http://${host}:${port}/`
  const option = '--secret whsec_…'
  console.log(`${t('cli.webhook.listening', { address })}

  1. ${t('cli.webhook.step_allow', { setting: `OUTBOUND_ALLOW=${host}:${port}` })}
  2. ${t('cli.webhook.step_save', { path: '/desk/edit/online-presence', address })}
  3. ${secret === undefined ? t('cli.webhook.step_secret', { option }) : t('cli.webhook.step_compare_secret')}
  4. ${t('cli.webhook.step_test')}
`)
  if (secret === undefined) console.log(`${t('cli.webhook.no_secret', { option: '--secret' })}\n`)
}
