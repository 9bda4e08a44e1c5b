import { parentPort, workerData } from 'node:worker_threads'
import { loadPieces } from './load.ts'
import type { SitePlan } from './site-plan.ts'

/** Generates and loads the slices it receives until it gets 'end'. */
const { databaseUrl, plan } = workerData as { databaseUrl: string; plan: SitePlan }
const port = parentPort!

port.on('message', async (slice: { from: number; to: number } | 'end') => {
  if (slice === 'end') return port.close()
  await loadPieces(databaseUrl, plan, slice.from, slice.to, (rows) => port.postMessage(rows))
  port.postMessage('slice done')
})
