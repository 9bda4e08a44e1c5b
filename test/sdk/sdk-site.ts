import type { AddressInfo } from 'node:net'
import { standfirst } from '@standfirst/sdk'
import { patientFetch } from '../../testkit/retry-fetch.ts'
import { writingSite } from '../../testkit/write-api.ts'

/** A site that listens, and a client of it that notes what it asks. */
export async function sdkSite() {
  const { url: databaseUrl, app, admin, writer, key } = await writingSite()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const port = (app.server.address() as AddressInfo).port
  const base = `http://127.0.0.1:${port}`

  const asked: Asked[] = []
  const noting: typeof fetch = async (address, init = {}) => {
    const { pathname, search } = new URL(String(address))
    asked.push({ line: `${init.method} ${pathname}${search}`, headers: new Headers(init.headers) })
    return patientFetch(String(address), init)
  }
  /** What REST answers, without the package. */
  const rest = async (path: string) =>
    (await patientFetch(base + path, { headers: { authorization: `Bearer ${key}` } })).json() as Promise<object>
  const site = standfirst({ base, key, fetch: noting })
  return { databaseUrl, admin, writer, key, port, base, asked, noting, rest, site }
}

interface Asked {
  readonly line: string
  readonly headers: Headers
}
