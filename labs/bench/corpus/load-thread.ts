import { parentPort, workerData } from 'node:worker_threads'
import { type LoadWork, openLoader } from './load-rows.ts'

/** Makes and loads the slices it is dealt, until told to end. */
const port = parentPort!
const loader = await openLoader(workerData as LoadWork)

port.on('message', async (slice: { from: number; to: number } | 'end') => {
  if (slice === 'end') {
    await loader.close()
    return port.close()
  }
  await loader.load(slice.from, slice.to, (rows) => port.postMessage(rows))
  port.postMessage('slice done')
})
port.postMessage('slice done')
