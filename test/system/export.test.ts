import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import sharp from 'sharp'
import { findPerson } from '../../server/features/accounts/sessions.ts'
import { exportEverything } from '../../server/features/offboarding/export.ts'
import { urlsFor } from '../../server/features/urls.ts'
import { Database } from '../../server/platform/db/database.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import {
  type MadeWriter,
  makeDraft,
  makeKey,
  makePiece,
  makeProduct,
  makeProductDraft,
  makeSeries,
  makeWriter,
} from '../../testkit/factories.ts'
import { temporaryFolder } from '../../testkit/files.ts'
import { followSite, makeFollower } from '../../testkit/followers.ts'
import { mediaFolder, uploaderOf } from '../../testkit/media.ts'
import { listen } from '../../testkit/network.ts'
import { addPastReads } from '../../testkit/read-counts.ts'
import { until } from '../../testkit/waiting.ts'

/** The export: one archive that other programs can read, streamed while it is written. */

const { url, admin, app } = await testSite({ MEDIA_URL: mediaFolder().url })
const { port } = await listen(app)
const folder = temporaryFolder()

interface Download {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly path: string
}

function beginOnce(who: MadeWriter, more = {}): Promise<IncomingMessage> {
  const headers = { cookie: `__Host-desk=${who.sessionToken}`, ...more }
  return new Promise((resolve, reject) => {
    const path = '/desk/api/account/export'
    get({ port, host: '127.0.0.1', path, headers }, resolve).on('error', reject)
  })
}

/** Starts an export, and retries when the server is busy. */
const begin = (who: MadeWriter): Promise<IncomingMessage> =>
  until(async () => {
    const answer = await beginOnce(who)
    if (answer.statusCode !== 503) return answer
    answer.resume()
    return false
  }, 'the export begins')

async function download(who: MadeWriter): Promise<Download> {
  const path = join(folder, `${who.slug}.zip`)
  const answer = await begin(who)
  await pipeline(answer, createWriteStream(path))
  return { status: answer.statusCode!, headers: answer.headers, path }
}

/** The number of connections that exports hold. */
const busy = async () =>
  (
    await admin.query(
      "select from pg_stat_activity where datname = current_database() and application_name like '%export%' and state <> 'idle'",
    )
  ).rowCount
const untilIdle = () => until(async () => (await busy()) === 0, 'no export holds a connection')

const run = promisify(execFile)
const reader = fileURLToPath(new URL('../../testkit/unzip.py', import.meta.url))
const read = async (path: string, ...texts: string[]) =>
  JSON.parse((await run('python3', [reader, path, ...texts], { maxBuffer: 2 ** 28 })).stdout)
const textsOf = (path: string): Promise<Record<string, string>> => read(path, 'texts')

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Bytes in use after garbage collection. */
function inUse(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('the archive holds every piece as Markdown and JSON, what it was before, and all that is known of its writer', async () => {
  const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor', bio: 'Tea.' })
  const desk = deskOf(app, ada)
  const { key } = await makeKey(admin, ada)
  const tricky = '---\nnot: front matter\n---\n\nLine one\r\n\n\u2028“Quoted” \\ & <b> 😀\n'
  const id = await desk.begin({
    headline: 'On "Tea": a start\u2028',
    sub: 'Why',
    body_md: 'First.',
    tags: ['a: b', '"c"'],
  })
  const { etag } = (await desk.ask('GET', `pieces/${id}`)).headers
  await desk.ask('PATCH', `pieces/${id}`, { body_md: tricky }, { 'if-match': String(etag) })
  assert.equal((await desk.act('publish', id)).statusCode, 200)
  const draft = await makeDraft(admin, ada, { headline: 'Unfinished', body_md: 'Nothing yet.' })
  await makePiece(admin, await makeWriter(admin), { headline: 'Of somebody else' })

  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const added = await uploaderOf(app, ada).send('POST', 'media', picture, 'image/png')
  assert.equal(added.statusCode, 201, added.body)

  const { rows } = await admin.query<{ id: string }>('select id from pub.pieces where author_id = $1', [ada.id])
  await addPastReads(admin, rows[0]!.id, 7, 0)
  await addPastReads(admin, rows[0]!.id, 5, 24)

  await makeProduct(admin, ada, { name: 'A notebook', price: { amount: '19', currency: 'EUR' } })
  await makeProductDraft(admin, ada, { name: 'Not yet' })

  await makeSeries(admin, ada, 'Slow tea', [draft, id])

  const berta = await makeWriter(admin, { slug: 'berta' })
  const translation = await deskOf(app, berta).begin({ headline: 'By another writer, in German', translation_of: id })
  await deskOf(app, berta).ask('POST', `pieces/${translation}/ask-author`)
  await desk.ask('POST', `translations/${translation}/answer`, { original: id, agreed: false })

  await desk.ask('PUT', 'followers/welcome', { text: 'Thank you.' })
  await makeFollower(followSite({ url, admin }), 'reader@follower.test', 'author/ada')

  await desk.ask('PUT', `pieces/${id}/co-authors`, { authors: ['berta'] })
  await deskOf(app, berta).ask('POST', `co-authors/${id}/answer`, { agreed: false })

  const { status, headers, path } = await download(ada)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/zip')
  assert.match(String(headers['content-disposition']), /^attachment; filename="standfirst-\d{4}-\d\d-\d\d\.zip"$/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.ok(Number(headers['x-total-bytes']) > 1000)

  const { [`media/${added.json().media.hash}.webp`]: image, ...files } = await textsOf(path)
  assert.match(image!, /^RIFF.{4}WEBP/s)
  const day = new Date().toISOString().slice(0, 10)
  assert.deepEqual(Object.keys(files).sort(), [
    'account.json',
    'audit.json',
    'co-authors.json',
    'comments.json',
    'decisions.json',
    'deliveries.json',
    'followers.json',
    'keys.json',
    `pieces/${day}-${draft}.json`,
    `pieces/${day}-${draft}.md`,
    `pieces/${day}-on-tea-a-start.json`,
    `pieces/${day}-on-tea-a-start.md`,
    'profile.json',
    'reads.json',
    `revisions/${day}-on-tea-a-start.json`,
    'security.json',
    'series.json',
    'shop-audit.json',
    'shop.json',
    'translations.json',
    'webhook.json',
  ])
  assert.deepEqual([files['webhook.json'], files['deliveries.json']], ['null\n', '[]\n'])
  const markdown = files[`pieces/${day}-on-tea-a-start.md`]!
  const [, front = '', body = ''] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(markdown) ?? []
  assert.equal(body, tricky, 'the text as it was written, to the byte')
  const facts = Object.fromEntries(
    front.split('\n').map((line) => [line.slice(0, line.indexOf(':')), JSON.parse(line.slice(line.indexOf(':') + 2))]),
  )
  const { body_md, ...whole } = JSON.parse(files[`pieces/${day}-on-tea-a-start.json`]!)
  assert.deepEqual([facts, body_md], [whole, tricky])
  assert.deepEqual(
    [facts.headline, facts.standfirst, facts.tags, facts.status, facts.url],
    ['On "Tea": a start', 'Why', ['a: b', '"c"'], 'approved', 'https://site.test/author/ada/on-tea-a-start'],
  )
  const past = JSON.parse(files[`revisions/${day}-on-tea-a-start.json`]!)
  assert.deepEqual(
    past.map(({ revision, body_md: was }: { revision: number; body_md: string }) => [revision, was]),
    [[1, 'First.']],
  )
  assert.equal(JSON.parse(files['profile.json']!).bio, 'Tea.')
  assert.equal(JSON.parse(files['account.json']!).email, 'ada@site.test')
  assert.deepEqual(
    JSON.parse(files['audit.json']!).map(({ act }: { act: string }) => act),
    ['publish'],
  )
  assert.deepEqual(
    JSON.parse(files['reads.json']!).map(({ reads }: { reads: number }) => reads),
    [5, 7],
  )
  assert.deepEqual(
    JSON.parse(files['shop.json']!).map(({ name, status, price }: Record<string, string>) => [name, status, price]),
    [
      ['A notebook', 'listed', '19.00'],
      ['Not yet', 'draft', null],
    ],
  )
  assert.equal(JSON.parse(files['shop-audit.json']!)[0].act, 'list')
  const [{ title, pieces: parts }] = JSON.parse(files['series.json']!)
  assert.deepEqual([title, parts], ['Slow tea', [draft, id]])
  const [{ asked_at, answered_at, ...request }] = JSON.parse(files['translations.json']!)
  assert.deepEqual(
    [request, facts.translation_of],
    [{ role: 'author', piece_id: translation, original_id: id, other_writer: 'berta', answer: 'declined' }, null],
  )
  assert.ok(asked_at <= answered_at)
  const [{ invited_at, answered_at: declined_at, ...invited }] = JSON.parse(files['co-authors.json']!)
  assert.deepEqual(invited, {
    role: 'writer',
    piece_id: id,
    other_writer: 'berta',
    answer: 'declined',
    removed_at: null,
  })
  assert.ok(invited_at <= declined_at)
  const { welcome, days, imports } = JSON.parse(files['followers.json']!)
  assert.deepEqual([welcome, days.length, days.at(-1)], ['Thank you.', 365, { day, gained: 1, lost: 0, total: 1 }])
  assert.deepEqual(imports, [])
  const secrets = [key, ada.sessionToken, 'reader@follower.test']
  for (const [name, text] of Object.entries(files)) {
    for (const secret of secrets) assert.ok(!text.includes(secret), `${name} holds a secret`)
    assert.doesNotMatch(text, /Of somebody else|password_proof|token_hash|key_hash/)
  }
  assert.match(files['keys.json']!, /"prefix": "pk_live_/)
})

test('a moderator who writes nothing takes along their account', async () => {
  const judge = await makeModerator(admin)
  await admin.query('delete from app.writers where id = $1', [judge.id])
  assert.deepEqual(Object.keys(await textsOf((await download(judge)).path)), ['account.json', 'security.json'])
})

/** `EXPORT=10000 node --test test/system/export.test.ts` is the long form. */
const pieces = Number(process.env['EXPORT'] ?? 500)

describe(`an archive of ${pieces} pieces`, () => {
  let many: MadeWriter
  before(async () => {
    many = await makeWriter(admin, { slug: 'many' })
    await admin.query(
      `insert into app.pieces (writer_id, headline, body_md, created_at)
       select $1, 'Piece ' || n, 'Number ' || n || E'\\n\\n' || repeat(md5(n::text) || ' ', 150),
              date_trunc('milliseconds', now() - n * interval '1 minute') from generate_series(1, $2::integer) n`,
      [many.id, pieces],
    )
    await admin.query(
      `insert into app.recent_revisions (piece_id, revision, writer_id, saved_at, headline, body_md, category, tags, frame,
                                       style, locale, fields)
       select id, n, writer_id, created_at, headline, body_md, category, tags, frame, style, locale, fields
         from app.pieces, generate_series(1, 25) n where writer_id = $1 and headline like '%77'`,
      [many.id],
    )
  })

  test('is whole, and takes no more memory than a small one', async (t) => {
    const resting = inUse()
    let most = resting
    let looks = 0
    const path = join(folder, 'measured.zip')
    const answer = await begin(many)
    const { statusCode: status, headers } = answer
    await pipeline(
      answer,
      async function* (chunks: AsyncIterable<Buffer>) {
        let count = 0
        for await (const chunk of chunks) {
          count += 1
          // Collecting takes long.
          if (count % 128 === 1) {
            looks += 1
            most = Math.max(most, inUse())
          }
          yield chunk
        }
      },
      createWriteStream(path),
    )
    assert.equal(status, 200)
    assert.ok(looks > 1, `${looks} looks`)
    const sizes: Record<string, number> = await read(path)
    const names = Object.keys(sizes)
    const under = (part: string) => names.filter((name) => name.startsWith(part)).length
    assert.deepEqual([under('pieces/'), under('revisions/')], [2 * pieces, pieces / 100])
    const whole = Object.values(sizes).reduce((sum, size) => sum + size, 0)
    const expected = Number(headers['x-total-bytes'])
    assert.ok(Math.abs(expected - whole) < whole / 5, `${expected} was expected, ${whole} came`)
    const megabytes = (bytes: number) => Math.round(bytes / 1e6)
    t.diagnostic(
      `${megabytes(whole)} MB as ${megabytes((await stat(path)).size)} MB, ` +
        `${megabytes(most - resting)} MB of memory more in ${looks} looks`,
    )
    assert.ok(most - resting < 30e6, `${megabytes(most - resting)} MB`)
  })

  test('shows one moment: what changes while it is read is not in it', async () => {
    const answer = await begin(many)
    assert.equal(answer.statusCode, 200)
    await admin.query("update app.pieces set headline = 'Changed meanwhile' where writer_id = $1", [many.id])
    await makeDraft(admin, many, { headline: 'Begun meanwhile' })
    const path = join(folder, 'moment.zip')
    await pipeline(answer, createWriteStream(path))
    const files = await textsOf(path)
    assert.equal(Object.keys(files).filter((name) => name.endsWith('.md')).length, pieces)
    assert.ok(Object.values(files).every((text) => !/meanwhile/.test(text)))
  })

  test('of a reader who leaves half-way holds no connection', async () => {
    for (let reader = 0; reader < 6; reader += 1) {
      const answer = await begin(many)
      assert.equal(answer.statusCode, 200)
      await once(answer, 'readable')
      answer.on('error', () => {}).destroy()
    }
    await untilIdle()
  })

  test('is made for one person once at a time, and others do not wait for them', async () => {
    const first = await begin(many)
    assert.equal(first.statusCode, 200)
    const second = await beginOnce(many)
    assert.equal(second.statusCode, 503)
    assert.match(((await json(second)) as { detail: string }).detail, /already being exported/)
    assert.equal((await download(await makeWriter(admin))).status, 200)
    first.on('error', () => {}).destroy()
    assert.equal((await download(many)).status, 200)
  })

  test('breaks off when its time is over, and lets go of its connection', async () => {
    const exportDb = new Database({ name: 'export', url, role: 'svc_desk', connections: 1, statementTimeout: 5000 })
    after(() => exportDb.close())
    const context = { db: exportDb, exportDb, urls: urlsFor('https://site.test'), store: undefined }
    const person = await findPerson(exportDb, many.sessionToken)
    const { archive } = await exportEverything(context, person!, 300)
    // The client does not read: the export waits until its timeout.
    const [error] = await once(archive, 'error').catch((thrown) => [thrown])
    assert.equal(error.name, 'AbortError')
    await untilIdle()
  })
})

test('no other site has somebody begin an export', async () => {
  const writer = await makeWriter(admin)
  for (const site of ['cross-site', 'same-site']) {
    const answer = await beginOnce(writer, { 'sec-fetch-site': site })
    assert.equal(answer.statusCode, 403)
    assert.equal(((await json(answer)) as { reason: string }).reason, 'cross_site')
  }
  const answer = await beginOnce(writer, { 'sec-fetch-site': 'same-origin' })
  assert.equal(answer.statusCode, 200)
  answer.resume()
  await once(answer, 'end')
})

test('a session that has ended takes nothing along', async () => {
  const gone = await makeWriter(admin)
  await admin.query('update app.sessions set revoked_at = now() where id = $1', [gone.sessionId])
  assert.equal((await download(gone)).status, 401)
})
