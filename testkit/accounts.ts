import assert from 'node:assert/strict'
import crypto, {
  type BinaryLike,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  type ScryptOptions,
  sign,
} from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after, mock } from 'node:test'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type pg from 'pg'
import { proofOf } from '../server/features/accounts/passwords.ts'
import { addAccount, type NewAccount } from '../server/features/accounts/sign-up.ts'
import { until } from './waiting.ts'

/** A browser on a page of the site: keeps cookies and sends Sec-Fetch-Site. */
export interface DeskBrowser {
  readonly cookies: Map<string, string>
  readonly address: string
  get(path: string): Promise<LightMyRequestResponse>
  post(path: string, body?: object): Promise<LightMyRequestResponse>
  send(method: InjectOptions['method'], path: string, body?: object): Promise<LightMyRequestResponse>
}

/** A unique client address. */
export const anyAddress = (): string =>
  `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`

export function openDesk(app: FastifyInstance, address = anyAddress(), userAgent = 'A browser'): DeskBrowser {
  const cookies = new Map<string, string>()
  const send: DeskBrowser['send'] = async (method, path, body) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const request: InjectOptions = {
      method: method ?? 'GET',
      url: `/desk/api${path}`,
      remoteAddress: address,
      headers: { 'sec-fetch-site': 'same-origin', 'user-agent': userAgent, ...(cookie ? { cookie } : {}) },
      ...(body ? { payload: body } : {}),
    }
    // Retries when the server is busy: on a loaded machine that is not the answer under test.
    const answer = await until(async () => {
      const one = await app.inject(request)
      return !/The site is busy/.test(one.body) && one
    }, `${path} is answered by a server that is not busy`)
    for (const { name, value, maxAge } of answer.cookies) {
      if (maxAge === 0) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  return {
    cookies,
    address,
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
  }
}

export const goodPassword = 'correct horse battery staple'

export const anyEmail = (): string => `p${randomBytes(5).toString('hex')}@site.test`

/** A browser that has signed in. */
export async function signIn(
  app: FastifyInstance,
  email: string,
  { password = goodPassword, browser = openDesk(app) } = {},
): Promise<DeskBrowser> {
  const answer = await browser.post('/sign-in', { email, password })
  assert.equal(answer.statusCode, 200, answer.body)
  return browser
}

/** At the lowest cost: tests rarely measure passwords, and the real cost is half a second. */
const cheapParams = `scrypt$1$8$1$${randomBytes(16).toString('base64url')}`

/** An account with a confirmed address; a writer unless said otherwise. */
export async function makeAccount(
  admin: pg.Pool,
  given: Partial<NewAccount> = {},
  cost: 'cheap' | 'real' = 'cheap',
): Promise<{ id: string; email: string }> {
  const email = given.email ?? anyEmail()
  const account: NewAccount = { email, name: 'A Person', role: 'writer', password: goodPassword, ...given }
  const { password } = account
  const client = await admin.connect()
  try {
    if (cost === 'real' || password === undefined) return { id: await addAccount(client, account), email }
    const { password: _, ...withoutOne } = account
    const id = await addAccount(client, withoutOne)
    await client.query('update app.accounts set password_params = $2, password_proof = $3 where id = $1', [
      id,
      cheapParams,
      await proofOf(password, cheapParams),
    ])
    return { id, email }
  } finally {
    client.release()
  }
}

/**
 * Passwords are derived at the least cost until the file is over: the real cost is half a second of a processor each.
 * Answers with the options of each call, as the server asked for them.
 */
export function cheapScrypt(): ScryptOptions[] {
  const { scrypt } = crypto
  const calls: ScryptOptions[] = []
  const cheap = (
    password: BinaryLike,
    salt: BinaryLike,
    length: number,
    options: ScryptOptions,
    done: (error: Error | null, key: Buffer) => void,
  ) => {
    calls.push(options)
    scrypt(password, salt, length, { ...options, N: 2, p: 1 }, done)
  }
  const { mock: replaced } = mock.method(crypto, 'scrypt', cheap)
  syncBuiltinESMExports()
  after(() => {
    replaced.restore()
    syncBuiltinESMExports()
  })
  return calls
}

/** A passkey in software: makes a credential and signs with it, as an authenticator that keeps no counter does. */

interface PasskeyOptions {
  readonly credentialId?: Buffer
  /** Bytes beside the key's own that no key needs. */
  readonly padding?: number
  readonly id?: string
  /** What the browser says beside the challenge, such as that another site framed the page. */
  readonly clientData?: object
  readonly transports?: readonly string[]
}

export interface SoftPasskey {
  readonly id: string
  readonly privateKey: KeyObject
  /** What a browser sends to register it. */
  readonly credential: object
}

const origin = 'https://site.test'
/** Present and verified; counter 0. */
const flags = 0x05

export function makeSoftPasskey({ challenge }: { challenge: string }, given: PasskeyOptions = {}): SoftPasskey {
  const {
    credentialId = randomBytes(32),
    padding: ballast = 0,
    transports = ['internal', 'hybrid', 'smart-card'],
  } = given
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key = new Map<Cbor, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
  if (ballast > 0) key.set(-70_000, Buffer.alloc(ballast))
  const length = Buffer.alloc(2)
  length.writeUInt16BE(credentialId.length)
  // With a credential; of no maker.
  const authData = Buffer.concat([
    authenticatorData(flags | 0x40),
    Buffer.alloc(16),
    length,
    credentialId,
    encoded(key),
  ])
  const attestation = new Map<Cbor, Cbor>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  const id = given.id ?? (credentialId.subarray(0, 1000).toString('base64url') || 'AAAA')
  const response = {
    clientDataJSON: clientData('webauthn.create', challenge, given.clientData).toString('base64url'),
    attestationObject: encoded(attestation).toString('base64url'),
    transports,
  }
  return { id, privateKey, credential: { ...credential(id), response } }
}

/** What a browser sends to sign in with it. */
export function signWithSoftPasskey(
  { id, privateKey }: SoftPasskey,
  { challenge }: { challenge: string },
  said: object = {},
): object {
  const data = authenticatorData(flags)
  const client = clientData('webauthn.get', challenge, said)
  const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
  const response = {
    clientDataJSON: client.toString('base64url'),
    authenticatorData: data.toString('base64url'),
    signature: sign('sha256', signed, privateKey).toString('base64url'),
  }
  return { ...credential(id), response }
}

const credential = (id: string) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} })

const clientData = (type: string, challenge: string, said: object = {}): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, ...said }))

const authenticatorData = (bits: number): Buffer =>
  Buffer.concat([createHash('sha256').update(new URL(origin).hostname).digest(), Buffer.from([bits, 0, 0, 0, 0])])

type Cbor = number | string | Buffer | Map<Cbor, Cbor>

/** As much of RFC 8949 as a passkey needs. */
function encoded(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(encoded)])
}

/** The shortest form, which is the only one that authenticators write. */
function head(kind: number, count: number): Buffer {
  const first = kind << 5
  if (count < 24) return Buffer.from([first | count])
  const size = count < 0x100 ? 1 : count < 0x10000 ? 2 : 4
  const bytes = Buffer.alloc(1 + size)
  bytes.writeUInt8(first | (size === 4 ? 26 : 23 + size))
  bytes.writeUIntBE(count, 1, size)
  return bytes
}
