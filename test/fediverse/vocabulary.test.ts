import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Accept,
  Article,
  Create,
  Delete,
  Follow,
  Hashtag,
  Image,
  Move,
  Note,
  Person,
  Tombstone,
  Update,
} from '@fedify/fedify/vocab'
import {
  acceptActivity,
  actorDocument,
  articleOf,
  createActivity,
  type Document,
  deleteActivity,
  everybody,
  keyAddress,
  moveActivity,
  tombstoneOf,
  updateActivity,
} from '../../server/features/fediverse/vocabulary.ts'
import type { PublishedPiece } from '../../server/features/pieces/public-lists.ts'
import { exampleId, examplePiece } from '../../server/features/pieces/schema.ts'
import { urlsFor } from '../../server/features/urls.ts'

/** What we send is read by a library that other servers use, as JSON-LD; and as the plain JSON that the rest read. */

const urls = urlsFor('https://site.test')
const actor = '0a1b2c3d-1111-4222-8333-444455556666'
const id = '0a1b2c3d-7777-4222-8333-444455556666'
const hash = 'ab'.repeat(32)

const published: PublishedPiece = {
  piece: {
    ...examplePiece,
    content_html: `<p>Tea &amp; <a href="#fn1">time</a>.</p><p><img src="https://site.test/media/${hash}" alt="A &quot;kettle&quot;" width="800" height="600" loading="lazy"></p><img src="https://other.test/media/${hash}.png" alt="">`,
    cover: {
      ...{ url: `https://site.test/media/${'cd'.repeat(32)}`, width: 1200, height: 800, alt: 'Leaves' },
      ...{ caption: null, credit: null, focus: { x: 50, y: 50 } },
    },
    date_modified: '2026-11-03T08:30:00.000Z',
  },
  uuid: exampleId,
  slug: 'the-case-for-slow-tea',
  authorId: id,
  publicSince: examplePiece.date_published,
  standfirst: null,
  meta: null,
  versions: [],
  topics: [
    { name: 'Slow tea', url: 'https://site.test/topic/slow-tea' },
    { name: '🍵', url: null },
  ],
  previous: null,
  next: null,
}

const article = articleOf(published, actor, urls)
const given = { id, actor }

/** Nothing is fetched: contexts that every server knows come with the library. */
const loaders = {
  documentLoader: async (url: string): Promise<never> => {
    throw new Error(`fetches ${url}`)
  },
}

test('a piece is an article with its text, language, hashtags, pictures and a note for servers without articles', async () => {
  const read = await Article.fromJsonLd(article, loaders)
  assert.equal(read.id?.href, `https://site.test/fediverse/pieces/${exampleId}`)
  assert.equal(String(read.name), examplePiece.title)
  assert.equal(String(read.summary), `<p>${examplePiece.summary}</p>`)
  assert.match(
    String(read.contents[0]),
    /^<p>Tea &amp; <a href="https:\/\/standfirst\.example\/author\/ada-okafor\/the-case-for-slow-tea#fn1"/,
  )
  assert.deepEqual(Object.keys(article.contentMap as Document), ['en'])
  assert.equal(read.attributionId?.href, urls.actor(actor))
  assert.deepEqual([read.toId?.href, read.ccId?.href], [everybody, urls.actorFollowers(actor)])
  assert.equal(read.published?.toString(), '2026-11-02T08:30:00Z')
  assert.equal(read.updated?.toString(), '2026-11-03T08:30:00Z')
  const tags = await Array.fromAsync(read.getTags(loaders))
  assert.deepEqual(
    tags.map((tag) => (tag instanceof Hashtag ? [String(tag.name), tag.href?.href] : [])),
    [['#SlowTea', 'https://site.test/topic/slow-tea']],
  )
  const pictures = await Array.fromAsync(read.getAttachments(loaders))
  assert.deepEqual(
    pictures.map((one) => (one instanceof Image ? [String(one.name), one.width] : [])),
    [['A "kettle"', 800]],
  )
  assert.equal(String((await read.getImage(loaders))?.name), 'Leaves')
  const preview = await read.getPreview(loaders)
  assert.match(
    preview instanceof Note ? String(preview.content) : '',
    /<strong>The case for slow tea<\/strong>.*<a href="https:\/\/standfirst\.example\/author/s,
  )
})

test('an article that did not change has no date of a change, and an unknown language is not named', () => {
  const { piece } = published
  const same = { ...published, piece: { ...piece, date_modified: piece.date_published, language: 'und' } }
  const read = articleOf(same, actor, urls)
  assert.ok(!('updated' in read) && !('contentMap' in read))
})

test('an actor has its name, key, inboxes and followers', async () => {
  const document = actorDocument(
    {
      ...{ id: actor, isSite: false, username: 'ada', name: 'Ada <3', bio: 'Of tea.\n\nAnd <time>.' },
      ...{ page: urls.profile('ada'), icon: { url: 'https://site.test/media/a' }, since: '2024-03-01T09:00:00.000Z' },
      publicKey:
        '-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBANDiE2+Xi/WnO+s120NiiJhNyIButVu6\nzxqlVzz0wy2j4kQVUC4ZRZD80IY+4wIiX2YxKBZKGnd2TtPkcJ/ljkUCAwEAAQ==\n-----END PUBLIC KEY-----\n',
    },
    urls,
  )
  const read = await Person.fromJsonLd(document, loaders)
  assert.equal(String(read.preferredUsername), 'ada')
  assert.equal(String(read.name), 'Ada <3')
  assert.equal(String(read.summary), '<p>Of tea.</p><p>And &lt;time&gt;.</p>')
  assert.equal(read.inboxId?.href, `https://site.test/desk/fediverse/actors/${actor}/inbox`)
  assert.equal(read.endpoints?.sharedInbox?.href, 'https://site.test/desk/fediverse/inbox')
  const key = await read.getPublicKey(loaders)
  assert.equal(key?.id?.href, keyAddress(actor, urls))
  assert.equal(key?.ownerId?.href, urls.actor(actor))
})

test('activities name who acts, what about and for whom', async () => {
  const create = await Create.fromJsonLd(createActivity(given, article, urls), loaders)
  assert.equal(create.id?.href, urls.activity(id))
  assert.equal(create.actorId?.href, urls.actor(actor))
  assert.deepEqual([create.toId?.href, create.ccId?.href], [everybody, urls.actorFollowers(actor)])
  assert.ok((await create.getObject(loaders)) instanceof Article)

  const at = '2026-11-03T08:30:00.000Z'
  const update = await Update.fromJsonLd(updateActivity({ ...given, at }, article, urls), loaders)
  assert.equal((await update.getObject(loaders))?.id?.href, urls.pieceObject(exampleId))
  assert.equal(update.updated?.toString(), '2026-11-03T08:30:00Z')

  const remove = await Delete.fromJsonLd(deleteActivity(given, exampleId, urls), loaders)
  const gone = await remove.getObject(loaders)
  assert.ok(gone instanceof Tombstone)
  assert.equal(gone.id?.href, tombstoneOf(urls.pieceObject(exampleId)).id)

  const follow = { id: 'https://one.test/follows/1', follower: 'https://one.test/bo' }
  const accept = await Accept.fromJsonLd(acceptActivity(given, follow, urls), loaders)
  const accepted = await accept.getObject({ ...loaders, crossOrigin: 'trust' })
  assert.ok(accepted instanceof Follow)
  assert.deepEqual([accepted.id?.href, accepted.actorId?.href], [follow.id, follow.follower])

  const move = await Move.fromJsonLd(moveActivity(given, 'https://one.test/ada', urls), loaders)
  assert.equal(move.targetId?.href, 'https://one.test/ada')
})
