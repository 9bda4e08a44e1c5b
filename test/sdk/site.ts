import type { AddressInfo } from 'node:net'
import { standfirst } from '@standfirst/sdk'
import { fetchRetrying503 } from '../../testkit/http.ts'
import { writeApiSite } from '../../testkit/write-api.ts'

/** A listening site, and a client that records its requests. */
export async function sdkSite() {
  const { url: databaseUrl, app, admin, writer, key } = await writeApiSite()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const port = (app.server.address() as AddressInfo).port
  const base = `http://127.0.0.1:${port}`

  const asked: Asked[] = []
  const noting: typeof fetch = async (address, init = {}) => {
    const { pathname, search } = new URL(String(address))
    asked.push({ line: `${init.method} ${pathname}${search}`, headers: new Headers(init.headers) })
    return fetchRetrying503(String(address), init)
  }
  /** The REST answer, without the package. */
  const rest = async (path: string) =>
    (await fetchRetrying503(base + path, { headers: { authorization: `Bearer ${key}` } })).json() as Promise<object>
  const site = standfirst({ base, key, fetch: noting })
  return { databaseUrl, admin, writer, key, port, base, asked, noting, rest, site }
}

interface Asked {
  readonly line: string
  readonly headers: Headers
}
