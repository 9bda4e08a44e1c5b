import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { contextOf, lastOf, readDockerfile, variablesOf } from '../../deploy/rehearsal/image.ts'
import { readConfig, settings } from '../../server/config/config.ts'
import { testApp } from '../../testkit/app.ts'
import { standfirst } from '../../testkit/cli.ts'
import { testDatabase } from '../../testkit/database.ts'
import { readCompose, readEnvFile, startOrder } from '../../testkit/file-formats.ts'
import { temporaryFolder } from '../../testkit/files.ts'

/** deploy/ is consistent, as far as static checks can show. `deploy/rehearse` starts it. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string): string => readFileSync(join(root, name), 'utf8')
const version = JSON.parse(read('server/package.json')).version as string

describe('the image', () => {
  const stages = readDockerfile(read('deploy/Dockerfile'))
  const image = stages.at(-1)!
  const isIn = contextOf(read('.dockerignore'))
  const steps = stages.flatMap((stage) => stage.steps)
  const runs = steps.filter(({ instruction }) => instruction === 'RUN').map(({ rest }) => rest)
  /** From the repository, not from another stage. */
  const copied = steps
    .filter(({ instruction, rest }) => instruction === 'COPY' && !rest.startsWith('--from'))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1))

  test('every stage is on the Node of .nvmrc, named without a registry and not by "latest"', () => {
    for (const { base } of stages) assert.match(base, new RegExp(`^node:${read('.nvmrc').trim()}-[a-z]+-slim$`))
  })

  test('what starts is not root, has its own words for starting and for its health, and is production', () => {
    const order = image.steps.map(({ instruction }) => instruction)
    assert.ok(!['', 'root', '0'].includes(lastOf(image, 'USER')))
    assert.ok(order.lastIndexOf('USER') > Math.max(order.lastIndexOf('RUN'), order.lastIndexOf('COPY')))
    assert.deepEqual(JSON.parse(lastOf(image, 'ENTRYPOINT')), ['node', 'server/commands/cli.ts'])
    assert.deepEqual(JSON.parse(lastOf(image, 'CMD')), ['serve', '--worker'])
    assert.deepEqual(JSON.parse(lastOf(image, 'HEALTHCHECK').replace(/^.* CMD /, '')).slice(0, 3), [
      'node',
      'server/commands/cli.ts',
      'healthcheck',
    ])
    assert.equal(variablesOf(image)['NODE_ENV'], 'production')
    const ofNode = ['NODE_OPTIONS', 'NODE_COMPILE_CACHE']
    for (const name of Object.keys(variablesOf(image))) assert.ok(name in settings || ofNode.includes(name), name)
  })

  test('what it compiles beforehand is there', () => {
    const compiled = runs.find((command) => command.includes('import('))!
    const [, folder] = /import\('(\S+)' \+ name/.exec(compiled)!
    const [, names] = /\[([^\]]+)\]/.exec(compiled)!
    for (const name of names!.match(/\w+/g)!)
      assert.ok(existsSync(join(root, folder!, `${name}.ts`)), `${folder}${name}`)
  })

  test('no package runs code of its own at install, and tools for building stay behind', () => {
    const installs = runs.filter((command) => command.includes('npm'))
    for (const command of installs) assert.match(command, /^npm ci --ignore-scripts /)
    assert.match(installs.at(-1)!, /--omit=dev/)
    assert.ok(!image.steps.some(({ rest }) => /\bnpm\b/.test(rest)))
    for (const command of runs.filter((one) => one.includes('apt-get')))
      assert.match(command, /--no-install-recommends .* && rm -rf \/var\/lib\/apt\/lists\/\*$/)
    assert.ok(!steps.some(({ instruction }) => instruction === 'ADD' || instruction === 'ARG'))
  })

  test('each workspace is known to npm, and nothing is copied but what is named', () => {
    for (const name of JSON.parse(read('package.json')).workspaces)
      assert.equal(copied.filter((path) => path === `${name}/package.json`).length, 2, name)
    assert.ok(!copied.includes('.'))
    for (const path of copied) assert.ok(existsSync(join(root, path)) && isIn(path), `${path} is not in the context`)
  })

  test('tests, histories and secrets are out of what a build sees', () => {
    for (const path of [
      '.git/config',
      '.env',
      'deploy/.env',
      'server/.env',
      'node_modules/pg/index.js',
      'desk/dist/a.js',
    ])
      assert.equal(isIn(path), false, path)
    for (const path of [
      'server/main/docs.test.ts',
      'server/platform/archives.test.ts',
      'testkit/app.ts',
      'testkit/http.ts',
    ])
      assert.equal(isIn(path), false, path)
    for (const path of ['server/commands/cli.ts', 'embed/dist/embed.js', 'sdk/source/index.ts', 'desk/source/main.tsx'])
      assert.equal(isIn(path), true, path)
  })

  test('what the server imports from outside its folder is in the image', () => {
    const inImage = image.steps
      .filter(({ instruction }) => instruction === 'COPY')
      .map(({ rest }) => rest.split(' ').at(-1)!)
    const files = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
      .map((name) => join('server', name))
      .filter((name) => name.endsWith('.ts') && isIn(name))
    let outside = 0
    for (const file of files) {
      for (const [, target = ''] of read(file).matchAll(
        /^(?:import|export)\b(?! type)[^'\n]* from '(\.\.?\/[^']+)'/gm,
      )) {
        const path = relative(root, resolve(root, file, '..', target))
        if (path.startsWith('server/')) {
          assert.ok(isIn(path), `${file} imports ${path}, which .dockerignore keeps out`)
          continue
        }
        outside += 1
        assert.ok(inImage.includes(path.split('/')[0]!), `${file} imports ${path}`)
      }
    }
    assert.ok(outside > 0)
  })
})

describe('compose.yaml', () => {
  const secrets = () => readEnvFile(execFileSync(join(root, 'deploy/secrets'), { encoding: 'utf8' }))
  const env = secrets()
  const compose = readCompose(read('deploy/compose.yaml'), env)
  const services = Object.entries(compose.services)
  const ours = services.filter(([, { build }]) => build)
  const image = variablesOf(readDockerfile(read('deploy/Dockerfile')).at(-1)!)

  test('without the secrets it says what to do, and no two sites have the same', () => {
    assert.throws(() => readCompose(read('deploy/compose.yaml'), {}), /run deploy\/secrets first/)
    const random = Object.entries(env).filter(([name]) => /PASSWORD|SECRET/.test(name))
    assert.equal(random.length, 7)
    const other = secrets()
    for (const [name, value] of random) {
      assert.match(value, /^[0-9a-f]{64}$/, name)
      assert.notEqual(value, other[name])
    }
  })

  test('the env file of a site of one process is a whole configuration', () => {
    const site = () => readEnvFile(execFileSync(join(root, 'deploy/secrets'), ['--site'], { encoding: 'utf8' }))
    const [given, other] = [site(), site()]
    assert.ok(readConfig(given, { surfaces: ['public', 'write', 'desk'], jobs: true }))
    for (const name of ['DATABASE_URL', 'AUTH_SECRET', 'SECRETS_KEY']) assert.notEqual(given[name], other[name])
  })

  test('every image has a version, and ours is this one', () => {
    for (const [name, { image: given }] of services) {
      assert.match(given, /^([a-z]+\/)?[a-z]+:v?\d[\w.-]*$/, name)
      assert.doesNotMatch(given, /latest/)
    }
    for (const [, { image: given }] of ours) assert.equal(given, `standfirst:${version}`)
  })

  test('ours can write nothing, have no rights and can get none; nothing listens to the outside', () => {
    assert.deepEqual(
      ours.map(([name]) => name),
      ['migrate', 'server-1', 'server-2', 'worker', 'operator'],
    )
    for (const [name, service] of services) {
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
      if (name !== 'postgres') assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']], name)
      for (const port of service.ports ?? []) assert.match(port, /^127\.0\.0\.1:/, name)
    }
  })

  test('none but the database takes all the memory there is, and none of ours as many processes as it likes', () => {
    for (const [name, { mem_limit, pids_limit }] of services) {
      if (name === 'postgres' || name === 'roles') continue
      assert.match(mem_limit ?? '', /^\d+[mg]$/, name)
      assert.ok(pids_limit! > 0, name)
    }
  })

  test('settings that compose.yaml does not name have a file of their own, which need not be there', () => {
    for (const [name, { env_file }] of ours)
      assert.deepEqual(env_file, [{ path: 'settings.env', required: false }], name)
    assert.ok(read('.gitignore').split('\n').includes('deploy/settings.env'))
  })

  test('each of ours starts with what it is given, and has no other’s credentials', () => {
    for (const [name, { environment }] of ours) {
      for (const variable of Object.keys(environment!)) assert.ok(variable in settings, `${name}: ${variable}`)
      const config = readConfig({ ...image, ...environment })
      const isOwner = name === 'migrate' || name === 'operator'
      assert.equal(config.DATABASE_URL !== undefined, isOwner, name)
      assert.equal(config.DESK_DATABASE_URL !== undefined, /^server-|^operator$/.test(name), name)
      assert.equal(config.WORKER_DATABASE_URL !== undefined, name === 'worker' || name === 'operator', name)
    }
  })

  test('nothing starts before what it needs, and all have time to end', () => {
    const order = startOrder(compose)
    const wanted = ['postgres', 'migrate', 'roles', 'server-1', 'server-2']
    assert.deepEqual(
      [...wanted].sort((one, other) => order.indexOf(one) - order.indexOf(other)),
      wanted,
    )
    assert.ok(!order.includes('operator'))
    for (const [name, { stop_grace_period }] of ours)
      assert.ok(Number.parseInt(stop_grace_period!, 10) >= Number(settings.SHUTDOWN_DELAY.fallback) + 20, name)
  })

  test('every role that signs in gets the password it signs in with', () => {
    const given = [...read('deploy/roles.sql').matchAll(/\\getenv password (\w+)\nalter role (\w+) password/g)]
    const addresses = Object.values({
      ...compose.services['server-1']!.environment,
      ...compose.services['worker']!.environment,
    })
    for (const [, variable = '', role = ''] of given)
      assert.ok(
        addresses.some((address) => String(address).includes(`//${role}:${env[variable]}@`)),
        role,
      )
    const roles = read('server/sql/roles.sql')
      .match(/array\['svc_public'.*?\]/)![0]
      .match(/svc_\w+/g)!
    assert.deepEqual(given.map(([, , role]) => role).sort(), roles.sort())
  })
})

describe('the units of systemd', () => {
  const folder = temporaryFolder()
  const units = readdirSync(join(root, 'deploy/systemd'))
  const hardened = [
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'CapabilityBoundingSet=',
    'PrivateTmp=yes',
    'ProtectHome=yes',
  ]
  const canAnalyse = spawnSync('systemd-analyze', ['--version']).status === 0

  test('each runs as nobody in particular, with nothing to write to but its own folder', () => {
    for (const name of units.filter((one) => one.endsWith('.service'))) {
      const lines = read(`deploy/systemd/${name}`).split('\n')
      for (const line of [...hardened, 'User=standfirst', 'UMask=0077'])
        assert.ok(lines.includes(line), `${name}: ${line}`)
      assert.ok(!lines.some((line) => /^ReadWritePaths/.test(line)))
    }
  })

  test('whoever ends without a database is started again until there is one', () => {
    for (const name of units.filter((one) => one.endsWith('.service'))) {
      const lines = read(`deploy/systemd/${name}`).split('\n')
      if (lines.includes('Restart=on-failure')) assert.ok(lines.includes('StartLimitIntervalSec=0'), name)
    }
  })

  test('systemd can read them, and finds little exposed', { skip: !canAnalyse && 'no systemd-analyze here' }, () => {
    for (const name of units) writeFileSync(join(folder, name), read(`deploy/systemd/${name}`))
    const paths = units.map((name) => join(folder, name))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], { encoding: 'utf8' })
    assert.deepEqual([status, stderr], [0, ''])
    for (const path of paths.filter((one) => one.endsWith('.service'))) {
      const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', path], {
        encoding: 'utf8',
      })
      assert.equal(judged.status, 0, judged.stdout)
    }
  })
})

test('a release runs on the database of the next one, so that going back is starting it again', async () => {
  const { url, admin } = await testDatabase()
  await admin.query("insert into public.migrations (name) values ('9999_of_the_next_release.sql')")
  const doctor = await standfirst({ DATABASE_URL: url }, 'doctor')
  assert.equal(doctor.code, 0, doctor.out)
  const app = await testApp(url)
  assert.equal((await app.admin.inject('/readyz')).statusCode, 200)
})

test('every link of deploy/README.md leads somewhere', () => {
  const links = [...read('deploy/README.md').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target!)
  assert.ok(links.length > 4)
  for (const target of links) assert.ok(existsSync(join(root, 'deploy', target)), target)
})

test('every command that the guides name exists', () => {
  const program = read('server/commands/cli.ts') + read('server/commands/cli-people.ts')
  for (const page of ['docs/operations.md', 'deploy/README.md']) {
    const named = [...read(page).matchAll(/`standfirst (\w+)|operator (\w+)/g)].map(([, one, other]) => one ?? other!)
    assert.ok(named.length > 2)
    for (const name of new Set(named.filter((one) => !['and', 'may', 'who'].includes(one))))
      assert.match(program, new RegExp(`\\.command\\('${name}\\b`), `${page}: standfirst ${name}`)
  }
})

test('the rehearsal goes well', { skip: !process.env['REHEARSE'] && 'REHEARSE=1 runs it', timeout: 300_000 }, () => {
  const { status, stdout, stderr } = spawnSync(join(root, 'deploy/rehearse'), { encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}\n${stderr}`)
})
