import { historyOf } from '#features/accounts/history.ts'
import type { Person } from '#features/accounts/session-user.ts'
import { earliest, latest } from '#features/pieces/keyset.ts'
import type { Transaction } from '#platform/db/database.ts'
import type { MediaStore } from '#platform/media/store.ts'
import type { Urls } from '#platform/urls.ts'
import type { ZipEntry } from '#platform/zip.ts'
import { asJson, asMarkdown, type ExportedRow, factsOf, fileNameOf } from './export-piece.ts'
import { deliveriesOf, webhookOf } from './export-webhooks.ts'

/** Everything the site has of a person, file by file. Row security shows them nothing that is not theirs. */

/** Read at once: some megabytes where all are as long as they may be. */
const piecesAtOnce = 50
const revisionsAtOnce = 20

/** Where the site is, and its pictures, if it has a place for them. */
export interface Taking {
  readonly urls: Urls
  readonly store: MediaStore | undefined
}

export async function* entriesOf(tx: Transaction, person: Person, taking: Taking): AsyncGenerator<ZipEntry> {
  const modified = new Date()
  const file = (name: string, value: unknown): ZipEntry => ({ name, modified, content: asJson(value) })
  const rows = async (text: string, values: unknown[] = []) => (await tx.query(text, values)).rows
  const { email, name, role, sessionHash } = person

  yield file('account.json', {
    email,
    name,
    role,
    passkeys: await rows('select name, created_at, last_used_at from app.passkeys_of($1)', [sessionHash]),
    sessions: await rows('select user_agent, address, created_at, last_seen_at, expires_at from app.sessions_of($1)', [
      sessionHash,
    ]),
  })
  yield { name: 'security.json', modified, content: listed(historyOf(tx, person)) }
  if (!person.writer) return
  const [profile] = await rows(
    `select slug, name, bio, role, niche, location, avatar_url, website, socials, identity_verified_at,
            website_verified_at, joined_at,
            array(select f.slug from app.former_slugs f where f.writer_id = w.id order by f.slug) as former_slugs
       from app.writers w where w.id = app.session_writer()`,
  )
  yield file('profile.json', profile)
  const keys = await rows(
    `select name, head || '…' || tail as prefix, scopes, created_at, expires_at, revoked_at, last_used_at
       from app.keys_of($1)`,
    [sessionHash],
  )
  yield file('keys.json', keys)
  yield { name: 'audit.json', modified, content: listed(deeds(tx)) }
  yield file('decisions.json', await rows(ofDecisions, [sessionHash]))
  yield file('shop.json', await rows(ofShop))
  yield file('shop-audit.json', await rows(ofShopTrail))
  yield { name: 'reads.json', modified, content: listed(reads(tx)) }
  yield file('webhook.json', await webhookOf(tx))
  yield { name: 'deliveries.json', modified, content: listed(deliveriesOf(tx)) }
  for await (const row of pieces(tx)) yield* entriesOfPiece(tx, row, 'pieces', taking.urls)
  for await (const row of trash(tx, person)) yield* entriesOfPiece(tx, row, 'trash', taking.urls)
  if (taking.store) yield* pictures(tx, person, taking.store)
}

/** The few there can be: the database knows how many. */
const ofShop = `
  select id, status, name, summary, description, price, currency, category, '/media/' || image as image, image_alt,
         payment_url, related as related_pieces, slug, revision, listed_revision, withheld,
         created_at, updated_at, first_listed_at as listed_at
    from app.products where writer_id = (select app.session_writer()) order by position, id`

/** What moderators decided, and what was appealed: the newest hundred. */
const ofDecisions = `
  select at, act, piece_id, product_id, headline, to_status, category, facts, by_report, appeal, appealed_at, outcome,
         answer, decided_at
    from app.decisions_about_me($1, null, null)`

/** The newest, where somebody lists and withdraws without end. */
const ofShopTrail = `
  select at, act, product_id, revision, from_status, to_status, note
    from app.product_audit where writer_id = (select app.session_writer()) order by id desc limit 10000`

/** As texts name them: `/media/{hash}`. */
async function* pictures(tx: Transaction, { sessionHash }: Person, store: MediaStore): AsyncGenerator<ZipEntry> {
  const { rows } = await tx.query<{ hash: string; created_at: Date }>('select * from app.media_of($1)', [sessionHash])
  for (const { hash, created_at: modified } of rows) {
    const content = await store.get(hash)
    if (content) yield { name: `media/${hash}.webp`, modified, content }
  }
}

function* entriesOfPiece(tx: Transaction, row: ExportedRow, folder: string, urls: Urls): Generator<ZipEntry> {
  const [name, modified] = [fileNameOf(row), row.updated_at]
  yield { name: `${folder}/${name}.md`, modified, content: Buffer.from(asMarkdown(row, urls)) }
  const whole = { ...factsOf(row, urls), body_md: row.body_md }
  yield { name: `${folder}/${name}.json`, modified, content: asJson(whole) }
  if (row.has_past) yield { name: `revisions/${name}.json`, modified, content: listed(revisions(tx, row.id)) }
}

const exported = `
  select p.id, p.headline, p.sub, p.body_md, p.category, p.tags, p.frame, p.style, p.locale, p.fields,
         p.editor_status, p.revision, p.slug, w.slug as author_slug, p.created_at, p.updated_at,
         p.first_published_at, exists (select from app.past_revisions r where r.piece_id = p.id) as has_past`

async function* pieces(tx: Transaction): AsyncGenerator<ExportedRow> {
  for (let after = earliest, count = piecesAtOnce; count === piecesAtOnce; ) {
    const { rows } = await tx.query<ExportedRow>(
      `${exported} from app.pieces p join app.writers w on w.id = p.writer_id
        where p.writer_id = (select app.session_writer()) and (p.created_at, p.id) > ($1, $2)
        order by p.created_at, p.id limit $3`,
      [after.time, after.id, piecesAtOnce],
    )
    yield* rows
    count = rows.length
    const last = rows.at(-1)
    if (last) after = { time: last.created_at, id: last.id }
  }
}

async function* trash(tx: Transaction, { sessionHash }: Person): AsyncGenerator<ExportedRow> {
  for (let after = latest, count = piecesAtOnce; count === piecesAtOnce; ) {
    const { rows } = await tx.query<ExportedRow & { deleted_at: Date }>(
      `${exported}, p.deleted_at from app.trash_of($1, $2, $3, $4) p join app.writers w on w.id = p.writer_id
        order by p.deleted_at desc, p.id desc`,
      [sessionHash, after.time, after.id, piecesAtOnce],
    )
    yield* rows
    count = rows.length
    const last = rows.at(-1)
    if (last) after = { time: last.deleted_at, id: last.id }
  }
}

/** The saves that are kept, but the last, which is the piece itself. */
async function* revisions(tx: Transaction, piece: string): AsyncGenerator<object> {
  for (let after = 0, count = revisionsAtOnce; count === revisionsAtOnce; ) {
    const { rows } = await tx.query<{ revision: number }>(
      `select r.revision, r.saved_at, case when r.key_id is null then 'person' else 'key' end as saved_by,
              (select n.name from app.revision_names n where n.piece_id = r.piece_id and n.revision = r.revision) as name,
              r.headline, r.sub as standfirst, r.category, r.tags, r.frame, r.style, r.locale,
              r.fields ->> 'external_url' as external_url, r.body_md
         from app.past_revisions r where r.piece_id = $1 and r.revision > $2 order by r.revision limit $3`,
      [piece, after, revisionsAtOnce],
    )
    yield* rows
    count = rows.length
    after = rows.at(-1)?.revision ?? after
  }
}

const deedsAtOnce = 1000

async function* deeds(tx: Transaction): AsyncGenerator<object> {
  for (let after = '0', count = deedsAtOnce; count === deedsAtOnce; ) {
    const { rows } = await tx.query<{ id: string }>(
      `select id, at, act, piece_id, revision, from_status, to_status, note,
              case when key_id is not null then 'key' when account_id is null then 'site' else 'person' end as by
         from app.audit where id > $1 and writer_id = (select app.session_writer()) order by id limit $2`,
      [after, deedsAtOnce],
    )
    for (const { id: _, ...deed } of rows) yield deed
    count = rows.length
    after = rows.at(-1)?.id ?? after
  }
}

const readsAtOnce = 1000

/** How often each piece was read on each day. */
async function* reads(tx: Transaction): AsyncGenerator<object> {
  for (let after = ['-infinity', earliest.id], count = readsAtOnce; count === readsAtOnce; ) {
    const { rows } = await tx.query<{ piece_id: string; day: string }>(
      `select day::text, piece_id, reads from app.piece_reads_daily r
        where author_id = (select app.session_writer()) and (r.day, r.piece_id) > ($1::date, $2)
        order by r.day, r.piece_id limit $3`,
      [...after, readsAtOnce],
    )
    yield* rows
    count = rows.length
    const last = rows.at(-1)
    if (last) after = [last.day, last.piece_id]
  }
}

/** A list in JSON, written item by item. */
async function* listed(items: AsyncIterable<object>): AsyncGenerator<Buffer> {
  let before = '[\n'
  for await (const item of items) {
    yield Buffer.from(`${before}${JSON.stringify(item, null, 2)}`)
    before = ',\n'
  }
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n')
}
