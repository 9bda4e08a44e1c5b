import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { addAccount } from '../server/features/accounts/sign-up.ts'
import { addWriter, publishProfile, type WriterProfile } from '../server/features/authors/writers.ts'
import { newKey } from '../server/features/keys/key.ts'
import { callPublishFunction, pieceNow } from '../server/features/pieces/publish.ts'
import { signReceipt } from '../server/features/pieces/receipts/receipts.ts'
import { type Manuscript, renderPiece } from '../server/features/pieces/rendering/render-piece.ts'
import { normalizeListing, type StoredListing } from '../server/features/products/listing.ts'
import { callListProductFunction } from '../server/features/products/publish.ts'
import { urlsFor } from '../server/features/urls.ts'
import { createSigner, hashOf, secretToken } from '../server/platform/crypto.ts'
import { slugInAnyScript } from '../server/platform/text/slug.ts'

/** Creates test data. Everything public is published by the database's publishing function, as in production. */

const blank: Omit<WriterProfile, 'slug' | 'name'> = {
  bio: null,
  role: null,
  niche: null,
  location: null,
  avatarUrl: null,
  website: null,
  socials: {},
}

export interface MadeWriter {
  readonly id: string
  readonly slug: string
  readonly accountId: string
  readonly sessionId: string
  readonly sessionToken: string
}

export async function inTransaction<T>(admin: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await admin.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

/** A writer with an account and a live session at the desk. */
export async function makeWriter(
  admin: pg.Pool,
  given: Partial<WriterProfile> & { verified?: boolean; websiteVerified?: boolean; shown?: boolean } = {},
): Promise<MadeWriter> {
  const slug = given.slug ?? `writer-${randomUUID().slice(0, 8)}`
  return inTransaction(admin, async (client) => {
    await client.query('set local role svc_owner')
    const id = await addWriter(client, { ...blank, name: 'A Writer', ...given, slug })
    const account = { email: `${slug}@site.test`, name: given.name ?? 'A Writer', role: 'writer' } as const
    const accountId = await addAccount(client, account)
    await client.query(
      `update app.writers set account_id = $2, identity_verified_at = case when $3 then now() end,
              website_verified_at = case when $4 then now() end where id = $1`,
      [id, accountId, given.verified ?? false, given.websiteVerified ?? false],
    )
    const { token, hash } = secretToken()
    const session = await client.query<{ id: string }>(
      "insert into app.sessions (account_id, token_hash, expires_at) values ($1, $2, now() + interval '1 day') returning id",
      [accountId, hash],
    )
    await client.query('reset role')
    if (given.shown ?? true) await publishProfile(client, id)
    return { id, slug, accountId, sessionId: session.rows[0]!.id, sessionToken: token }
  })
}

/** A key of this writer's, as an operator mints one. */
export async function makeKey(
  admin: pg.Pool,
  writer: MadeWriter,
  given: { scopes?: readonly string[]; expiresAt?: Date; revoked?: boolean } = {},
): Promise<{ id: string; key: string; hash: Buffer }> {
  const { key, hash, head, tail } = newKey()
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.api_keys (writer_id, name, key_hash, head, tail, scopes, expires_at, revoked_at)
     values ($1, 'A key', $2, $3, $4, $5, $6, case when $7 then now() end) returning id`,
    [writer.id, hash, head, tail, given.scopes ?? ['pieces:write'], given.expiresAt ?? null, given.revoked ?? false],
  )
  return { id: rows[0]!.id, key, hash }
}

export interface GivenPiece extends Partial<Manuscript> {
  readonly id?: string
  readonly category?: string
  readonly tags?: readonly string[]
  readonly style?: string
  readonly locale?: string
  readonly externalUrl?: string
  readonly translationOf?: string | null
}

export async function makeDraft(admin: pg.Pool, writer: MadeWriter, given: GivenPiece = {}): Promise<string> {
  const id = given.id ?? randomUUID()
  await asDesk(admin, writer, (client) =>
    client.query(
      `insert into app.pieces (id, writer_id, headline, sub, body_md, category, tags, style, locale, fields)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        id,
        writer.id,
        given.headline ?? 'A headline',
        given.sub ?? null,
        given.body_md ?? 'A body.',
        given.category ?? 'building',
        given.tags ?? [],
        given.style ?? 'essay',
        given.locale ?? 'en',
        {
          ...(given.externalUrl ? { external_url: given.externalUrl } : {}),
          ...(given.translationOf ? { translation_of: given.translationOf } : {}),
        },
      ],
    ),
  )
  return id
}

const signer = createSigner('a-secret-of-tests-that-everybody-knows')
const urls = urlsFor('https://site.test')

/** A series of these pieces, saved as the desk does. Returns its id. */
export async function makeSeries(
  admin: pg.Pool,
  writer: MadeWriter,
  title: string,
  pieces: readonly string[],
): Promise<string> {
  const id = randomUUID()
  const slug = slugInAnyScript(title, 80, 'series')
  await asDesk(admin, writer, (client) =>
    client.query('select app.desk_save_series($1, $2, null, $3, $4, $5, $6)', [
      hashOf(writer.sessionToken),
      id,
      slug,
      title,
      `About ${title}.`,
      pieces,
    ]),
  )
  return id
}

/** Publishes as the desk does. `publishedAt` is for tests of order: it is set afterwards, by the only role that may. */
export async function publish(admin: pg.Pool, writer: MadeWriter, pieceId: string, publishedAt?: Date): Promise<void> {
  const { token: nonce, hash } = secretToken()
  const sessionHash = hashOf(writer.sessionToken)
  await asDesk(admin, writer, async (client) => {
    const { rows } = await client.query<Manuscript & { revision: number }>(
      'select headline, sub, body_md, revision from app.pieces where id = $1',
      [pieceId],
    )
    const piece = rows[0]!
    await client.query('select app.make_nonce($1, $2, $3, $4)', [pieceId, sessionHash, piece.revision, hash])
    await callPublishFunction(client, 'publish', {
      pieceId,
      sessionHash,
      nonce,
      rendering: renderPiece(piece),
    })
    await signReceipt(client, signer, pieceId, await pieceNow(client, urls, pieceId))
  })
  if (publishedAt) await setPublishedAt(admin, pieceId, publishedAt)
}

export async function unpublish(admin: pg.Pool, writer: MadeWriter, pieceId: string): Promise<void> {
  await asDesk(admin, writer, (client) =>
    client.query('select app.desk_unpublish($1, $2)', [pieceId, hashOf(writer.sessionToken)]),
  )
}

export async function makePiece(
  admin: pg.Pool,
  writer: MadeWriter,
  { publishedAt, ...given }: GivenPiece & { publishedAt?: Date } = {},
): Promise<string> {
  const id = await makeDraft(admin, writer, given)
  await publish(admin, writer, id, publishedAt)
  return id
}

export async function asDesk<T>(
  admin: pg.Pool,
  writer: MadeWriter,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return inTransaction(admin, async (client) => {
    await client.query('set local role svc_desk')
    await client.query("select set_config('app.session_hash', $1, true)", [hashOf(writer.sessionToken).toString('hex')])
    return work(client)
  })
}

async function setPublishedAt(admin: pg.Pool, pieceId: string, at: Date): Promise<void> {
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query('update pub.pieces set published_at = $2, modified_at = $2 where id = $1', [pieceId, at])
    await client.query('update pub.piece_texts set published_at = $2 where piece_id = $1', [pieceId, at])
    await client.query(
      `update pub.authors a set last_published_at = app.last_published(a.id)
        where a.id in (select unnest(author_id || co_authors) from pub.pieces where id = $1)`,
      [pieceId],
    )
  })
}

/** Copies a public piece `count` times, for a writer who has published for years: only the number matters. */
export async function copyPiece(
  admin: pg.Pool,
  { id: writer }: MadeWriter,
  piece: string,
  count: number,
): Promise<void> {
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    const ids = Array.from({ length: count }, () => randomUUID())
    const copied = (table: string, key: string, changed: string) =>
      client.query(
        `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(${changed}))).*
           from ${table} t, unnest($2::uuid[]) with ordinality c(id, n) where t.${key} = $1`,
        [piece, ids],
      )
    await copied('app.pieces', 'id', "'id', c.id, 'slug', 'copy-' || c.n")
    await copied('pub.pieces', 'id', "'id', c.id, 'slug', 'copy-' || c.n")
    await copied('pub.piece_contents', 'piece_id', "'piece_id', c.id")
    await copied('pub.piece_texts', 'piece_id', "'piece_id', c.id")
    await copied('pub.receipts', 'piece_id', "'piece_id', c.id")
    await client.query('update pub.authors set pieces_count = pieces_count + $2 where id = $1', [writer, count])
  })
}

/** Creates product listings, published by the database's functions as in production. */

type Given = Partial<Parameters<typeof normalizeListing>[0]> & { readonly id?: string }

/** A listing that only its writer sees. */
export async function makeProductDraft(admin: pg.Pool, writer: MadeWriter, given: Given = {}): Promise<string> {
  const { id = randomUUID(), ...body } = given
  const listing = normalizeListing({ name: 'A notebook', payment_url: 'https://pay.example/notebook', ...body })
  const columns = Object.keys(listing)
  await asDesk(admin, writer, (client) =>
    client.query(
      `insert into app.products (id, writer_id, ${columns.join(', ')})
       values ($1, $2, ${columns.map((_, index) => `$${index + 3}`).join(', ')})`,
      [id, writer.id, ...Object.values(listing)],
    ),
  )
  return id
}

export const listProduct = (admin: pg.Pool, writer: MadeWriter, id: string, act: 'list' | 'update' = 'list') =>
  asDesk(admin, writer, async (client) => {
    const { rows } = await client.query<StoredListing & { revision: number }>(
      'select * from app.products where id = $1',
      [id],
    )
    const { revision } = rows[0]!
    const sessionHash = hashOf(writer.sessionToken)
    await callListProductFunction(client, act, { id, sessionHash, revision, listing: rows[0]! })
  })

export const withdrawProduct = (admin: pg.Pool, writer: MadeWriter, id: string) =>
  asDesk(admin, writer, (client) =>
    client.query('select app.desk_withdraw_product($1, $2)', [id, hashOf(writer.sessionToken)]),
  )

/** A public listing. `listedAt` is for tests of order: it is set afterwards, by the only role that may. */
export async function makeProduct(
  admin: pg.Pool,
  writer: MadeWriter,
  { listedAt, ...given }: Given & { listedAt?: Date } = {},
): Promise<string> {
  const id = await makeProductDraft(admin, writer, given)
  await listProduct(admin, writer, id)
  if (listedAt) {
    await inTransaction(admin, async (client) => {
      await client.query('set local role svc_publisher')
      await client.query('update pub.products set listed_at = $2 where id = $1', [id, listedAt])
    })
  }
  return id
}

const words = 'tea kettle steam café naïve 茶 🍵 morning porcelain slowly “quoted” the of and with water'.split(' ')

/** Every save of a draft while it is typed: mostly appended, sometimes changed further up. Deterministic. */
export function typedDraft(saves: number, longest: number): string[] {
  let seed = 42
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const sentence = () => `${Array.from({ length: 4 }, () => words[random(words.length)]).join(' ')}. `
  const bodies: string[] = ['Tea. ']
  while (bodies.length < saves) {
    const body = [...bodies.at(-1)!]
    const act = random(10)
    const place = random(body.length)
    const isLong = body.length > (longest * bodies.length) / saves
    if (act < 6 && !isLong) body.push(...sentence())
    else if (act < 8) body.splice(place, 12, ...[...sentence()].slice(0, 14))
    else body.splice(place, isLong ? 60 : 5)
    if (body.length < 5) body.push('🍵', ...sentence())
    // A save without a change would not count.
    if (body.join('') === bodies.at(-1)) body.push('!')
    bodies.push(body.join(''))
  }
  return bodies
}
