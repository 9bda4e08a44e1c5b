import { historyOf } from '#features/accounts/history.ts'
import type { Person } from '#features/accounts/sessions.ts'
import { followerDays, welcomeOf } from '#features/followers/desk.ts'
import { importRecords } from '#features/followers/imports.ts'
import { earliest, latest } from '#features/pieces/keyset.ts'
import type { StoredManuscript } from '#features/pieces/normalize-input.ts'
import { presentDraftCover, presentDraftMeta } from '#features/pieces/present.ts'
import type { Urls } from '#features/urls.ts'
import { messageId } from '#features/webhooks/sign.ts'
import type { Transaction } from '#platform/db/database.ts'
import type { MediaStore } from '#platform/media/store.ts'
import type { ZipEntry } from '#platform/zip.ts'

/** Everything the site stores about a person, file by file. Row security limits it to their own data. */

/** Rows per query; some megabytes if all are of maximum length. */
const piecesBatch = 50
const revisionsBatch = 20
/** Of followers, as numbers: their addresses are a download of its own. */
const exportedDays = 365

export interface ExportSources {
  readonly urls: Urls
  readonly store: MediaStore | undefined
}

export async function* exportFiles(tx: Transaction, person: Person, sources: ExportSources): AsyncGenerator<ZipEntry> {
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
  yield { name: 'security.json', modified, content: jsonList(historyOf(tx, person)) }
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
  yield { name: 'audit.json', modified, content: jsonList(auditEntries(tx)) }
  yield file('decisions.json', await rows(ofDecisions, [sessionHash]))
  yield { name: 'translations.json', modified, content: jsonList(translationRequests(tx)) }
  yield file('co-authors.json', await rows(ofCoAuthors))
  yield file('comments.json', await rows('select * from app.comments_by($1)', [sessionHash]))
  yield file('series.json', await rows(ofSeries))
  yield file('shop.json', await rows(ofShop))
  yield file('shop-audit.json', await rows(ofShopTrail))
  yield { name: 'reads.json', modified, content: jsonList(reads(tx)) }
  yield file('followers.json', {
    welcome: await welcomeOf(tx),
    days: await followerDays(tx, exportedDays),
    imports: await importRecords(tx),
  })
  yield file('webhook.json', await webhookOf(tx))
  yield { name: 'deliveries.json', modified, content: jsonList(deliveriesOf(tx)) }
  for await (const row of pieces(tx)) yield* entriesOfPiece(tx, row, 'pieces', sources.urls)
  for await (const row of trash(tx, person)) yield* entriesOfPiece(tx, row, 'trash', sources.urls)
  if (sources.store) yield* pictures(tx, person, sources.store)
}

/** Whom the writer invited, and what they were invited to, with each answer. The other person is named as in public. */
const ofCoAuthors = `
  select case when c.invited_by = me.id then 'writer' else 'co-author' end as role, c.piece_id, a.slug as other_writer,
         c.invited_at, c.answer, c.answered_at, c.removed_at
    from (select app.session_writer() as id) me
    join app.co_authors c on me.id in (c.invited_by, c.writer_id)
    left join pub.authors a on a.id = case when c.invited_by = me.id then c.writer_id else c.invited_by end
   order by c.invited_at, c.piece_id, c.writer_id`

/** The database limits their number, and that of their pieces. */
const ofSeries = `
  select id, slug, title, description, created_at, updated_at,
         array(select m.piece_id from app.series_pieces m where m.series_id = s.id order by m.position) as pieces
    from app.series s where writer_id = (select app.session_writer()) order by created_at, id`

/** The database limits their number. */
const ofShop = `
  select id, status, name, summary, description, price, currency, category, '/media/' || image as image, image_alt,
         payment_url, related as related_pieces, slug, revision, listed_revision, withheld,
         created_at, updated_at, first_listed_at as listed_at
    from app.products where writer_id = (select app.session_writer()) order by position, id`

/** The newest hundred decisions and appeals. */
const ofDecisions = `
  select at, act, piece_id, product_id, headline, to_status, category, facts, by_report, appeal, appealed_at, outcome,
         answer, decided_at
    from app.decisions_about_me($1, null, null)`

/** Limited, since listing and withdrawing can be repeated without end. */
const ofShopTrail = `
  select at, act, product_id, revision, from_status, to_status, note
    from app.product_audit where writer_id = (select app.session_writer()) order by id desc limit 10000`

/** Pieces refer to them as `/media/{hash}`. */
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
  if (row.has_past) yield { name: `revisions/${name}.json`, modified, content: jsonList(revisions(tx, row.id)) }
}

const exported = `
  select p.id, p.headline, p.sub, p.body_md, p.category, p.tags, p.frame, p.style, p.locale, p.fields,
         p.editor_status, p.revision, p.slug, w.slug as author_slug, p.created_at, p.updated_at,
         p.first_published_at, exists (select from app.past_revisions r where r.piece_id = p.id) as has_past`

async function* pieces(tx: Transaction): AsyncGenerator<ExportedRow> {
  for (let after = earliest, count = piecesBatch; count === piecesBatch; ) {
    const { rows } = await tx.query<ExportedRow>(
      `${exported} from app.pieces p join app.writers w on w.id = p.writer_id
        where p.writer_id = (select app.session_writer()) and (p.created_at, p.id) > ($1, $2)
        order by p.created_at, p.id limit $3`,
      [after.time, after.id, piecesBatch],
    )
    yield* rows
    count = rows.length
    const last = rows.at(-1)
    if (last) after = { time: last.created_at, id: last.id }
  }
}

async function* trash(tx: Transaction, { sessionHash }: Person): AsyncGenerator<ExportedRow> {
  for (let after = latest, count = piecesBatch; count === piecesBatch; ) {
    const { rows } = await tx.query<ExportedRow & { deleted_at: Date }>(
      `${exported}, p.deleted_at from app.trash_of($1, $2, $3, $4) p join app.writers w on w.id = p.writer_id
        order by p.deleted_at desc, p.id desc`,
      [sessionHash, after.time, after.id, piecesBatch],
    )
    yield* rows
    count = rows.length
    const last = rows.at(-1)
    if (last) after = { time: last.deleted_at, id: last.id }
  }
}

/** Stored revisions except the last, which is the piece itself. */
async function* revisions(tx: Transaction, piece: string): AsyncGenerator<object> {
  for (let after = 0, count = revisionsBatch; count === revisionsBatch; ) {
    const { rows } = await tx.query<{ revision: number }>(
      `select r.revision, r.saved_at, case when r.key_id is null then 'person' else 'key' end as saved_by,
              (select n.name from app.revision_names n where n.piece_id = r.piece_id and n.revision = r.revision) as name,
              r.headline, r.sub as standfirst, r.category, r.tags, r.frame, r.style, r.locale,
              r.fields ->> 'external_url' as external_url, r.fields ->> 'translation_of' as translation_of, r.fields -> 'cover' as cover,
              r.fields -> 'meta' as meta, r.body_md
         from app.past_revisions r where r.piece_id = $1 and r.revision > $2 order by r.revision limit $3`,
      [piece, after, revisionsBatch],
    )
    yield* rows
    count = rows.length
    after = rows.at(-1)?.revision ?? after
  }
}

const auditBatch = 1000

async function* auditEntries(tx: Transaction): AsyncGenerator<object> {
  for (let after = '0', count = auditBatch; count === auditBatch; ) {
    const { rows } = await tx.query<{ id: string }>(
      `select id, at, act, piece_id, revision, from_status, to_status, note,
              case when key_id is not null then 'key' when account_id is null then 'site' else 'person' end as by
         from app.audit where id > $1 and writer_id = (select app.session_writer()) order by id limit $2`,
      [after, auditBatch],
    )
    for (const { id: _, ...entry } of rows) yield entry
    count = rows.length
    after = rows.at(-1)?.id ?? after
  }
}

const requestsBatch = 1000

/** Translations that the writer asked others about, and was asked about. The other person is named as in public. */
async function* translationRequests(tx: Transaction): AsyncGenerator<object> {
  for (let after = earliest, count = requestsBatch; count === requestsBatch; ) {
    const { rows } = await tx.query<{ asked_at: Date; piece_id: string }>(
      `select case when r.translator_id = me.id then 'translator' else 'author' end as role,
              r.piece_id, r.original_id, a.slug as other_writer, r.asked_at, r.answer, r.answered_at
         from (select app.session_writer() as id) me
         join app.translation_requests r on me.id in (r.translator_id, r.author_id)
         left join pub.authors a on a.id = case when r.translator_id = me.id then r.author_id else r.translator_id end
        where (r.asked_at, r.piece_id) > ($1, $2)
        order by r.asked_at, r.piece_id limit $3`,
      [after.time, after.id, requestsBatch],
    )
    yield* rows
    count = rows.length
    const last = rows.at(-1)
    if (last) after = { time: last.asked_at, id: last.piece_id }
  }
}

const readsBatch = 1000

/** Daily reads of each piece. */
async function* reads(tx: Transaction): AsyncGenerator<object> {
  for (let after = ['-infinity', earliest.id], count = readsBatch; count === readsBatch; ) {
    const { rows } = await tx.query<{ piece_id: string; day: string }>(
      `select day::text, piece_id, reads from app.piece_reads_daily r
        where author_id = (select app.session_writer()) and (r.day, r.piece_id) > ($1::date, $2)
        order by r.day, r.piece_id limit $3`,
      [...after, readsBatch],
    )
    yield* rows
    count = rows.length
    const last = rows.at(-1)
    if (last) after = [last.day, last.piece_id]
  }
}

/** Streams a JSON array item by item. */
async function* jsonList(items: AsyncIterable<object>): AsyncGenerator<Buffer> {
  let before = '[\n'
  for await (const item of items) {
    yield Buffer.from(`${before}${JSON.stringify(item, null, 2)}`)
    before = ',\n'
  }
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n')
}

/** A piece as it is taken along. */

interface ExportedRow extends StoredManuscript {
  readonly id: string
  readonly editor_status: string
  readonly revision: number
  readonly slug: string | null
  readonly author_slug: string
  readonly created_at: Date
  readonly updated_at: Date
  readonly first_published_at: Date | null
  readonly has_past: boolean
}

/** The day it was published or created, and its slug or id. */
const fileNameOf = ({ id, slug, created_at, first_published_at }: ExportedRow): string =>
  `${(first_published_at ?? created_at).toISOString().slice(0, 10)}-${slug ?? id}`

const factsOf = (row: ExportedRow, urls: Urls) => ({
  id: row.id,
  headline: row.headline,
  standfirst: row.sub,
  status: row.editor_status,
  url: row.editor_status === 'approved' && row.slug ? urls.piece(row.author_slug, row.slug) : null,
  category: row.category,
  tags: row.tags,
  frame: row.frame,
  style: row.style,
  locale: row.locale,
  external_url: row.fields.external_url ?? null,
  translation_of: row.fields.translation_of ?? null,
  cover: row.fields.cover ? presentDraftCover(row.fields.cover) : null,
  meta: row.fields.meta ? presentDraftMeta(row.fields.meta) : null,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  published_at: row.first_published_at?.toISOString() ?? null,
})

/** YAML front matter (values as JSON, a subset of YAML), then the Markdown source, byte for byte. */
const asMarkdown = (row: ExportedRow, urls: Urls): string => {
  const lines = Object.entries(factsOf(row, urls)).map(([name, value]) => `${name}: ${yaml(value)}`)
  return `---\n${lines.join('\n')}\n---\n\n${row.body_md}`
}

/** Valid unescaped in JSON, but line breaks or forbidden in YAML. */
const yaml = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const asJson = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

/** Without the secret: anyone who has it can pretend to be us. */
async function webhookOf(tx: Transaction): Promise<object | null> {
  const { rows } = await tx.query(
    `select url, url_given_at as given_at, state, disabled_for, created_at, live_since, proven_at, owner_proven_at,
            secret_hint, secret_made_at, former_until as former_secret_until, failures, failing_since
       from app.webhooks where writer_id = (select app.session_writer())`,
  )
  return rows[0] ?? null
}

const deliveriesBatch = 100

/** Newest first, with attempts. Bodies are left out: the pieces are separate files. */
async function* deliveriesOf(tx: Transaction): AsyncGenerator<object> {
  for (let after = latest, count = deliveriesBatch; count === deliveriesBatch; ) {
    const { rows } = await tx.query<{ id: string; created_at: Date }>(
      `select d.id, d.event, d.piece_id, d.sequence::integer, d.state, d.created_at, d.ended_at,
              coalesce(a.attempts, '[]') as attempts
         from app.deliveries d left join lateral (
                select jsonb_agg(to_jsonb(a) - 'delivery_id' - 'writer_id' order by a.attempt) as attempts
                  from app.delivery_attempts a where a.delivery_id = d.id
              ) a on true
        where d.writer_id = (select app.session_writer()) and (d.created_at, d.id) < ($1, $2)
        order by d.created_at desc, d.id desc limit $3`,
      [after.time, after.id, deliveriesBatch],
    )
    for (const { id, ...delivery } of rows) yield { message: messageId(id), ...delivery }
    count = rows.length
    const last = rows.at(-1)
    if (last) after = { time: last.created_at, id: last.id }
  }
}
