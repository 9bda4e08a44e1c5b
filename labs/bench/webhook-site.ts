import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { callPublishFunction, fillWebhookDelivery, pieceNow } from '../../server/features/pieces/publish.ts'
import { signReceipt } from '../../server/features/pieces/receipts/receipts.ts'
import { renderPiece } from '../../server/features/pieces/rendering/render-piece.ts'
import { urlsFor } from '../../server/features/urls.ts'
import { newSecret } from '../../server/features/webhooks/secrets.ts'
import { createSealer, createSigner, hashOf, secretToken } from '../../server/platform/crypto.ts'
import { writePiece } from '../../server/seed/prose.ts'
import { migrate } from '../../server/sql/migrate.ts'
import { asDesk, type MadeWriter, makeDraft, makeWriter } from '../../testkit/factories.ts'
import { createDatabase, databaseUrl } from './cluster.ts'
import type { Arrivals, Order, Ports } from './webhook-receiver.ts'

/** A site with webhooks that are live, one worker as shipped, and the servers it calls. */

const key = 'not a secret: a bench on one machine'
const base = 'http://127.0.0.1'

export interface Published {
  readonly piece: string
  /** When everything but the commit was done. */
  readonly at: number
}

export interface WebhookSite {
  readonly admin: pg.Pool
  readonly worker: ChildProcess
  readonly ports: Ports
  addWriter(port: number): Promise<MadeWriter>
  tell(order: Order): Promise<unknown>
  arrivals(): Promise<Arrivals>
  publish(writer: MadeWriter): Promise<Published>
}

export async function withWebhooks<T>(work: (site: WebhookSite) => Promise<T>): Promise<T> {
  await createDatabase('webhooks')
  const url = databaseUrl('webhooks')
  await migrate(url)
  const admin = new pg.Pool({ connectionString: url, max: 8 })
  const receiver = new Worker(new URL('./webhook-receiver.ts', import.meta.url))
  const [ports] = (await once(receiver, 'message')) as [Ports]
  const worker = await startWorker(url, ports)
  const tell: WebhookSite['tell'] = async (order) => {
    receiver.postMessage(order)
    return (await once(receiver, 'message'))[0]
  }
  try {
    return await work({
      admin,
      worker,
      ports,
      addWriter: (port) => addWriter(admin, port),
      tell,
      arrivals: async () => (await tell({ say: 'arrivals' })) as Arrivals,
      publish: (writer) => publish(admin, writer),
    })
  } finally {
    worker.kill('SIGKILL')
    await receiver.terminate()
    await admin.end()
  }
}

async function startWorker(url: string, ports: Ports): Promise<ChildProcess> {
  const cli = fileURLToPath(new URL('../../server/commands/cli.ts', import.meta.url))
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: url,
    BASE_URL: base,
    OUTBOUND_ALLOW: Object.values(ports)
      .map((port) => `127.0.0.1:${port}`)
      .join(),
    AUTH_SECRET: key,
    SECRETS_KEY: key,
    SMTP_URL: 'smtp://127.0.0.1:1',
  }
  const child = spawn(process.execPath, [cli, 'worker'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const text of child.stdout!) if (String(text).includes('"working"')) break
  child.stdout!.resume()
  return child
}

let served = 0

/** Live, as after an answered ping; the ping itself is not measured. */
async function addWriter(admin: pg.Pool, port: number): Promise<MadeWriter> {
  const writer = await makeWriter(admin)
  served += 1
  const sealed = createSealer([key]).seal(newSecret().secret, writer.id)
  await admin.query(
    `insert into app.webhooks (writer_id, url, state, secret, secret_hint, live_since, proven_at)
     values ($1, $2, 'live', $3, '…', now(), now())`,
    [writer.id, `http://127.0.0.1:${port}/${served}`, sealed],
  )
  return writer
}

let written = 0
const urls = urlsFor(base)
const signer = createSigner(key)

/** Publishes like the desk: the piece and its webhook payload in one transaction. */
async function publish(admin: pg.Pool, writer: MadeWriter): Promise<Published> {
  const { headline, bodyMd: body_md } = writePiece(9, written)
  written += 1
  const pieceId = await makeDraft(admin, writer, { headline, body_md })
  const rendering = renderPiece({ headline, sub: null, body_md })
  const { token: nonce, hash } = secretToken()
  const sessionHash = hashOf(writer.sessionToken)
  const at = await asDesk(admin, writer, async (client) => {
    await client.query('select app.make_nonce($1, $2, 1, $3)', [pieceId, sessionHash, hash])
    await callPublishFunction(client, 'publish', { pieceId, sessionHash, nonce, rendering })
    const piece = await pieceNow(client, urls, pieceId)
    await signReceipt(client, signer, pieceId, piece)
    await fillWebhookDelivery(client, pieceId, piece)
    const { rows } = await client.query<{ at: number }>(
      'select 1000 * extract(epoch from clock_timestamp())::double precision as at',
    )
    return rows[0]!.at
  })
  return { piece: pieceId, at }
}
