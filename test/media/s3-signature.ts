import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

interface SigningAccess {
  readonly key: string
  readonly secret: string
  readonly region: string
  /** The session token of a role's key. */
  readonly token?: string
}

export const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Verifies a signature from the received request, independently of our signing code. */
export function isSigned(request: IncomingMessage, body: Buffer, access: SigningAccess): boolean {
  const { headers, method, url } = request
  const [, credential, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (!credential || !names || !signature) return false
  const [key, day, region, service, end] = credential.split('/')
  const time = String(headers['x-amz-date'])
  const sentAt = Date.parse(time.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'))
  // S3 allows 15 minutes of clock skew.
  const isNow = Math.abs(sentAt - Date.now()) < 900_000
  const needed = ['host', 'x-amz-content-sha256', 'x-amz-date', ...(access.token ? ['x-amz-security-token'] : [])]
  if (headers['x-amz-security-token'] !== access.token) return false
  if (key !== access.key || region !== access.region || service !== 's3' || end !== 'aws4_request') return false
  if (!isNow || day !== time.slice(0, 8) || !needed.every((name) => names.split(';').includes(name))) return false
  if (headers['x-amz-content-sha256'] !== sha256(body)) return false
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = `${method}\n${url}\n\n${lines.join('')}\n${names}\n${sha256(body)}`
  const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/s3/aws4_request\n${sha256(canonical)}`
  const signing = hmac(hmac(hmac(hmac(`AWS4${access.secret}`, day!), region!), 's3'), 'aws4_request')
  return hmac(signing, text).toString('hex') === signature
}
