import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'
import { startReceiver } from '../../testkit/receivers.ts'

/** Copying pictures of other servers: only by a writer, only through the outbound guard, and only pictures. */

const other = await startReceiver()
const { admin, app } = await testSite({ MEDIA_URL: mediaFolder().url, OUTBOUND_ALLOW: other.host })
const ada = await makeWriter(admin, { slug: 'ada' })
const desk = deskOf(app, ada)
const copy = (url: string) => desk.ask('POST', 'media/copy', { url })
const at = (path: string) => `http://${other.host}${path}`

const picture = await photograph(1)
other.behave((_request, response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture), '/cup.jpg')
other.behave((_request, response) => response.writeHead(302, { location: '/cup.jpg' }).end(), '/moved')
other.behave((_request, response) => response.writeHead(302, { location: '/loop' }).end(), '/loop')
other.behave((_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), '/inside')
other.behave(404, '/gone.jpg')
other.behave((_request, response) => response.end('<p>Sign in first</p>'), '/page')

test('a picture of another server becomes the writer’s own, also after a redirect', async () => {
  for (const path of ['/cup.jpg', '/moved']) {
    const answer = await copy(at(path))
    assert.equal(answer.statusCode, 201, answer.body)
    const { url } = answer.json().media
    assert.match(url, /^\/media\/[\da-f]{64}$/)
    assert.equal((await uploaderOf(app, ada).get(`/desk${url}`)).statusCode, 200)
  }
  assert.equal(other.delivered.at(-1)?.headers['cookie'], undefined)
})

test('what is no picture, is not there, goes round in circles or is inside our network is refused', async () => {
  const refused = ['/gone.jpg', '/loop', '/inside'].map(at)
  const details = new Set<string>()
  for (const url of [...refused, 'http://169.254.169.254/latest/', 'http://[::1]/', 'file:///etc/passwd', 'cup.jpg']) {
    const answer = await copy(url)
    assert.equal(answer.statusCode, 400, url)
    details.add(answer.json().detail)
  }
  assert.equal(details.size, 1, 'the answer does not tell what is inside')
  assert.equal((await copy(at('/page'))).statusCode, 415)
})

test('nobody copies without a session', async () => {
  const before = other.delivered.length
  const payload = { url: at('/cup.jpg') }
  const headers = { 'sec-fetch-site': 'same-origin' }
  const answer = await app.inject({ method: 'POST', url: '/desk/api/media/copy', headers, payload })
  assert.deepEqual([answer.statusCode, other.delivered.length], [401, before])
})
