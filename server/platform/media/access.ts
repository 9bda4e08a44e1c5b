import { readFile } from 'node:fs/promises'

/** What requests to a bucket are signed with: a key that was given, or one of a role, which ends and is asked for again. */
export interface Access {
  readonly key: string
  readonly secret: string
  /** Of a role. */
  readonly token?: string | undefined
}

export type AccessSource =
  | { readonly kind: 'keys'; readonly key: string; readonly secret: string }
  | { readonly kind: 'web identity'; readonly role: string; readonly tokenFile: string; readonly endpoint: string }
  | { readonly kind: 'container'; readonly url: string; readonly tokenFile: string | undefined }
  | { readonly kind: 'instance'; readonly endpoint: string }

export const instanceEndpoint = 'http://169.254.169.254'
export const taskEndpoint = 'http://169.254.170.2'

interface Ending extends Access {
  readonly ends: number
}

/** AWS has the next key five minutes before one ends, at the latest. */
const early = 5 * 60_000
/** While the key still holds, a source that fails is not asked with every picture. */
const pause = 30_000
/** Within the 4 s that a picture has, and three questions for an instance. */
const patience = 1_000

/** Asks once for all who wait; goes on with a key that still holds where there is no other. */
export function accessFrom(source: AccessSource): () => Promise<Access> {
  if (source.kind === 'keys') return async () => source
  let held: Ending | undefined
  let asking: Promise<Ending> | undefined
  let notBefore = 0
  const renew = async (): Promise<Ending> => {
    try {
      held = await ask(source)
      return held
    } catch (error) {
      notBefore = Date.now() + pause
      if (held && held.ends > Date.now()) return held
      throw new Error(`no key of a role by ${source.kind}: ${wordsOf(error)}`)
    } finally {
      asking = undefined
    }
  }
  return async () => {
    const now = Date.now()
    if (held && (held.ends - now > early || (held.ends > now && now < notBefore))) return held
    asking ??= renew()
    return asking
  }
}

function ask(source: Exclude<AccessSource, { kind: 'keys' }>): Promise<Ending> {
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
  return ending(field('AccessKeyId'), field('SecretAccessKey'), field('SessionToken'), field('Expiration'))
}

async function fromAgent({ url, tokenFile }: Extract<AccessSource, { kind: 'container' }>) {
  const headers: Record<string, string> = tokenFile ? { authorization: await tokenIn(tokenFile) } : {}
  return fromJson(await answerOf(url, { headers }))
}

/** IMDSv2 alone: the first version answers whoever can make us ask. */
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

function fromJson(answer: string): Ending {
  const said = JSON.parse(answer) as Record<string, string | undefined>
  return ending(said['AccessKeyId'], said['SecretAccessKey'], said['Token'], said['Expiration'])
}

function ending(key: string | undefined, secret: string | undefined, token: string | undefined, end = ''): Ending {
  const ends = Date.parse(end)
  if (!key || !secret || !token || Number.isNaN(ends)) throw new Error('the answer has no key')
  if (ends <= Date.now()) throw new Error('the key it gave has ended already')
  return { key, secret, token, ends }
}

const tokenIn = async (file: string): Promise<string> => (await readFile(file, 'utf8')).trim()

/** Every such answer is some 2 kB. */
async function answerOf(url: string, asked: RequestInit): Promise<string> {
  const answer = await fetch(url, { ...asked, redirect: 'error', signal: AbortSignal.timeout(patience) })
  const text = (await answer.text()).slice(0, 20_000)
  if (answer.ok) return text
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? ''
  throw new Error(`${answer.status} ${code}`.trim())
}

/** Without what was asked: an address can be told, a token cannot. */
function wordsOf(error: unknown): string {
  const { message, cause } = error as Error
  return (cause as Error | undefined)?.message || message
}
