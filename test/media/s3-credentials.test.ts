import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, beforeEach, test } from 'node:test'
import { type ConfigError, readConfig } from '../../server/config/config.ts'
import { type MediaStore, openMediaStore } from '../../server/platform/media/store.ts'
import { freezeClock } from '../../testkit/waiting.ts'
import { isSigned, sha256 } from './s3-signature.ts'

/**
 * A bucket accessed with the role of the process. STS and the metadata services of containers and instances are local
 * servers of this file, named explicitly: no test calls AWS's own addresses.
 */

const clock = freezeClock()
const folder = mkdtempSync(join(tmpdir(), 'sf-role-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const tokenFile = join(folder, 'token')
const region = 'eu-test-1'
const hour = 3_600_000

/** The role's current credentials, the recorded requests, and whether they fail. */
let issued = 0
let asked: string[] = []
let isFailing = false
const current = () => ({ key: `ASIA${issued}`, secret: `secret/${issued}+x`, token: `token/${issued}==`, region })

function issue(): { AccessKeyId: string; SecretAccessKey: string; Token: string; Expiration: string } {
  issued += 1
  const { key, secret, token } = current()
  const Expiration = new Date(Date.now() + hour).toISOString()
  return { AccessKeyId: key, SecretAccessKey: secret, Token: token, Expiration }
}

async function listen(answer: (request: IncomingMessage, body: Buffer) => [number, string]): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const [status, text] = isFailing && !request.url?.startsWith('/pictures') ? [500, ''] : answer(request, body)
    response.writeHead(status).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const objects = new Map<string, Buffer>()
const bucket = await listen((request, body) => {
  if (!isSigned(request, body, current())) return [403, '<Error><Code>SignatureDoesNotMatch</Code></Error>']
  if (request.method === 'PUT') objects.set(request.url!, body)
  const found = objects.get(request.url!)
  return found ? [200, found.toString()] : [404, '']
})

const sts = await listen((_request, body) => {
  const form = new URLSearchParams(body.toString())
  asked.push(`${form.get('Action')} ${form.get('RoleArn')} ${form.get('WebIdentityToken')}`)
  if (form.get('WebIdentityToken') !== 'from the cluster')
    return [403, '<Error><Code>InvalidIdentityToken</Code></Error>']
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = issue()
  return [
    200,
    `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials><SessionToken>${Token}</SessionToken><SecretAccessKey>${SecretAccessKey}</SecretAccessKey><Expiration>${Expiration}</Expiration><AccessKeyId>${AccessKeyId}</AccessKeyId></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
  ]
})

const agent = await listen(({ url, headers }) => {
  asked.push(`${url} ${headers.authorization}`)
  return headers.authorization === 'from the cluster' ? [200, JSON.stringify(issue())] : [401, '']
})

const instance = await listen(({ method, url, headers }) => {
  asked.push(`${method} ${url}`)
  if (method === 'PUT') return headers['x-aws-ec2-metadata-token-ttl-seconds'] ? [200, 'session'] : [400, '']
  if (headers['x-aws-ec2-metadata-token'] !== 'session') return [401, '']
  const list = '/latest/meta-data/iam/security-credentials/'
  if (url === list) return [200, 'the-role\n']
  return url === `${list}the-role` ? [200, JSON.stringify(issue())] : [404, '']
})

const webIdentity = {
  AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/pictures',
  AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
  AWS_ENDPOINT_URL_STS: `http://${sts}`,
}
const podIdentity = {
  AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://${agent}/v1/credentials`,
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile,
}
const ofInstance = { AWS_EC2_METADATA_SERVICE_ENDPOINT: `http://${instance}` }

const least = { DATABASE_URL: 'postgres://site@127.0.0.1/site' }
const mediaOf = (env: Record<string, string>) =>
  readConfig({ ...least, MEDIA_URL: `s3://${bucket}/pictures?region=${region}&tls=off`, ...env }).MEDIA_URL!
const storeBy = (env: Record<string, string>): MediaStore => openMediaStore(mediaOf(env))

const bytes = Buffer.from('the bytes of a picture')
const hash = sha256(bytes)
const put = (store: MediaStore) => store.put(hash, bytes, 'image/webp')

beforeEach(() => {
  asked = []
  isFailing = false
  writeFileSync(tokenFile, 'from the cluster\n')
})

for (const [name, env, questions] of [
  [
    'the web identity of a pod',
    webIdentity,
    ['AssumeRoleWithWebIdentity arn:aws:iam::123456789012:role/pictures from the cluster'],
  ],
  ['the agent of EKS Pod Identity', podIdentity, ['/v1/credentials from the cluster']],
  [
    'an EC2 machine, by the second version of its service alone',
    ofInstance,
    [
      'PUT /latest/api/token',
      'GET /latest/meta-data/iam/security-credentials/',
      'GET /latest/meta-data/iam/security-credentials/the-role',
    ],
  ],
] as const) {
  test(`pictures are kept with the key of a role from ${name}, asked for once until it is about to end`, async () => {
    const store = storeBy(env)
    await Promise.all([put(store), put(store), put(store)])
    assert.deepEqual(await buffer((await store.get(hash))!), bytes)
    assert.deepEqual(asked, questions)
    clock.advance(hour - 301_000)
    await put(store)
    assert.equal(asked.length, questions.length)
    clock.advance(2_000)
    await Promise.all([put(store), put(store)])
    assert.deepEqual(asked, [...questions, ...questions])
  })
}

test('a key that still holds is used while its source fails, which is asked again after half a minute', async () => {
  const store = storeBy(podIdentity)
  await put(store)
  isFailing = true
  clock.advance(hour - 120_000)
  await put(store)
  isFailing = false
  await put(store)
  assert.equal(asked.length, 1, 'not with every picture')
  clock.advance(31_000)
  await put(store)
  assert.equal(asked.length, 2)
})

test('without a key that holds it fails with what is the matter, and without the token', async () => {
  const store = storeBy(webIdentity)
  writeFileSync(tokenFile, 'of another cluster')
  await assert.rejects(put(store), { message: 'no key of a role by web identity: 403 InvalidIdentityToken' })
  writeFileSync(tokenFile, 'from the cluster')
  await put(store)
  rmSync(tokenFile)
  clock.advance(2 * hour)
  await assert.rejects(put(store), /no key of a role by web identity: ENOENT/)
})

test('the way a platform sets is the way that is taken, and a key in the address goes before all of them', () => {
  const kinds = (env: Record<string, string>) => {
    const media = mediaOf(env)
    return media.kind === 's3' ? media.access : undefined
  }
  const ecs = { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/credentials/x' }
  assert.deepEqual(kinds({}), { kind: 'instance', endpoint: 'http://169.254.169.254' })
  assert.deepEqual(kinds(ecs), {
    kind: 'container',
    url: 'http://169.254.170.2/v2/credentials/x',
    tokenFile: undefined,
  })
  assert.equal(kinds({ ...ofInstance, ...podIdentity, ...webIdentity })?.kind, 'web identity')
  assert.equal(kinds({ ...webIdentity, MEDIA_URL: 's3://K:S@host/bucket' })?.kind, 'keys')
  const { AWS_ENDPOINT_URL_STS: _, ...atAws } = webIdentity
  const endpoint = (where: string) => {
    const access = kinds({ ...atAws, MEDIA_URL: `s3://host/bucket?region=${where}` })
    return access?.kind === 'web identity' ? access.endpoint : undefined
  }
  assert.equal(endpoint('eu-central-1'), 'https://sts.eu-central-1.amazonaws.com')
  assert.equal(endpoint('cn-north-1'), 'https://sts.cn-north-1.amazonaws.com.cn')
})

test('a token is not sent to strangers over http', () => {
  for (const url of ['http://example.org/credentials', 'http://169.254.170.2.example.org/', 'ftp://127.0.0.1/'])
    assert.throws(
      () => mediaOf({ AWS_CONTAINER_CREDENTIALS_FULL_URI: url }),
      (error: ConfigError) => /AWS_CONTAINER_CREDENTIALS_FULL_URI must be an https/.test(error.message),
      url,
    )
  for (const url of [
    'https://example.org/credentials',
    'http://169.254.170.23/v1/credentials',
    'http://[fd00:ec2::23]/v1',
  ])
    assert.ok(mediaOf({ AWS_CONTAINER_CREDENTIALS_FULL_URI: url }), url)
})
