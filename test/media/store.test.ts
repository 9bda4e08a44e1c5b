import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { type MediaStore, openMediaStore, readMediaUrl, signed } from '../../server/platform/media/store.ts'
import { mediaFolder } from '../../testkit/media.ts'
import { isSigned, sha256 } from './s3-signature.ts'

/** Both stores pass the same tests. The S3 one talks to a server that verifies each signature by the documented steps. */

const access = { key: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', region: 'eu-test-1' }

const objects = new Map<string, Buffer>()
const asked = new EventEmitter()
let mood: 'well' | 'silent' | 'failing' = 'well'
const server = createServer(async (request, response) => {
  const body = await buffer(request)
  if (mood === 'silent') return void asked.emit('asked')
  if (mood === 'failing') return void response.writeHead(500).end('<Error><Code>InternalError</Code></Error>')
  if (!isSigned(request, body, access))
    return void response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
  const path = request.url!
  if (request.method === 'PUT') objects.set(path, body)
  if (request.method === 'DELETE') {
    objects.delete(path)
    return void response.writeHead(204).end()
  }
  const found = objects.get(path)
  response.writeHead(found ? 200 : 404).end(request.method === 'GET' ? found : undefined)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const { port } = server.address() as AddressInfo
const bucket = (secret = access.secret) =>
  readMediaUrl(
    `s3://${access.key}:${encodeURIComponent(secret)}@127.0.0.1:${port}/pictures?region=${access.region}&tls=off`,
  )!

const folder = mediaFolder()
const stores: Record<string, MediaStore> = {
  'a folder': openMediaStore(readMediaUrl(folder.url)!),
  'a bucket': openMediaStore(bucket()),
}

const bytes = Buffer.from('the bytes of a picture')
const hash = sha256(bytes)

for (const [name, store] of Object.entries(stores)) {
  describe(name, () => {
    test('gives back what was put there, also twice', async () => {
      await store.put(hash, bytes, 'image/webp')
      await store.put(hash, bytes, 'image/webp')
      assert.deepEqual(await buffer((await store.get(hash))!), bytes)
    })
    test('has nothing that was not put there', async () => {
      assert.equal(await store.get(sha256('other')), undefined)
    })
    test('forgets what is deleted, also twice', async () => {
      await store.delete(hash)
      await store.delete(hash)
      assert.equal(await store.get(hash), undefined)
    })
    test('takes the same picture from many at once', async () => {
      await Promise.all(Array.from({ length: 10 }, () => store.put(hash, bytes, 'image/webp')))
      assert.deepEqual(await buffer((await store.get(hash))!), bytes)
    })
  })
}

test('a folder is read by nobody else, has no unfinished files, and small folders', async () => {
  const place = join(folder.path, hash.slice(0, 2), hash.slice(2, 4))
  assert.deepEqual(readdirSync(place), [hash])
  assert.equal(statSync(join(place, hash)).mode & 0o777, 0o600)
})

test('only hashes become paths', async () => {
  for (const name of ['../etc/passwd', 'ABC', `${hash}/..`, '']) {
    await assert.rejects(stores['a folder']!.put(name, bytes, 'image/webp'), /not the hash/)
    await assert.rejects(stores['a folder']!.get(name), /not the hash/)
  }
})

test('a wrong secret is refused, and told without the secret', async () => {
  await assert.rejects(openMediaStore(bucket('wrong')).put(hash, bytes, 'image/webp'), {
    message: 'the media store did not take it: 403 SignatureDoesNotMatch',
  })
})

test('a bucket that fails or keeps silent is an error, not a picture that is not there', async (t) => {
  const store = stores['a bucket']!
  mood = 'failing'
  await assert.rejects(store.get(hash), /500 InternalError/)
  mood = 'silent'
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const rejected = assert.rejects(store.get(hash), /abort/)
  await once(asked, 'asked')
  t.mock.timers.tick(4_000)
  await rejected
  mood = 'well'
})

test('an example of the documentation is signed as the documentation signs it', () => {
  // "GET Object" of the Signature Version 4 examples for S3.
  const headers = signed({
    method: 'GET',
    url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
    region: 'us-east-1',
    key: 'AKIAIOSFODNN7EXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    bodyHash: sha256(''),
    at: new Date('2013-05-24T00:00:00Z'),
    headers: { range: 'bytes=0-9' },
  })
  assert.match(headers.authorization, /Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/)
})

test('an address of media is a folder or a bucket, or nothing', () => {
  assert.deepEqual(readMediaUrl('file:///var/lib/media'), { kind: 'folder', path: '/var/lib/media' })
  assert.deepEqual(readMediaUrl('file:./m'), { kind: 'folder', path: join(process.cwd(), 'm') })
  assert.deepEqual(readMediaUrl('s3://K:a%2Fb@s3.example:9000/pictures?region=eu-1'), {
    kind: 's3',
    endpoint: 'https://s3.example:9000',
    bucket: 'pictures',
    region: 'eu-1',
    access: { kind: 'keys', key: 'K', secret: 'a/b' },
  })
  for (const wrong of [
    '',
    'ftp://x/y',
    's3://K@host/bucket',
    's3://K:S@host',
    's3://K:S@host/a/b',
    'file://host/x',
    '/var/lib',
  ]) {
    assert.equal(readMediaUrl(wrong), undefined, wrong)
  }
})
