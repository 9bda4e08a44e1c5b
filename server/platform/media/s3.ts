import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { accessFrom } from './access.ts'
import type { MediaAddress } from './address.ts'
import { hashOfNothing, signed } from './signature.ts'
import type { MediaStore } from './store.ts'

type Bucket = Extract<MediaAddress, { kind: 's3' }>

/** Less than a request to the desk may take, and than the database waits for a transaction that says nothing. */
const longestPut = 6_000
const longestAnswer = 4_000

/** A bucket of an S3 API, by path: `{endpoint}/{bucket}/{hash}`. */
export function s3Store({ endpoint, bucket, region, access }: Bucket): MediaStore {
  const keys = accessFrom(access)
  async function ask(method: string, hash: string, sent?: { bytes: Buffer; type: string }): Promise<Response> {
    const url = new URL(`${endpoint}/${bucket}/${hash}`)
    const headers = signed({
      method,
      url,
      region,
      ...(await keys()),
      // What is put there is named by its own hash.
      bodyHash: sent ? hash : hashOfNothing,
      at: new Date(),
      ...(sent ? { headers: { 'content-type': sent.type } } : {}),
    })
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), sent ? longestPut : longestAnswer)
    try {
      return await fetch(url, {
        method,
        headers,
        redirect: 'error',
        signal: patience.signal,
        ...(sent ? { body: new Uint8Array(sent.bytes) } : {}),
      })
    } finally {
      // From here on it is the reader who takes their time.
      clearTimeout(timer)
    }
  }

  return {
    async put(hash, bytes, type) {
      await done(await ask('PUT', hash, { bytes, type }), 'take')
    },
    async get(hash) {
      const answer = await ask('GET', hash)
      if (answer.status === 404) {
        await answer.body?.cancel()
        return undefined
      }
      if (!answer.ok || !answer.body) throw await failed(answer, 'give')
      return Readable.fromWeb(answer.body as ReadableStream)
    },
    async delete(hash) {
      const answer = await ask('DELETE', hash)
      if (answer.status !== 404) await done(answer, 'delete')
      else await answer.body?.cancel()
    },
  }
}

async function done(answer: Response, act: string): Promise<void> {
  if (!answer.ok) throw await failed(answer, act)
  await answer.body?.cancel()
}

/** Such stores say what is the matter in XML; its code is enough for a log. */
async function failed(answer: Response, act: string): Promise<Error> {
  const code = /<Code>(\w{1,60})<\/Code>/.exec((await answer.text()).slice(0, 2_000))?.[1] ?? ''
  return new Error(`the media store did not ${act} it: ${answer.status} ${code}`.trim())
}
