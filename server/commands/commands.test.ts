import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { standfirst } from '../../testkit/cli.ts'
import { scratchDatabase, testDatabase } from '../../testkit/database.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { listProduct, makePiece, makeProduct, makeWriter } from '../../testkit/factories.ts'
import { serve } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'

/** Commands of an operator in a shell: output and exit code of each. */

test('an empty site becomes a seeded one by migrate and seed, and says how to get in', async () => {
  const { url, admin } = await scratchDatabase()
  const env = { DATABASE_URL: url }
  const unwell = await standfirst(env, 'doctor')
  assert.equal(unwell.code, 1)
  assert.match(unwell.out, /standfirst migrate/)

  assert.equal((await standfirst(env, 'migrate')).code, 0)
  const seeded = await standfirst(env, 'seed', '--pieces', '30', '--authors', '4', '--json')
  assert.equal(seeded.code, 0, seeded.error)
  assert.equal(seeded.out.trim().split('\n').length, 1)
  const { base_url, writer, moderator, api_key, ...more } = JSON.parse(seeded.out)
  assert.deepEqual(more, {})
  assert.equal(base_url, 'http://localhost:8080')
  assert.deepEqual(
    [writer, moderator].map((one) => Object.keys(one)),
    [
      ['slug', 'email', 'password'],
      ['email', 'password'],
    ],
  )
  assert.match(api_key, /^pk_live_[0-9a-f]{64}$/)
  await getsIn(url, writer, moderator, api_key)
  const { rows } = await admin.query(
    'select (select count(*) from pub.pieces) as pieces, (select count(*) from pub.authors) as authors',
  )
  assert.deepEqual(rows, [{ pieces: '30', authors: '4' }])
  assert.equal((await admin.query('select from pub.authors where slug = $1', [writer.slug])).rowCount, 1)

  const again = await standfirst(env, 'seed')
  assert.equal(again.code, 1)
  assert.match(again.error, /empty/)
  const well = await standfirst(env, 'doctor')
  assert.equal(well.code, 0, well.out)
})

/** A password hash takes half a second of CPU: on a busy machine the server may time out, so it is retried. */
const answered = (ask: () => Promise<{ statusCode: number }>): Promise<number> =>
  until(async () => {
    const { statusCode } = await ask()
    return statusCode !== 503 && statusCode
  }, 'the sign-in is answered')

type Person = { email: string; password: string }

/** The credentials printed by the seed work. */
async function getsIn(url: string, writer: Person & { slug: string }, moderator: Person, key: string): Promise<void> {
  const app = await testApp(url)
  const signIn = (payload: Person) =>
    app.inject({ method: 'POST', url: '/desk/api/sign-in', headers: { origin: 'https://site.test' }, payload })
  for (const { email, password } of [writer, moderator])
    assert.equal(await answered(() => signIn({ email, password })), 200)
  const headers = { authorization: `Bearer ${key}` }
  const payload = { headline: 'By key', body_md: 'A body.' }
  const created = await app.inject({ method: 'POST', url: '/api/v1/pieces', headers, payload })
  assert.equal(created.statusCode, 201, created.body)
  assert.match(created.json().profile_url, new RegExp(`/author/${writer.slug}$`))
}

test('a key is minted, shown once, listed by its ends and revoked without a browser', async () => {
  const { url, admin } = await testDatabase()
  const env = { DATABASE_URL: url }
  await makeWriter(admin, { slug: 'ada' })
  const nobody = await standfirst(env, 'key', 'mint', 'nobody', '--name', 'x')
  assert.equal(nobody.code, 1)
  assert.match(nobody.error, /writer list/)

  const minted = await standfirst(env, 'key', 'mint', 'ada', '--name', 'The night job', '--days', '30')
  const key = minted.out.trim()
  assert.match(key, /^pk_live_[0-9a-f]{64}$/)
  const app = await testApp(url)
  const mine = () => app.inject({ url: '/api/v1/pieces/me', headers: { authorization: `Bearer ${key}` } })
  assert.equal((await mine()).statusCode, 200)

  const listed = await standfirst(env, 'key', 'list', 'ada')
  assert.match(
    listed.out,
    new RegExp(`${key.slice(0, 12)}…${key.slice(-4)}\\tThe night job\\tpieces:write\\tlast used .+, expires 20`),
  )
  assert.ok(!listed.out.includes(key))

  assert.equal((await standfirst(env, 'key', 'revoke', key.slice(0, 12))).code, 0)
  assert.equal((await mine()).statusCode, 403)
  const again = await standfirst(env, 'key', 'revoke', key)
  assert.equal(again.code, 1)
  assert.match(again.error, /key list/)
})

test('the same numbers seed the same site', async () => {
  const sites = await Promise.all([testDatabase(), testDatabase()])
  const numbers = ['--pieces', '20', '--authors', '3', '--rng', '9']
  await Promise.all(sites.map(({ url }) => standfirst({ DATABASE_URL: url }, 'seed', ...numbers)))
  const [one, other] = await Promise.all(
    sites.map(
      async ({ admin }) => (await admin.query('select id, slug, headline, summary from pub.pieces order by id')).rows,
    ),
  )
  assert.equal(one?.length, 20)
  assert.deepEqual(one, other)
})

test('however small, a seeded site has the writer and the piece of the documentation, and she signs in', async () => {
  const { url } = await testDatabase()
  const env = { DATABASE_URL: url }
  const seeded = JSON.parse((await standfirst(env, 'seed', '--pieces', '1', '--authors', '1', '--json')).out)
  assert.equal(seeded.writer.slug, 'ada-okafor')
  const app = await testApp(url, { SEARCH_BUDGET: '5000' })
  const { author } = (await app.inject('/api/public/authors/ada-okafor')).json()
  assert.deepEqual([author.name, author.identity_verified, author.stats.pieces_count], ['Ada Okafor', true, 1])
  const { results } = (await app.inject('/api/public/pieces/search?q=slow+tea&category=life')).json()
  assert.deepEqual(
    results.map(({ title, url: at }: { title: string; url: string }) => [title, new URL(at).pathname]),
    [['The case for slow tea', '/author/ada-okafor/the-case-for-slow-tea']],
  )
})

test('a writer is added, verified, renamed and listed without a browser', async () => {
  const { url, admin } = await testDatabase()
  const env = { DATABASE_URL: url }
  const added = await standfirst(
    env,
    'writer',
    'add',
    'ada',
    '--name',
    'Ada Okafor',
    '--website',
    'https://ada.example',
  )
  assert.equal(added.code, 0, added.error)
  assert.equal((await standfirst(env, 'writer', 'verify', 'ada')).code, 0)
  assert.equal((await standfirst(env, 'writer', 'rename', 'ada', 'ada-okafor')).code, 0)
  const { rows } = await admin.query(
    'select a.slug, a.name, a.identity_verified, a.website_verified, f.slug as former from pub.authors a join pub.former_slugs f on f.author_id = a.id',
  )
  assert.deepEqual(rows, [
    { slug: 'ada-okafor', name: 'Ada Okafor', identity_verified: true, website_verified: false, former: 'ada' },
  ])
  assert.match((await standfirst(env, 'writer', 'list')).out, /^ada-okafor\tAda Okafor\t0 pieces\tidentity verified$/m)
  await standfirst(env, 'writer', 'verify', 'ada-okafor', '--undo')
  assert.equal((await admin.query('select from pub.authors where identity_verified')).rowCount, 0)
})

test('what an operator gets wrong is told in a sentence, and changes nothing', async () => {
  const { url, admin } = await testDatabase()
  const env = { DATABASE_URL: url }
  await standfirst(env, 'writer', 'add', 'ada', '--name', 'Ada')
  const wrong: [string[], RegExp][] = [
    [['writer', 'add', 'ada', '--name', 'Another'], /taken/],
    [['writer', 'add', 'search', '--name', 'Search'], /slug/],
    [['writer', 'add', 'Ada!', '--name', 'Ada'], /slug/],
    [['writer', 'add', 'eve', '--name', ' '], /name/],
    [['writer', 'add', 'eve', '--name', 'Eve', '--website', 'javascript:alert(1)'], /https/],
    [['writer', 'verify', 'nobody'], /nobody/],
    [['writer', 'rename', 'nobody', 'somebody'], /nobody/],
    [['seed', '--pieces', 'many'], /whole number/],
    [['serve', '--surfaces', 'back'], /Choose public, write or desk/],
    [['dance'], /There is no command “dance”/],
  ]
  for (const [args, words] of wrong) {
    const { code, error } = await standfirst(env, ...args)
    assert.notEqual(code, 0, args.join(' '))
    assert.match(error, words)
    assert.doesNotMatch(error, /\n\s+at /, `${args.join(' ')} shows a stack`)
  }
  assert.equal((await admin.query('select from app.writers')).rowCount, 1)
})

test('a wrong configuration is told whole, by every command, and by doctor as a list', async () => {
  const env = { PORT: 'x', BASE_URL: 'nowhere' }
  for (const command of ['serve', 'migrate', 'doctor']) {
    const { code, out, error } = await standfirst(env, command)
    assert.equal(code, 1)
    for (const name of ['PORT', 'BASE_URL', 'DATABASE_URL']) assert.match(out + error, new RegExp(name))
  }
})

test('migrate says which rights an owner lacks, and is content once they are given', async () => {
  const { url, admin } = await scratchDatabase()
  const owner = `sf_owner_${randomBytes(4).toString('hex')}`
  const site = new URL(url)
  site.username = owner
  await admin.query(`create role ${owner} login`)
  await admin.query(`alter database ${site.pathname.slice(1)} owner to ${owner}`)
  try {
    const refused = await standfirst({ DATABASE_URL: site.href }, 'migrate')
    assert.equal(refused.code, 1)
    assert.doesNotMatch(refused.error, /\n\s+at /)
    const grant = /grant svc_owner, [\w, ]+ to "\w+"/.exec(refused.error)?.[0]
    assert.ok(grant, refused.error)
    await admin.query(grant)
    assert.equal((await standfirst({ DATABASE_URL: site.href }, 'migrate')).code, 0)
  } finally {
    await admin.query(`reassign owned by ${owner} to current_user`)
    await admin.query(`drop owned by ${owner}`)
    await admin.query(`drop role ${owner}`)
  }
})

test('doctor says when the database does not answer', async () => {
  const { code, out } = await standfirst({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, 'doctor')
  assert.equal(code, 1)
  assert.match(out, /Can’t connect to the database in DATABASE_URL/)
})

test('the OpenAPI document is printed without a database', async () => {
  const { code, out } = await standfirst({}, 'openapi')
  assert.equal(code, 0)
  assert.equal(JSON.parse(out).openapi, '3.1.0')
})

test('an appeal that no other moderator can decide is listed, and decided by the operator with a reason', async () => {
  const { url, admin } = await testDatabase()
  const env = { DATABASE_URL: url }
  const app = await testApp(url)
  const writer = await makeWriter(admin)
  const [desk, moderators] = [deskOf(app, writer), deskOf(app, await makeModerator(admin))]
  assert.match((await standfirst(env, 'appeal', 'list')).out, /No open appeals/)
  const id = await makePiece(admin, writer, { headline: 'On tea' })
  const { decision } = (await moderators.act('take_down', id)).json()
  const early = await standfirst(env, 'appeal', 'reverse', decision, '--reason', 'It was wrong')
  assert.deepEqual([early.code, /^There is no appeal with this ID/.test(early.error)], [1, true], early.error)
  await desk.ask('POST', `decisions/${decision}/appeal`, { text: 'It is mine.' })

  const listed = await standfirst(env, 'appeal', 'list')
  assert.match(listed.out, new RegExp(`${decision} .*"On tea"[\\s\\S]*"It is not yours\\."[\\s\\S]*"It is mine\\."`))
  assert.equal((await standfirst(env, 'appeal', 'reverse', 'nonsense', '--reason', 'x')).code, 1)
  assert.equal((await standfirst(env, 'appeal', 'reverse', decision, '--reason', ' ')).code, 1)
  const reversed = await standfirst(env, 'appeal', 'reverse', decision, '--reason', 'It was wrong')
  assert.equal(reversed.code, 0, reversed.error)
  assert.match(reversed.out, /is public again\. We’re emailing the reason/)
  assert.equal((await app.inject(`/api/public/pieces/${id}`)).statusCode, 200)
  const [answered] = (await desk.ask('GET', 'decisions')).json().decisions
  assert.deepEqual([answered.outcome, answered.answer], ['reversed', 'It was wrong'])
  assert.equal((await standfirst(env, 'appeal', 'uphold', decision, '--reason', 'Again')).code, 1)
})

test('a listing is taken out of the shop with a reason, stays out, and is allowed again', async () => {
  const { url, admin } = await testDatabase()
  const env = { DATABASE_URL: url }
  const writer = await makeWriter(admin, { slug: 'ada' })
  const id = await makeProduct(admin, writer, { name: 'Miracle pills' })
  const app = await testApp(url)
  const status = async () => (await app.inject('/shop/miracle-pills')).statusCode
  const purged = async () =>
    (await admin.query("delete from jobs.job where name = 'cache.purge' returning data")).rows.map(
      ({ data }) => data.tags,
    )
  const tags = [[`product-${id}`, 'author-ada', 'products']]
  assert.equal(await status(), 200)

  const nothing = await standfirst(env, 'listing', 'withdraw', 'no-such', '--reason', 'Fraud')
  assert.equal(nothing.code, 1)
  assert.match(nothing.error, /^There is no listing at .*\/shop\/no-such/)
  for (const reason of [' ', 'x'.repeat(1001)]) {
    const refused = await standfirst(env, 'listing', 'withdraw', 'miracle-pills', '--reason', reason)
    assert.deepEqual([refused.code, /^Enter a reason of 1 to 1,000/.test(refused.error)], [1, true])
  }
  assert.deepEqual([await status(), await purged()], [200, []])

  const withdrawn = await standfirst(
    env,
    'listing',
    'withdraw',
    'miracle-pills',
    '--reason',
    'Nobody gets what they pay for',
  )
  assert.equal(withdrawn.code, 0, withdrawn.error)
  assert.match(withdrawn.out, /standfirst listing allow miracle-pills/)
  assert.deepEqual([await status(), await purged()], [404, tags])
  await assert.rejects(listProduct(admin, writer, id), {
    code: 'SF409',
    message: 'error.listing_withheld',
    detail: JSON.stringify({ reason: 'Nobody gets what they pay for' }).replace(':', ' : '),
  })

  const allowed = await standfirst(env, 'listing', 'allow', 'miracle-pills')
  assert.equal(allowed.code, 0, allowed.error)
  assert.equal(await status(), 404)
  await listProduct(admin, writer, id)
  assert.equal(await status(), 200)
  assert.equal((await standfirst(env, 'listing', 'allow', 'miracle-pills')).code, 0)
  assert.equal(await status(), 200)

  const { rows } = await admin.query(
    'select act, account_id, from_status, to_status, note from app.product_audit order by id',
  )
  assert.deepEqual(
    rows.map(({ act, from_status, to_status, note }) => [act, from_status, to_status, note]),
    [
      ['list', 'draft', 'listed', null],
      ['withhold', 'listed', 'draft', 'Nobody gets what they pay for'],
      ['allow', 'draft', 'draft', null],
      ['list', 'draft', 'listed', null],
    ],
  )
})

/** The health check of containers and supervisors. */

let status = 200
const asked: (string | undefined)[] = []
const server = await serve((request, response) => {
  asked.push(request.url)
  response.writeHead(status).end()
})
const port = String(server.port)

const healthcheck = async (env: Record<string, string>, ...args: string[]) => {
  const given = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', ...env }
  const { code, output } = await standfirst(given, 'healthcheck', ...args)
  return `${code} ${output}`
}

test('a process that answers is healthy, wherever it listens, and its database is not asked', async () => {
  for (const ADMIN_HOST of ['127.0.0.1', '0.0.0.0', '::'])
    assert.equal(await healthcheck({ ADMIN_PORT: port, ADMIN_HOST }), '0 ')
  assert.equal(await healthcheck({}, '--port', port), '0 ')
  assert.deepEqual(new Set(asked), new Set(['/healthz']))
})

test('one that answers with a failure, or not at all, is not, and it is said why', async () => {
  status = 500
  assert.match(
    await healthcheck({ ADMIN_PORT: port }),
    /^1 http:\/\/127\.0\.0\.1:\d+\/healthz answered with status 500\.\n$/,
  )
  assert.match(await healthcheck({}, '--port', '1'), /^1 http:\/\/127\.0\.0\.1:1\/healthz doesn’t answer: .+\n$/)
  assert.match(await healthcheck({ PORT: port }), /^1 Set ADMIN_PORT/, 'the readers’ port is not asked')
})

test('a command that is written wrong is answered with what is wrong, in the language of the terminal', async () => {
  const wrong = async (locale: string, ...args: string[]) => {
    const { code, error } = await standfirst({ LANG: locale }, ...args)
    assert.equal(code, 1)
    return error.split('\n')[0]
  }
  assert.equal(await wrong('C', 'migrat'), 'There is no command “migrat”. Did you mean migrate?')
  assert.equal(await wrong('C', 'migrate', '--plam'), 'There is no option “--plam”. Did you mean --plan?')
  assert.equal(await wrong('C', 'backup'), 'The argument “file” is missing.')
  assert.equal(await wrong('C', 'seed', '--pieces'), 'The option “--pieces <n>” needs a value.')
  assert.equal(await wrong('C', 'seed', '--pieces', 'ten'), '“ten” is not valid. Enter a whole number.')
  assert.equal(await wrong('C', 'doctor', 'a', 'b'), 'Too many arguments: expected 0, got 2 (a, b).')
  assert.equal(await wrong('de_DE.UTF-8', 'migrat'), 'Den Befehl „migrat“ gibt es nicht. Meinten Sie migrate?')
})
