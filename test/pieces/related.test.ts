import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refreshRelated, relatePiece } from '../../server/features/pieces/related/relate.ts'
import { testSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makePiece, makeSeries, makeWriter, unpublish } from '../../testkit/factories.ts'

/** Read next: pieces about the same subject, found by the worker from what is public. */

const { url, admin, app } = await testSite()
const worker = workerDatabase(url)

const subjects = {
  tea: ['kettle', 'teapot', 'leaves', 'oolong', 'steeping', 'porcelain'],
  trains: ['locomotive', 'timetable', 'railway', 'platform', 'conductor', 'signal'],
  bread: ['sourdough', 'flour', 'oven', 'crust', 'kneading', 'yeast'],
  stars: ['telescope', 'galaxy', 'comet', 'orbit', 'nebula', 'eclipse'],
} as const
type SubjectName = keyof typeof subjects

/** Everyone writes of everything, in every section, in sentences that are alike but for the subject. */
const sections = ['life', 'culture', 'money', 'ideas']
const writers = await Promise.all(
  Array.from({ length: 6 }, (_, at) => makeWriter(admin, { slug: `writer-${at}`, name: `Writer ${at}` })),
)
const text = (words: readonly string[], at: number): string =>
  Array.from(
    { length: 6 },
    (_, line) =>
      `This morning there was a ${words[(at + line) % words.length]} in the house, and nobody knew what to do about it. ` +
      `We talked of the ${words[(at + line + 1) % words.length]} until the evening, as people always do when they have time.`,
  ).join('\n\n')

interface Made {
  readonly id: string
  readonly subject: SubjectName
  readonly author: string
}
const made: Made[] = []
for (let at = 0; at < 10; at += 1)
  for (const [number, subject] of (Object.keys(subjects) as SubjectName[]).entries()) {
    const writer = writers[(at + number) % writers.length]!
    const id = await makePiece(admin, writer, {
      headline: `Notes number ${at} on a ${subjects[subject][at % 6]}`,
      body_md: text(subjects[subject], at),
      category: sections[(at + number) % sections.length]!,
    })
    made.push({ id, subject, author: writer.slug })
  }
const known = new Map(made.map((one) => [one.id, one]))

const relatedTo = async (id: string): Promise<string[]> =>
  (await admin.query<{ related: string[] }>('select related from pub.related where piece_id = $1', [id])).rows[0]!
    .related
/** The headlines that the foot of its page names. */
async function shownAfter(id: string): Promise<string[]> {
  const { url: address } = (await app.inject(`/api/public/pieces/${id}`)).json().piece
  const { body } = await app.inject(new URL(address).pathname)
  const [, foot = ''] =
    /<h2 class="label" id="further">(?:Read next|More from)[\s\S]*?(<ol[\s\S]*?<\/ol>)/.exec(body) ?? []
  return [...foot.matchAll(/<h3[^>]*><a href="([^"]+)"/g)].map(([, href]) => href!)
}
const addressOf = async (id: string): Promise<string> => (await app.inject(`/api/public/pieces/${id}`)).json().piece.url
const pages = new Map<string, Made>()
for (const one of made) pages.set(await addressOf(one.id), one)

test('until the worker has looked, the newest of the author and the section follow', async () => {
  assert.equal((await shownAfter(made[0]!.id)).length, 3)
})

test('a piece is followed by pieces about the same subject, by any author and in any section', async () => {
  await refreshRelated(worker)
  for (const { id, subject } of made) {
    const related = await relatedTo(id)
    assert.ok(related.length >= 5, `${subject}: ${related.length}`)
    const others = related.slice(0, 5).filter((one) => known.get(one)!.subject !== subject)
    assert.deepEqual(others, [], `all of the first five are about ${subject}`)
    const shown = await shownAfter(id)
    assert.equal(shown.length, 3)
    assert.deepEqual(
      shown.map((address) => pages.get(address)!.subject),
      [subject, subject, subject],
    )
  }
})

test('no author has more than two places, even if they wrote most about it', async () => {
  const [ada] = writers
  for (let at = 0; at < 5; at += 1)
    await makePiece(admin, ada!, { headline: `Comet diary ${at}`, body_md: text(subjects.stars, at), category: 'life' })
  const piece = await makePiece(admin, writers[1]!, { headline: 'A comet', body_md: text(subjects.stars, 2) })
  await relatePiece(worker, piece)
  const authors = await admin.query<{ count: number }>(
    'select count(*)::integer as count from pub.pieces where id = any ($1) group by author_id',
    [await relatedTo(piece)],
  )
  assert.ok(authors.rows.every(({ count }) => count <= 2))
  const shown = await shownAfter(piece)
  const slugs = shown.map((address) => /author\/([^/]+)/.exec(address)![1]!)
  assert.ok([...new Set(slugs)].every((slug) => slugs.filter((one) => one === slug).length <= 2))
})

test('a shared tag is enough, and a translation of the same piece is not named', async () => {
  const one = await makePiece(admin, writers[0]!, { headline: 'Alpha', body_md: 'Lorem.', tags: ['Falconry'] })
  const two = await makePiece(admin, writers[1]!, { headline: 'Omega', body_md: 'Ipsum.', tags: ['falconry'] })
  const german = await makePiece(admin, writers[0]!, {
    headline: 'Alpha auf Deutsch',
    body_md: 'Etwas.',
    tags: ['falconry'],
    locale: 'de',
    translationOf: one,
  })
  for (const id of [one, two, german]) await relatePiece(worker, id)
  assert.deepEqual(await relatedTo(one), [two])
  assert.deepEqual(await relatedTo(german), [two])
  assert.deepEqual(await relatedTo(two), [one, german], 'the same language first')
})

test('the pieces that a new one is near to learn of it at once', async () => {
  const desk = deskOf(app, writers[5]!)
  const id = await desk.begin({ headline: 'Kettle and teapot, again', body_md: text(subjects.tea, 0) })
  assert.equal((await desk.act('publish', id)).statusCode, 200)
  const { rows } = await admin.query(
    "select data from jobs.job where name = 'piece.relate' and data ->> 'piece' = $1",
    [id],
  )
  assert.equal(rows.length, 1, 'the job is committed with the publication')
  await relatePiece(worker, id)
  const [nearest] = await relatedTo(id)
  assert.ok((await relatedTo(nearest!)).includes(id))
})

test('what is unpublished is never shown and not kept, and comes back only when it is public again', async () => {
  const { id, author } = made.find(({ subject }) => subject === 'bread')!
  const writer = writers.find(({ slug }) => slug === author)!
  const naming = (
    await admin.query<{ id: string }>('select piece_id as id from pub.related where $1 = any (related)', [id])
  ).rows
  assert.ok(naming.length > 0)
  const address = await addressOf(id)
  await unpublish(admin, writer, id)
  for (const one of naming) assert.ok(!(await shownAfter(one.id)).includes(address))
  assert.equal((await admin.query('select from pub.related where piece_id = $1', [id])).rowCount, 0)
  await relatePiece(worker, id)
  assert.equal((await admin.query('select from pub.related where piece_id = $1', [id])).rowCount, 0)
  for (const one of naming.slice(0, 3)) {
    await relatePiece(worker, one.id)
    assert.ok(!(await relatedTo(one.id)).includes(id))
  }
})

test('the next part of a series is not named twice', async () => {
  const ids = made.filter(({ subject, author }) => subject === 'trains' && author === 'writer-1').map(({ id }) => id)
  assert.ok(ids.length >= 2)
  await makeSeries(admin, writers[1]!, 'On rails', ids)
  const shown = await shownAfter(ids[0]!)
  assert.ok(!shown.includes(await addressOf(ids[1]!)))
})

test('scripts without spaces are compared by their words', async () => {
  const tea = '茶を淹れる朝は静かで、急須の湯気がゆっくりと立ちのぼる。煎茶の香りが部屋に広がる。'
  const trains = '鉄道の時刻表を眺める夜、蒸気機関車の汽笛が遠くで鳴った。駅の切符売り場は閉まっていた。'
  const ja = { locale: 'ja', category: 'society' }
  const one = await makePiece(admin, writers[0]!, { headline: '煎茶と急須', body_md: tea, ...ja })
  const two = await makePiece(admin, writers[1]!, { headline: '急須のある朝', body_md: tea, ...ja })
  await makePiece(admin, writers[2]!, { headline: '蒸気機関車の夜', body_md: trains, ...ja })
  await refreshRelated(worker)
  assert.equal((await relatedTo(one))[0], two)
})

test('one relation only, of an author who wrote much, is followed by others of the section', async () => {
  const busy = await makeWriter(admin, { slug: 'busy', name: 'Busy' })
  const section = { category: 'society' as const }
  for (const writer of writers.slice(0, 2))
    await makePiece(admin, writer, { headline: `Of ${writer.slug}`, body_md: 'Dolor.', ...section })
  const [first, second] = await Promise.all(
    ['one', 'two', 'three', 'four', 'five'].map((name, at) =>
      makePiece(admin, busy, {
        headline: `Busy ${name}`,
        body_md: 'Sit.',
        ...section,
        tags: at < 2 ? ['cartography'] : [],
      }),
    ),
  )
  for (const id of [second!, first!]) await relatePiece(worker, id)
  assert.equal((await relatedTo(first!)).length, 1)
  const authors = (await shownAfter(first!)).map((address) => /author\/([^/]+)/.exec(address)![1]!)
  assert.equal(authors.length, 3)
  assert.equal(authors.filter((slug) => slug === 'busy').length, 2)
})
