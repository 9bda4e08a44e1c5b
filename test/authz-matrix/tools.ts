import { acts } from '../../server/features/pieces/states.ts'
import { takeChanges } from './changes.ts'
import type { SiteUnderProof } from './honest-site.ts'
import { draftCalls } from './requests.ts'
import { canaryPattern, credentials } from './site.ts'

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
