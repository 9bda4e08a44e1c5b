import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sweepMedia } from '../../server/features/media/uploads.ts'
import { Database } from '../../server/platform/db/database.ts'
import { folderStore } from '../../server/platform/media/store.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'
import { waitForLockWait } from '../../testkit/waiting.ts'

/** Which pictures are kept, and which are deleted with their bytes. */

const folder = mediaFolder()
const { url, admin, app } = await testSite({ MEDIA_URL: folder.url })
const ada = await makeWriter(admin, { slug: 'ada' })
const bob = await makeWriter(admin, { slug: 'bob' })
const [desk, adas, bobs] = [deskOf(app, ada), uploaderOf(app, ada), uploaderOf(app, bob)]
const worker = new Database({
  name: 'sweeper',
  url,
  role: 'svc_worker',
  connections: 1,
  statementTimeout: 5000,
  timeoutFactor: 60,
})
after(() => worker.close())
const store = folderStore(folder.path)
const sweep = () => sweepMedia(worker, store)

const place = (hash: string) => join(folder.path, hash.slice(0, 2), hash.slice(2, 4), hash)
let colours = 0
const upload = async () => {
  colours += 1
  return adas.upload(await photograph(colours))
}
const showing = (...hashes: string[]) => hashes.map((hash) => `![A field](/media/${hash})`).join('\n\n')

const age = (hash: string) =>
  admin.query("update app.media set created_at = now() - interval '8 days' where hash = $1", [hash])

test('what nothing has named for seven days is swept away with its bytes; what is named stays', async () => {
  const [unused, fresh, drafted, erased] = [await upload(), await upload(), await upload(), await upload()]
  await desk.begin({ body_md: showing(drafted) })
  const id = await desk.begin({ body_md: showing(erased) })
  await desk.ask('PATCH', `pieces/${id}`, { body_md: 'No picture now.' }, { 'if-match': '*' })
  for (const hash of [unused, drafted, erased]) await age(hash)
  await sweep()
  assert.deepEqual(
    [unused, fresh, drafted, erased].map((hash) => existsSync(place(hash))),
    [false, true, true, true],
  )
  assert.equal((await adas.get(`/desk/media/${unused}`)).statusCode, 404)

  await desk.ask('DELETE', `pieces/${id}`)
  await sweep()
  assert.equal(existsSync(place(erased)), true, 'a piece in the trash keeps its pictures')
  await desk.ask('DELETE', `trash/${id}`)
  await sweep()
  assert.equal(existsSync(place(erased)), false)
})

test('bytes stay while another writer has the same picture', async () => {
  const same = await photograph(6000)
  const hash = await adas.upload(same)
  assert.equal(await bobs.upload(same), hash)
  await admin.query("update app.media set created_at = now() - interval '8 days' where hash = $1 and writer_id = $2", [
    hash,
    ada.id,
  ])
  await sweep()
  assert.equal(existsSync(place(hash)), true)
  assert.equal((await adas.get(`/desk/media/${hash}`)).statusCode, 404)
  assert.equal((await bobs.get(`/desk/media/${hash}`)).statusCode, 200)
})

test('a picture uploaded again while it is swept is there afterwards', async () => {
  const same = await photograph(7000)
  for (let round = 0; round < 5; round += 1) {
    const hash = await adas.upload(same)
    await age(hash)
    await Promise.all([sweep(), adas.upload(same)])
    await sweep()
    assert.equal((await adas.get(`/desk/media/${hash}`)).statusCode, 200)
  }
})

test('a picture whose second upload the sweep waits for is kept', async () => {
  const hash = await upload()
  await age(hash)
  const uploading = await admin.connect()
  await uploading.query('begin')
  await uploading.query('update app.media set created_at = now() where hash = $1', [hash])
  const swept = sweep()
  await waitForLockWait(admin, 'app.media')
  await uploading.query('commit')
  uploading.release()
  await swept
  assert.equal((await adas.get(`/desk/media/${hash}`)).statusCode, 200)
})

test('a text leaves no trace of pictures that are not there or are another’s', async () => {
  const [mine, theirs] = [await upload(), await bobs.upload(await photograph(8000))]
  const invented = Array.from({ length: 500 }, (_, at) => at.toString(16).padStart(64, '0'))
  const id = await desk.begin({ body_md: showing(mine, theirs, ...invented) })
  const { rows } = await admin.query('select hash from app.piece_media where piece_id = $1', [id])
  assert.deepEqual(rows, [{ hash: mine }])
})

test('what one request could not store, another that was promised it has all the same', async () => {
  const bytes = await photograph(9000)
  let hash = ''
  // A bucket that fails only after the same picture was uploaded again.
  const bucket = createServer(async (request, response) => {
    request.resume()
    hash = await adas.upload(bytes)
    response.writeHead(500).end()
  })
  bucket.listen(0, '127.0.0.1')
  await once(bucket, 'listening')
  const { port } = bucket.address() as AddressInfo
  const failing = await testApp(url, { MEDIA_URL: `s3://key:secret@127.0.0.1:${port}/pictures?region=here&tls=off` })
  const answer = await uploaderOf(failing, ada).send('POST', 'media', bytes)
  bucket.close()
  assert.deepEqual([answer.statusCode, answer.json().reason], [503, 'overloaded'])
  assert.equal((await adas.get(`/desk/media/${hash}`)).statusCode, 200)
})

test('what could not be stored is swept away, and may be uploaded again before', async () => {
  const broken = await testApp(url, { MEDIA_URL: 'file:///etc/hostname' })
  const writer = await makeWriter(admin)
  const bytes = await photograph(9999)
  const kept = async () =>
    (await admin.query('select hash from app.media where writer_id = $1', [writer.id])).rows.map(({ hash }) => hash)
  const answer = await uploaderOf(broken, writer).send('POST', 'media', bytes)
  assert.deepEqual([answer.statusCode, answer.json().reason], [503, 'overloaded'])
  const [hash] = await kept()
  const own = uploaderOf(app, writer)
  assert.equal((await own.get(`/desk/media/${hash}`)).statusCode, 404)
  assert.equal(await own.upload(bytes), hash)
  assert.equal((await own.get(`/desk/media/${hash}`)).statusCode, 200)
  await age(hash)
  await sweep()
  assert.deepEqual(await kept(), [])
})
