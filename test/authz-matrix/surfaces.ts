import { setTimeout as pause } from 'node:timers/promises'
import { acts } from '../../server/features/pieces/states.ts'
import { deskOf } from '../../testkit/desk.ts'
import type { MadeWriter } from '../../testkit/factories.ts'
import { photograph, uploaderOf } from '../../testkit/media.ts'
import type { Receiver } from '../../testkit/receivers.ts'
import { type SiteUnderProof, takeChanges } from './honest-site.ts'
import { draftCalls } from './requests.ts'
import { type Credential, canaryPattern, credentials, privateTag, sameId } from './site.ts'

/** Both writers have a webhook, so every publication is delivered to a receiver that is checked here. */

/** Points all webhooks at the test's receiver, before the worker starts. */
export async function redirectDeliveries({ site: { admin } }: SiteUnderProof, receiver: Receiver): Promise<void> {
  await admin.query("update app.webhooks set url = $1, state = 'live', disabled_for = null, rests_until = null", [
    receiver.url,
  ])
  await admin.query("update app.deliveries set state = 'pending', due_at = now() where state = 'held'")
  await admin.query('update app.webhooks set ready_at = now()')
}

export const stillToDeliver = async ({ site: { admin } }: SiteUnderProof): Promise<number> => {
  const { rows } = await admin.query("select count(*)::integer as count from app.deliveries where state = 'pending'")
  return rows[0].count
}

/** No delivery contains a canary, or a piece that no person has published. */
export async function judgeDeliveries({ site: { admin } }: SiteUnderProof, receiver: Receiver): Promise<string[]> {
  const breaches: string[] = []
  const { rows } = await admin.query<{ id: string }>(
    "select distinct piece_id as id from app.audit where act in ('publish', 'approve')",
  )
  const published = new Set(rows.map(({ id }) => id))
  const pieces = receiver.delivered
    .filter(({ headers }) => headers['x-service-event'] === 'piece.published')
    .map(({ body }) => (JSON.parse(body.toString('utf8')) as { id: string }).id.slice(-36))
  for (const id of pieces)
    if (!published.has(id)) breaches.push(`a delivery tells of ${id}, which nobody has published`)
  for (const { body, headers } of receiver.delivered) {
    if (`${body}${JSON.stringify(headers)}`.match(canaryPattern)) breaches.push('a delivery holds a canary')
  }
  if (pieces.length === 0) breaches.push('pieces went public, and no delivery arrived')
  const left = await admin.query("select from app.deliveries where convert_from(body, 'UTF8') ~ 'CANARY-'")
  if (left.rowCount) breaches.push(`${left.rowCount} deliveries hold a canary`)
  return breaches
}

const longest = 30_000

/**
 * Reads of pieces in every state: the pixel answers all alike, and only public pieces are counted and trending, without
 * unpublished text. The lists made from these and from tags show none either.
 */
export async function judgeReads({ site, ask }: SiteUnderProof): Promise<{ hits: number; breaches: string[] }> {
  const breaches: string[] = []
  const headers = { 'user-agent': 'Mozilla/5.0 (a reader)', ...sameId }
  const answers = await Promise.all(site.ids.map((id) => ask({ method: 'GET', url: `/r/${id}.gif`, headers })))
  const shown = answers.map(({ statusCode, headers: { date, ...rest }, body }) =>
    JSON.stringify([statusCode, rest, body]),
  )
  if (new Set(shown).size !== 1) breaches.push('the pixel tells one piece from another')

  const open = await publicIds(site.admin)
  const expected = site.ids.filter((id) => open.has(id))
  const counted = async () => {
    const { rows } = await site.admin.query<{ id: string }>(
      'select piece_id as id from app.piece_reads where reads > 0 and piece_id::text = any ($1)',
      [site.ids],
    )
    return rows.map(({ id }) => id)
  }
  for (const end = Date.now() + longest; (await counted()).length < expected.length; await pause(50)) {
    if (Date.now() < end) continue
    breaches.push('reads of public pieces are not counted')
    break
  }
  for (const id of await counted())
    if (!open.has(id)) breaches.push(`a read of ${id}, which is not public, was counted`)

  await site.admin.query('select app.score_trending()')
  const list = await ask({ method: 'GET', url: '/api/public/pieces/trending?limit=50', headers })
  const listed = (JSON.parse(list.body) as { items: { id: string }[] }).items.map(({ id }) => id.slice(-36))
  if (!expected.every((id) => listed.includes(id))) breaches.push('what was read is not among what is read most')
  if (!listed.every((id) => open.has(id))) breaches.push('what is read most names a piece that is not public')
  if (list.body.match(canaryPattern)) breaches.push('what is read most shows a canary')

  await site.admin.query('select app.count_topics()')
  for (const url of [
    '/topics',
    '/topic/everybody',
    '/writers',
    '/trending',
    '/archive',
    '/llms.txt',
    '/sitemap-topics.xml',
  ]) {
    const { statusCode, body } = await ask({ method: 'GET', url, headers })
    if (statusCode !== 200) breaches.push(`${url} answers ${statusCode}`)
    if (body.match(canaryPattern) || body.includes(privateTag) || body.includes('only-for-me'))
      breaches.push(`${url} shows a private text or tag`)
  }
  return { hits: answers.length, breaches }
}

async function publicIds(admin: SiteUnderProof['site']['admin']): Promise<Set<string>> {
  const { rows } = await admin.query<{ id: string }>('select id from pub.pieces')
  return new Set(rows.map(({ id }) => id))
}

/**
 * An image has no text to search, so it is compared with itself: its bytes are the same before and after secrets are put
 * into the piece's working copy. Unpublished pieces have no image.
 */
export async function judgePictures({
  site,
  app,
  ask,
}: SiteUnderProof): Promise<{ drawn: number; breaches: string[] }> {
  const breaches: string[] = []
  let drawn = 0
  const picture = async (path: string): Promise<string> => {
    const { statusCode, headers, body } = await ask({ method: 'GET', url: `/image/${path}.png`, headers: sameId })
    if (statusCode === 200) drawn += 1
    return `${statusCode} ${headers['etag'] ?? body}`
  }
  const never = await picture(`piece/${site.ids.at(-1)}`)

  for (const [writer, ids] of [
    [site.me, site.ids.slice(0, 5)],
    [site.other, site.ids.slice(5, 10)],
  ] as const) {
    const [approved, ...hidden] = ids.toReversed()
    for (const id of hidden) {
      if ((await picture(`piece/${id}`)) !== never)
        breaches.push(`the picture of ${id}, which is not public, is an answer of its own`)
    }
    const paths = [`piece/${approved}`, `author/${writer.slug}`]
    const before = await Promise.all(paths.map(picture))
    const secret = site.newCanary(writer)
    const changed = await deskOf(app, writer).ask(
      'PATCH',
      `pieces/${approved}`,
      { headline: secret, sub: secret },
      { 'if-match': '*' },
    )
    if (changed.statusCode !== 200) throw new Error(`the working copy could not be changed: ${changed.body}`)
    const after = await Promise.all(paths.map(picture))
    for (const [at, path] of paths.entries()) {
      if (!before[at]!.startsWith('200 ')) breaches.push(`there is no picture at ${path}: ${before[at]}`)
      if (after[at] !== before[at]) breaches.push(`the picture at ${path} changed with what only its writer may see`)
    }
  }
  return { drawn, breaches }
}

/**
 * The only exception: anyone with a preview token can read that piece and its pictures, and nothing else.
 */
export async function judgePreviews(under: SiteUnderProof): Promise<{ opened: number; breaches: string[] }> {
  const breaches: string[] = []
  let opened = 0
  for (const writer of [under.site.me, under.site.other]) {
    const { path, canary, hash } = await hiddenPiece(under, writer)
    const token = path.split('/').at(-1)!
    const page = await under.ask({ method: 'GET', url: path, headers: {} })
    const seen = new Set(page.body.match(canaryPattern) ?? [])
    if (page.statusCode === 200 && seen.has(canary) && seen.size === 1) opened += 1
    else breaches.push(`a preview shows ${[...seen].join() || 'nothing'} (${page.statusCode}), not its own piece alone`)

    const invalidPaths = [
      path.slice(0, -1) + (path.endsWith('x') ? 'y' : 'x'),
      path.toUpperCase().replace('/DESK/PREVIEW/', '/desk/preview/'),
      `/desk/preview/${token}/media/${'0'.repeat(64)}`,
      `${path.slice(0, -1) + (path.endsWith('x') ? 'y' : 'x')}/link.png`,
      `/media/${hash}`,
      `/media/${hash}?token=${token}`,
      `/media/${hash}/320.avif`,
      `/p/${token}`,
    ]
    for (const credential of credentials) {
      for (const url of invalidPaths) await demandNothing(under, credential, url, breaches)
      const isTheirs = under.site.callers[credential] === writer && credential.includes('cookie')
      if (!isTheirs) await demandNothing(under, credential, `/desk/media/${hash}`, breaches)
    }
    const posing: Record<string, string>[] = [{ cookie: `__Host-desk=${token}` }, { authorization: `Bearer ${token}` }]
    for (const headers of posing) {
      const answer = await under.ask({ method: 'GET', url: '/desk/api/pieces', headers })
      if (answer.statusCode < 400) breaches.push(`the token of a preview signs somebody in: ${JSON.stringify(headers)}`)
    }
  }
  return { opened, breaches }
}

/** A draft with a picture, and the path of its preview link. */
async function hiddenPiece({ app, site }: SiteUnderProof, writer: MadeWriter) {
  const hash = await uploaderOf(app, writer).upload(await photograph(writer === site.me ? 1 : 2))
  const canary = site.newCanary(writer)
  const desk = deskOf(app, writer)
  const id = await desk.begin({
    headline: 'Shown to some',
    body_md: `Only for some: ${canary}.\n\n![A](/media/${hash})`,
  })
  const { link } = (await desk.ask('POST', `pieces/${id}/links`, { days: 1 })).json()
  return { path: new URL(link.url).pathname, canary, hash }
}

async function demandNothing(
  under: SiteUnderProof,
  credential: Credential,
  url: string,
  breaches: string[],
): Promise<void> {
  const { statusCode } = await under.ask({ method: 'GET', url, headers: under.site.headers[credential] })
  if (statusCode < 400) breaches.push(`${url} answers ${statusCode} to ${credential}`)
}

/**
 * Queries the public tool server for private texts: every tool, resource, prompt and completion, by the id, address and
 * words of every object, with every kind of credential. It must treat all callers as anonymous.
 */
export async function judgeTools(under: SiteUnderProof): Promise<{ asked: number; breaches: string[] }> {
  const breaches: string[] = []
  let asked = 0
  const messages = await questionsTo(under)
  for (const credential of credentials) {
    for (const message of messages) {
      const payload = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
      const headers = { ...under.site.headers[credential], 'content-type': 'application/json' }
      const answer = await under.ask({ method: 'POST', url: '/api/mcp', headers, payload })
      asked += 1
      if (answer.statusCode !== 200) breaches.push(`${payload} answered ${answer.statusCode} to ${credential}`)
      for (const [canary] of answer.body.matchAll(canaryPattern))
        breaches.push(`the tool server showed ${canary} to ${credential}: ${payload}`)
    }
  }
  return { asked, breaches }
}

/**
 * Queries the draft tools for every object, by every kind of caller. A live key sees only its own writer's drafts and
 * publishes nothing; every other caller is refused.
 */
export async function judgeAgents(under: SiteUnderProof, seed: number): Promise<{ asked: number; breaches: string[] }> {
  const { site } = under
  const breaches: string[] = []
  let asked = 0
  await takeChanges(site.admin)
  for (const credential of credentials) {
    const isKey = credential === 'valid key' || credential === "another's key"
    const expected = isKey ? 200 : credential === 'revoked key' ? 403 : 401
    const canary = site.newCanary(site.callers[credential] ?? site.me)
    for (const [at, question] of [...questionsOfAgents(under), ...draftCalls(150, seed)].entries()) {
      const payload = question.replaceAll('CANARY', canary).replaceAll('PIECE', site.ids[at % site.ids.length]!)
      const headers = { ...site.headers[credential], 'content-type': 'application/json' }
      const answer = await under.ask({ method: 'POST', url: '/api/v1/mcp', headers, payload })
      asked += 1
      if (answer.statusCode !== expected) breaches.push(`${payload} answered ${answer.statusCode} to ${credential}`)
      for (const [canary] of answer.body.matchAll(canaryPattern))
        if (!isKey || site.owners.get(canary) !== site.callers[credential])
          breaches.push(`the tool server for drafts showed ${canary} to ${credential}: ${payload}`)
    }
  }
  for (const change of await takeChanges(site.admin))
    breaches.push(`an agent changed the public wing: ${JSON.stringify(change)}`)
  return { asked, breaches }
}

/** Including the names that an agent would guess for publishing. */
function questionsOfAgents({ site }: SiteUnderProof): string[] {
  const call = (name: string, given: object) => ({ method: 'tools/call', params: { name, arguments: given } })
  return [
    { method: 'initialize' },
    { method: 'tools/list' },
    { method: 'resources/list' },
    call('list_my_pieces', { limit: 50 }),
    ...['draft', 'approved'].map((status) => call('list_my_pieces', { status, limit: 50 })),
    ...site.ids.flatMap((id) => [
      call('get_draft', { id }),
      call('get_piece', { id }),
      call('update_draft', { id, revision: 1, status: 'approved' }),
      ...[...acts, 'publish_draft', 'delete_draft'].map((act) => call(act, { id, revision: 1 })),
    ]),
  ].map((message) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }))
}

/** In lower case: search still finds them, and an answer that repeats the query does not count as a canary. */
const words = ['canary-', 'only for', 'a draft', 'waiting', 'sent back', 'refused', 'public', 'withdrawn', 'a']

async function questionsTo({ site, config }: SiteUnderProof) {
  const base = config.BASE_URL
  const idsIn = async (table: string): Promise<string[]> => {
    const { rows } = await site.admin.query<{ id: string }>(`select id from ${table} order by created_at desc limit 60`)
    return rows.map(({ id }) => id)
  }
  const slugs = [site.me.slug, site.other.slug]
  const call = (name: string, given: object) => ({ method: 'tools/call', params: { name, arguments: given } })
  const read = (path: string) => ({ method: 'resources/read', params: { uri: base + path } })
  const complete = (ref: object, name: string, value: string) => ({
    method: 'completion/complete',
    params: { ref, argument: { name, value } },
  })
  const brief = { type: 'ref/prompt', name: 'author_brief' }
  const template = { type: 'ref/resource', uri: `${base}/api/public/authors/{slug}` }
  return [
    ...words.flatMap((query) =>
      ['search_pieces', 'search_authors', 'search_products'].map((tool) => call(tool, { query, limit: 50 })),
    ),
    call('recent_pieces', { limit: 100 }),
    ...['24h', '7d', '30d'].map((window) => call('trending_pieces', { window, limit: 50 })),
    call('search_products', { limit: 50 }),
    ...slugs.flatMap((slug) => [
      call('get_author', { slug }),
      call('search_products', { seller: slug, limit: 50 }),
      read(`/api/public/authors/${slug}`),
      { method: 'prompts/get', params: { name: 'author_brief', arguments: { slug } } },
    ]),
    ...(await idsIn('app.pieces')).flatMap((id) => [
      ...[id, `urn:uuid:${id}`, `${base}/p/${id}`].map((given) => call('get_piece', { id: given })),
      call('get_product', { id }),
      read(`/api/public/pieces/${id}`),
    ]),
    ...(await idsIn('app.products')).flatMap((id) => [
      call('get_product', { id }),
      call('get_product', { id: `${base}/shop/${id}` }),
      call('get_piece', { id }),
    ]),
    ...['/llms.txt', '/llms-products.txt', '/api/openapi.json', '/api/public/pieces/recent'].map(read),
    ...['', 'writer-', 'canary'].flatMap((begun) => [
      complete(brief, 'slug', begun),
      complete(template, 'slug', begun),
    ]),
  ]
}
