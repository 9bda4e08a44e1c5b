import { startWorker } from '../../server/main/worker.ts'
import { silentLog } from '../../testkit/log.ts'
import { until } from '../../testkit/waiting.ts'
import { judgeActs } from './acts.ts'
import { type Answered, isHiding, isOwnProfile, isRestoring, type SiteUnderProof, takeChanges } from './honest-site.ts'
import { type ProofRequest, type Route, requestsTo } from './requests.ts'
import { judgeSchedules } from './schedules.ts'
import { type Credential, canaryPattern } from './site.ts'
import {
  judgeAgents,
  judgeDeliveries,
  judgePictures,
  judgePreviews,
  judgeReads,
  judgeTools,
  redirectDeliveries,
  stillToDeliver,
} from './surfaces.ts'

interface ProofOptions {
  readonly requests: number
  readonly seed: number
  /** For injected bugs: stops when a breach of each kind was found. */
  readonly untilFound?: readonly RegExp[]
  onProgress?(done: number): void
}

interface Proof {
  readonly breaches: string[]
  readonly routes: number
  answers: number
  readonly statuses: Map<number, number>
  created: number
  published: number
  hidden: number
  canaries: number
  logLines: number
  jobs: number
  letters: number
  deliveries: number
  pictures: number
  previews: number
  toolCalls: number
  reads: number
  /** Well-formed requests, by every kind of caller. */
  acts: number
  /** Consents to publish at a time: refused, void and valid ones. */
  schedules: number
}

/** After this many requests the changes are checked and the site is reset. */
const batch = 150

export async function prove(under: SiteUnderProof, options: ProofOptions): Promise<Proof> {
  const { site, routes } = under
  const proof: Proof = {
    breaches: [],
    routes: routes.length,
    answers: 0,
    statuses: new Map(),
    created: 0,
    published: 0,
    hidden: 0,
    canaries: 0,
    logLines: 0,
    jobs: 0,
    letters: 0,
    deliveries: 0,
    pictures: 0,
    previews: 0,
    toolCalls: 0,
    reads: 0,
    acts: 0,
    schedules: 0,
  }
  await site.furnish()
  const schedules = await judgeSchedules(under)
  proof.schedules = schedules.tried
  proof.breaches.push(...schedules.breaches)
  if (!options.untilFound) {
    const { drawn, breaches } = await judgePictures(under)
    proof.pictures = drawn
    const previews = await judgePreviews(under)
    proof.previews = previews.opened
    const tools = await judgeTools(under)
    const agents = await judgeAgents(under, options.seed)
    proof.toolCalls = tools.asked + agents.asked
    const reads = await judgeReads(under)
    proof.reads = reads.hits
    const acts = await judgeActs(under)
    proof.acts = acts.asked
    proof.breaches.push(
      ...breaches,
      ...previews.breaches,
      ...tools.breaches,
      ...agents.breaches,
      ...reads.breaches,
      ...acts.breaches,
    )
  }
  const open = await openRoutes(under)
  const all = requestsTo(routes, open, options.requests, options.seed)
  await takeChanges(site.admin)
  for (let start = 0; start < all.length; start += batch) {
    await site.furnish()
    await countPublishing(under, proof)
    for (const request of all.slice(start, start + batch)) await askOne(under, request, proof)
    await judgeChanges(under, proof)
    judgeLog(under, proof)
    options.onProgress?.(proof.answers)
    if (options.untilFound?.every((kind) => proof.breaches.some((breach) => kind.test(breach)))) return proof
  }
  await judgeJobs(under, proof)
  if (!options.untilFound) await judgePosted(under, proof)
  proof.canaries = site.owners.size
  return proof
}

/** The routes that accept their method; the others answer 405 to everyone. */
async function openRoutes({ ask, routes }: SiteUnderProof): Promise<Route[]> {
  const answers = await Promise.all(
    routes.map(({ method, url }) => ask({ method, url: url.replace(/:[a-zA-Z]+/g, 'x'), headers: {} })),
  )
  return routes.filter((_route, index) => answers[index]!.statusCode !== 405)
}

/** The counter-check: a publish by the desk with its nonce is detected, so finding nothing means something. */
async function countPublishing({ site }: SiteUnderProof, proof: Proof): Promise<void> {
  const appeared = (await takeChanges(site.admin)).filter(({ op }) => op === 'INSERT')
  const shown = appeared.filter(({ relation }) => relation === 'pieces')
  if (shown.length !== 4) proof.breaches.push(`the desk published 4 pieces and ${shown.length} were seen to appear`)
  const sold = appeared.filter(({ relation }) => relation === 'products')
  if (sold.length !== 4) proof.breaches.push(`the desk listed 4 products and ${sold.length} were seen to appear`)
  proof.published += shown.length
}

async function askOne(under: SiteUnderProof, request: ProofRequest, proof: Proof): Promise<void> {
  const { site } = under
  const { credential, route, method } = request
  const canary = site.newCanary(site.callers[credential] ?? site.me)
  const url = route.url.replace(/:[a-zA-Z]+/g, () => site.ids[request.piece % site.ids.length]!) + request.query
  const payload =
    method === 'GET' || method === 'HEAD'
      ? undefined
      : request.body?.replaceAll('CANARY', canary).replaceAll('PIECE', site.ids[request.piece % site.ids.length]!)
  const answer = await under.ask({
    method,
    url: url.replaceAll('CANARY', canary.slice(0, 12)),
    headers: {
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
      ...site.headers[credential],
    },
    ...(payload === undefined ? {} : { payload }),
  })
  proof.answers += 1
  proof.statuses.set(answer.statusCode, (proof.statuses.get(answer.statusCode) ?? 0) + 1)
  if (answer.statusCode === 201) proof.created += 1
  if (answer.statusCode === 401 && 'cookie' in site.headers[credential]) await site.revive()
  if (answer.statusCode >= 500)
    proof.breaches.push(`${method} ${url} by ${credential} answered ${answer.statusCode}: ${answer.body}`)
  await judgeAnswer(under, request, answer, proof)
}

async function judgeAnswer(
  { site }: SiteUnderProof,
  { credential, method, route }: ProofRequest,
  answer: Answered,
  proof: Proof,
): Promise<void> {
  const text = `${JSON.stringify(answer.headers)}${answer.body}`
  for (const [canary] of text.matchAll(canaryPattern)) {
    if (await maySee(site, credential, canary)) continue
    proof.breaches.push(`${method} ${route.url} showed ${canary} to ${credential}`)
  }
}

/** A writer sees their own texts, at the desk and by key; a moderator those submitted or appealed; nobody else any. */
async function maySee(site: SiteUnderProof['site'], credential: Credential, canary: string): Promise<boolean> {
  if (site.callers[credential] === site.owners.get(canary)) return true
  if (credential !== "moderator's cookie without nonce") return false
  const { rowCount } = await site.admin.query(
    `select from app.pieces where body_md like '%' || $1 || '%' and editor_status = 'pending'
     union all select from app.decisions where appeal like '%' || $1 || '%' or kept ->> 'body_md' like '%' || $1 || '%'`,
    [canary],
  )
  return Boolean(rowCount)
}

async function judgeChanges({ site }: SiteUnderProof, proof: Proof): Promise<void> {
  for (const change of await takeChanges(site.admin)) {
    if (!isHiding(change) && !isRestoring(change) && !isOwnProfile(change, site.me.id))
      proof.breaches.push(`a request changed the public wing: ${JSON.stringify(change)}`)
    else if (change.relation === 'pieces') proof.hidden += 1
  }
  const { rowCount } = await site.admin.query("select from pub.piece_contents where html || text like '%CANARY-%'")
  if (rowCount) proof.breaches.push(`${rowCount} public pieces hold a canary`)
  const sold = await site.admin.query("select from pub.products p where p::text ~* 'canary-'")
  if (sold.rowCount) proof.breaches.push(`${sold.rowCount} public listings hold a canary`)
  const series = await site.admin.query(
    `select from pub.series s left join pub.series_pieces m on m.series_id = s.id
       left join pub.pieces p on p.id = m.piece_id and p.author_id = s.author_id
      where s::text ~* 'canary-' or p.id is null`,
  )
  if (series.rowCount) proof.breaches.push(`${series.rowCount} public series hold a canary, or what is not public`)
}

function judgeLog({ log }: SiteUnderProof, proof: Proof): void {
  for (const line of log.splice(0)) {
    proof.logLines += 1
    if (line.match(canaryPattern)) proof.breaches.push(`a log line holds a canary: ${line.slice(0, 200)}`)
    if (/pk_live_[0-9a-f]{64}/.test(line)) proof.breaches.push('a log line holds a key')
    if (/whsec_/.test(line)) proof.breaches.push("a log line holds a webhook's secret")
  }
}

async function judgeJobs({ site }: SiteUnderProof, proof: Proof): Promise<void> {
  const { rows } = await site.admin.query<{ name: string; data: unknown }>('select name, data from jobs.job')
  proof.jobs = rows.length
  for (const { name, data } of rows) {
    if (JSON.stringify(data).match(canaryPattern)) proof.breaches.push(`a ${name} job holds a canary`)
  }
}

/** Sends every queued email and delivery through the worker as shipped, and reads them. */
async function judgePosted(under: SiteUnderProof, proof: Proof): Promise<void> {
  const { site, config, mailbox, receiver } = under
  await redirectDeliveries(under, receiver)
  const worker = await startWorker(config, silentLog())
  const waiting = async () => {
    const { rows } = await site.admin.query(
      "select count(*)::integer as jobs from jobs.job where name in ('mail', 'decision.email', 'review.email', 'schedule.email', 'drafts.email') and state in ('created', 'active')",
    )
    return (rows[0].jobs as number) + (await stillToDeliver(under))
  }
  await until(async () => (await waiting()) === 0, 'every email and delivery that was ordered is sent')
  await worker.stop()
  proof.deliveries = receiver.delivered.length
  proof.breaches.push(...(await judgeDeliveries(under, receiver)))
  for (const message of mailbox.emails()) {
    proof.letters += 1
    if (JSON.stringify(message).match(canaryPattern)) proof.breaches.push('a letter holds a canary')
  }
}
