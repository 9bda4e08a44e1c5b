import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'

/** Files that only GitHub, Renovate or a newcomer read name only things that exist. */

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const { scripts, workspaces } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>
  workspaces: string[]
}
/** `npm test` and `npm run …`. */
const scriptsIn = (text: string): string[] =>
  [...text.matchAll(/\bnpm (?:run )?(test\b|(?<=run )[\w:-]+)/g)].map(([, name = '']) => name)

interface Step {
  readonly uses?: string
  readonly run?: string
}
interface Job {
  readonly steps: readonly Step[]
  readonly 'timeout-minutes'?: number
  readonly strategy?: { readonly matrix: Record<string, readonly unknown[]> }
}
interface Workflow {
  readonly permissions: unknown
  readonly concurrency: unknown
  readonly jobs: Record<string, Job>
}

describe('workflows', () => {
  const workflows = globSync('.github/workflows/*.yml', { cwd: root })
  const readWorkflow = (file: string): Workflow => parse(read(file))

  for (const file of workflows) {
    const { permissions, concurrency, jobs } = readWorkflow(file)
    const steps = Object.values(jobs).flatMap((job) => job.steps)

    test(`${file} may read the repository and nothing else, and its jobs end`, () => {
      assert.deepEqual(permissions, { contents: 'read' })
      assert.ok(concurrency)
      for (const [name, job] of Object.entries(jobs)) assert.ok(job['timeout-minutes'], name)
    })

    test(`${file} pins every action by commit, and says which version that is`, () => {
      const lines = read(file).match(/^.*\buses:.*$/gm) ?? []
      assert.equal(lines.length, steps.filter(({ uses }) => uses).length)
      for (const line of lines) assert.match(line, /uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    })

    test(`${file} runs scripts that exist`, () => {
      for (const { run = '' } of steps) {
        for (const name of scriptsIn(run)) assert.ok(name in scripts, `npm run ${name}`)
        for (const [path] of run.matchAll(/\.ci\/[\w-]+/g)) assert.ok(existsSync(join(root, path)), path)
      }
    })
  }

  test('every push is checked whole, and on PostgreSQL 15 to 18 with Node 24 and the current one', () => {
    const { jobs } = readWorkflow('.github/workflows/ci.yml')
    assert.ok(jobs['whole']?.steps.some(({ run }) => run === 'bash .ci/run'))
    assert.deepEqual(jobs['versions']?.strategy?.matrix, { postgres: [15, 16, 17, 18], node: ['24', 'current'] })
    assert.ok(jobs['versions'].steps.some(({ run }) => run === 'npm test'))
    assert.equal(read('.nvmrc').trim(), '24')
  })

  test('every night the long runs are made', () => {
    const { jobs } = readWorkflow('.github/workflows/nightly.yml')
    assert.ok(jobs['nightly']?.steps.some(({ run }) => run === 'npm run nightly'))
  })
})

test('issue forms ask for something, and none can be left blank', () => {
  assert.equal(parse(read('.github/ISSUE_TEMPLATE/config.yml')).blank_issues_enabled, false)
  for (const file of globSync('.github/ISSUE_TEMPLATE/{bug,feature}.yml', { cwd: root })) {
    const { name, description, body } = parse(read(file))
    assert.ok(name && description, file)
    const fields = body.filter(({ type }: { type: string }) => type !== 'markdown')
    assert.ok(
      fields.some(({ validations }: { validations?: { required: boolean } }) => validations?.required),
      file,
    )
    assert.equal(new Set(fields.map(({ id }: { id: string }) => id)).size, fields.length, file)
  }
})

test('every file, folder and script that SECURITY.md names exists', () => {
  const named = [...read('SECURITY.md').matchAll(/`([^`]+)`/g)].map(([, words = '']) => words)
  const paths = named.filter((words) => /^[\w.-]+(\/[\w.-]+)+$|\.\w+$/.test(words))
  assert.ok(paths.length > 10)
  for (const path of paths) assert.ok(existsSync(join(root, path)), path)
  for (const name of named.flatMap(scriptsIn)) assert.ok(name in scripts, `npm run ${name}`)
})

test('all packages, the image and server.json have one version', () => {
  const manifests = ['server.json', 'package.json', ...workspaces.map((folder) => `${folder}/package.json`)]
  const versions = manifests.map((file) => JSON.parse(read(file)).version)
  versions.push(/image\.version=(\S+)/.exec(read('deploy/Dockerfile'))?.[1])
  assert.equal(new Set(versions).size, 1, versions.join(', '))
})

describe('decisions', () => {
  const log = read('docs/adr/README.md')
  const records = globSync('docs/adr/[0-9]*.md', { cwd: root }).sort()
  const status = String.raw`accepted|superseded by \[(?<next>\d{4})\]\([\w-]+\.md\) on \d{4}-\d\d-\d\d`

  test('every record is numbered in order, has a date and a status, and is listed with them', () => {
    for (const [at, file] of records.entries()) {
      const head = new RegExp(
        String.raw`^# (?<number>\d{4})\. (?<title>.+)\n\n- Date: (?<date>\d{4}-\d\d-\d\d)\n- Status: (?<status>${status})\n`,
      )
      const { number, title, date, status: stated, next } = head.exec(read(file))?.groups ?? {}
      assert.equal(Number(number), at + 1, file)
      const name = file.split('/').at(-1)!
      assert.ok(name.startsWith(`${number}-`), file)
      assert.match(read(file), /^## Decision$/m, file)
      if (next) assert.ok(Number(next) > Number(number), file)
      assert.ok(log.includes(`\n| [${number}](${name}) | ${title} | ${date} | ${stated} |\n`), `${file} is not listed`)
    }
  })

  test('every small decision has a date, a status and words', () => {
    const [, , ...sections] = log.split(/^## /m)
    const rows = sections.flatMap((section) => section.match(/^\|.*$/gm)!.slice(2))
    assert.ok(rows.length > 250)
    for (const row of rows)
      assert.match(row, /^\| \d{4}-\d\d-\d\d \| (accepted|superseded \d{4}-\d\d-\d\d) \| [^|]+ \|$/)
  })
})

/** The pictures of docs/pictures, which `npm run pictures` takes. */

const folder = new URL('../../docs/pictures/', import.meta.url)
const names = readdirSync(folder)
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

test('no picture has more than 150 kB, nor all of them more than 600', () => {
  const sizes = names.map((name) => statSync(new URL(name, folder)).size)
  const together = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(Math.max(...sizes) <= 150_000, `the largest has ${Math.max(...sizes)} bytes`)
  assert.ok(together <= 600_000, `together they have ${together} bytes`)
})

test('the README shows each in light and dark, and says in words what is on it', () => {
  const shown = [
    ...readme.matchAll(
      /<source [^>]*srcset="docs\/pictures\/(\S+)"><img src="docs\/pictures\/(\S+)" [^>]*alt="(.+?)">/g,
    ),
  ]
  assert.deepEqual(shown.flatMap(([, dark, light]) => [dark, light]).sort(), names.sort())
  for (const [, dark = '', light = '', words = ''] of shown) {
    assert.equal(dark, light.replace('-light.', '-dark.'))
    assert.ok(words.length > 40, `${light}: ${words}`)
  }
})

/** Dependencies: few packages, no install scripts except the listed ones, no URL dependencies. */

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
  readonly link?: boolean
  readonly hasInstallScript?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}
const json = (name: string) => JSON.parse(read(name))
const lock = json('package-lock.json') as { packages: Record<string, Locked> }
const packages = Object.entries(lock.packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link)

/** Tools whose binaries for other systems the registry at hand did not have: named, since `npm ci` asks for the names. */
const unhashed = [/^node_modules\/@biomejs\/cli-/, /^node_modules\/@oxc-parser\/binding-/, /\/@rolldown\/binding-/]
const mostUnhashed = 39

/** Packages for other systems than the one we build and run on. */
const isForeign = ({ os = [], cpu = [], libc = [] }: Locked): boolean =>
  os.length > 0 && !(os.includes('linux') && cpu.includes('x64') && !libc.includes('musl'))

/** Raised only with a row in docs/adr/README.md. */
const mostProductionPackages = 225

test('production has no more packages than agreed', () => {
  const production = packages.filter(([, one]) => !one.dev && !one.devOptional)
  console.log(`${production.length} production packages, ${packages.length} in all`)
  assert.ok(production.length <= mostProductionPackages, `${production.length} production packages`)
})

test('only listed packages run code at install', () => {
  const { allowScripts } = json('package.json') as { allowScripts: Record<string, boolean> }
  const runs = packages
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.split('node_modules/').at(-1)!)
  assert.deepEqual(
    runs.filter((name) => !allowScripts[name]),
    [],
  )
})

test('every package comes from the registry, and no address is written down', () => {
  const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')
  assert.doesNotMatch(text, /"resolved": "(https?|git)/)
})

test('every package of production, for whatever system, is pinned by its hash', () => {
  const production = packages.filter(([, one]) => !one.dev && !one.devOptional)
  assert.deepEqual(
    production.filter(([, { integrity = '' }]) => !/^sha512-/.test(integrity)).map(([path]) => path),
    [],
  )
})

test('of tools for development only named ones lack a hash, for other systems, and no more than there were', () => {
  const lacking = packages.filter(([, one]) => !one.integrity)
  assert.ok(lacking.length <= mostUnhashed, `${lacking.length}: run npm run lock:hashes`)
  for (const [path, one] of lacking) {
    assert.ok(
      unhashed.some((pattern) => pattern.test(path)),
      path,
    )
    assert.ok(isForeign(one) && one.optional, path)
  }
})

test('every image is pinned by its digest, or is one of those that whoever deploys pins', () => {
  const text = ['deploy/Dockerfile', 'deploy/compose.yaml'].map(read)
  const images = [...text.join('\n').matchAll(/^(?:FROM| *image:) (\S+)/gm)].map(([, name]) => name!)
  const byTag = new Set(images.filter((name) => !/@sha256:[0-9a-f]{64}$/.test(name)))
  const { version } = json('package.json')
  const known = ['node:24-bookworm-slim', 'postgres:15-bookworm', 'redis:7-bookworm', 'axllent/mailpit:v1.31.3']
  assert.deepEqual([...byTag].sort(), [...known, `standfirst:${version}`].sort())
  const guide = read('deploy/README.md')
  for (const name of known) assert.ok(guide.includes(`\`${name}\``), `deploy/README.md does not name ${name}`)
})

test('every direct dependency is an exact version', () => {
  for (const name of ['package.json', 'server/package.json', 'desk/package.json']) {
    const { dependencies = {}, devDependencies = {} } = json(name)
    for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      // An alias also names an exact version, of the package it replaces.
      assert.match(String(version), /^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, `${dependency} in ${name}`)
    }
  }
})
