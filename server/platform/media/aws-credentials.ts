import { readFile } from 'node:fs/promises'

/** Credentials for a bucket: a fixed key, or those of an AWS role, which expire and are renewed. */
export interface Access {
  readonly key: string
  readonly secret: string
  /** Session token of a role. */
  readonly token?: string | undefined
}

export type AccessSource =
  | { readonly kind: 'keys'; readonly key: string; readonly secret: string }
  | { readonly kind: 'web identity'; readonly role: string; readonly tokenFile: string; readonly endpoint: string }
  | { readonly kind: 'container'; readonly url: string; readonly tokenFile: string | undefined }
  | { readonly kind: 'instance'; readonly endpoint: string }

export const instanceEndpoint = 'http://169.254.169.254'
export const taskEndpoint = 'http://169.254.170.2'

interface ExpiringAccess extends Access {
  readonly ends: number
}

/** AWS provides new credentials at least five minutes before the old ones expire. */
const renewBefore = 5 * 60_000
/** While the credentials are valid, a failing source is not asked with every request. */
const pause = 30_000
/** Within the 4 s of an image request, with three calls for an instance. */
const timeout = 1_000

/** Shares one renewal between all callers; keeps valid credentials if a renewal fails. */
export function accessFrom(source: AccessSource): () => Promise<Access> {
  if (source.kind === 'keys') return async () => source
  let current: ExpiringAccess | undefined
  let asking: Promise<ExpiringAccess> | undefined
  let notBefore = 0
  const renew = async (): Promise<ExpiringAccess> => {
    try {
      current = await ask(source)
      return current
    } catch (error) {
      notBefore = Date.now() + pause
      if (current && current.ends > Date.now()) return current
      throw new Error(`no key of a role by ${source.kind}: ${wordsOf(error)}`)
    } finally {
      asking = undefined
    }
  }
  return async () => {
    const now = Date.now()
    if (current && (current.ends - now > renewBefore || (current.ends > now && now < notBefore))) return current
    asking ??= renew()
    return asking
  }
}

function ask(source: Exclude<AccessSource, { kind: 'keys' }>): Promise<ExpiringAccess> {
  if (source.kind === 'web identity') return fromSts(source)
  return source.kind === 'container' ? fromAgent(source) : fromInstance(source)
}

async function fromSts({ role, tokenFile, endpoint }: Extract<AccessSource, { kind: 'web identity' }>) {
  const body = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: 'standfirst',
    WebIdentityToken: await tokenIn(tokenFile),
  })
  const answer = await answerOf(endpoint, { method: 'POST', body })
  const field = (name: string): string | undefined => new RegExp(`<${name}>([^<]+)</${name}>`).exec(answer)?.[1]
  return expiringAccess(field('AccessKeyId'), field('SecretAccessKey'), field('SessionToken'), field('Expiration'))
}

async function fromAgent({ url, tokenFile }: Extract<AccessSource, { kind: 'container' }>) {
  const headers: Record<string, string> = tokenFile ? { authorization: await tokenIn(tokenFile) } : {}
  return fromJson(await answerOf(url, { headers }))
}

/** IMDSv2 only: version 1 answers any request that we can be tricked into sending. */
async function fromInstance({ endpoint }: Extract<AccessSource, { kind: 'instance' }>) {
  const at = (path: string): string => new URL(`/latest/${path}`, endpoint).href
  const token = await answerOf(at('api/token'), {
    method: 'PUT',
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '60' },
  })
  const headers = { 'x-aws-ec2-metadata-token': token }
  const list = 'meta-data/iam/security-credentials/'
  const [role = ''] = (await answerOf(at(list), { headers })).split('\n')
  return fromJson(await answerOf(at(`${list}${encodeURIComponent(role.trim())}`), { headers }))
}

function fromJson(answer: string): ExpiringAccess {
  const said = JSON.parse(answer) as Record<string, string | undefined>
  return expiringAccess(said['AccessKeyId'], said['SecretAccessKey'], said['Token'], said['Expiration'])
}

function expiringAccess(
  key: string | undefined,
  secret: string | undefined,
  token: string | undefined,
  end = '',
): ExpiringAccess {
  const ends = Date.parse(end)
  if (!key || !secret || !token || Number.isNaN(ends)) throw new Error('the answer has no key')
  if (ends <= Date.now()) throw new Error('the key it gave has ended already')
  return { key, secret, token, ends }
}

const tokenIn = async (file: string): Promise<string> => (await readFile(file, 'utf8')).trim()

/** Such answers have about 2 kB. */
async function answerOf(url: string, asked: RequestInit): Promise<string> {
  const answer = await fetch(url, { ...asked, redirect: 'error', signal: AbortSignal.timeout(timeout) })
  const text = (await answer.text()).slice(0, 20_000)
  if (answer.ok) return text
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? ''
  throw new Error(`${answer.status} ${code}`.trim())
}

/** Without the request: an address may be logged, a token must not. */
function wordsOf(error: unknown): string {
  const { message, cause } = error as Error
  return (cause as Error | undefined)?.message || message
}
