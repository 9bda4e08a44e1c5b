import { randomBytes } from 'node:crypto'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type pg from 'pg'
import { addAccount, type NewAccount } from '../server/features/accounts/add.ts'
import { proofOf } from '../server/features/accounts/password.ts'
import { until } from './until.ts'

/** A browser on a page of the site: keeps its cookies, and says where its requests come from. */
export interface DeskBrowser {
  readonly cookies: Map<string, string>
  readonly address: string
  get(path: string): Promise<LightMyRequestResponse>
  post(path: string, body?: object): Promise<LightMyRequestResponse>
  send(method: InjectOptions['method'], path: string, body?: object): Promise<LightMyRequestResponse>
}

/** An address nobody else comes from. */
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
    // On a loaded machine the server may be too busy to let anyone in; that is no answer to what was asked.
    const answer = await until(async () => {
      const one = await app.inject(request)
      return !/The service is busy/.test(one.body) && one
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

/** Of the least cost: what is asked here is seldom how long a password takes, and the real cost is half a second. */
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
