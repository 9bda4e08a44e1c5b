import { createHash, createHmac } from 'node:crypto'

/** AWS Signature Version 4, in the header, as every S3 API takes it. */

export interface Signing {
  readonly method: string
  readonly url: URL
  readonly region: string
  readonly key: string
  readonly secret: string
  /** Of a role's key. */
  readonly token?: string | undefined
  /** SHA-256 of the body, in hex. */
  readonly bodyHash: string
  readonly at: Date
  /** Further headers to sign. */
  readonly headers?: Readonly<Record<string, string>>
}

export const hashOfNothing = createHash('sha256').digest('hex')

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** All the headers of the request but Host, which whoever sends it writes. */
export function signed({ method, url, region, key, secret, token, bodyHash, at, headers = {} }: Signing) {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const all: Record<string, string> = {
    ...headers,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
    ...(token ? { 'x-amz-security-token': token } : {}),
  }
  const lines = Object.entries({ ...all, host: url.host }).sort(([one], [other]) => (one < other ? -1 : 1))
  const names = lines.map(([name]) => name).join(';')
  const request = [
    method,
    url.pathname,
    url.searchParams.toString(),
    ...lines.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    bodyHash,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(request).digest('hex')].join('\n')
  const signingKey = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, day))
  const signature = hmac(signingKey, toSign).toString('hex')
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${key}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}
