import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSdk } from '../sdk/build.ts'

/**
 * `npm run release -- X`: commits version X, records that commit as the one upgrades are tested from, and leaves the
 * artefacts in .data/release/X. Publishes nothing: it prints the commands for that (docs/adr/0016-releases.md).
 */

const root = join(import.meta.dirname, '..')
const previousRelease = 'deploy/previous-release.json'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const write = (file: string, text: string): void => writeFileSync(join(root, file), text)
const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  }).trim()

interface Package {
  name?: string
  version?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

function refuse(reason: string): never {
  console.error(`Not released: ${reason}`)
  process.exit(1)
}

function editJson<T>(file: string, edit: (value: T) => void): void {
  const value = JSON.parse(read(file)) as T
  edit(value)
  write(file, `${JSON.stringify(value, null, 2)}\n`)
}

function editText(file: string, pattern: RegExp, replacement: string): void {
  const text = read(file)
  if (!pattern.test(text)) refuse(`${file} has no ${pattern}.`)
  write(file, text.replace(pattern, replacement))
}

const numbersOf = (version: string): number[] => version.split('.').map(Number)

function isBelow(version: string, other: string): boolean {
  const [numbers, others] = [numbersOf(version), numbersOf(other)]
  const at = numbers.findIndex((number, place) => number !== others[place])
  return at >= 0 && numbers[at]! < others[at]!
}

/** The version in package.json may be released if it has not been yet. */
function checkVersion(version: string, current: string, released: string | undefined): void {
  if (!/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(version))
    refuse(`"${version}" is not a version of three numbers. Usage: npm run release -- 1.2.3`)
  if (version === released || isBelow(version, current)) refuse(`${version} is not greater than ${current}.`)
}

/** Everything above the first release, without its heading. */
function unreleasedIn(changelog: string): string {
  const [, rest = ''] = changelog.split(/^## Unreleased\n/m)
  return rest.split(/^## /m)[0]!.trim()
}

function setVersion(version: string): void {
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] }
  const manifests = ['package.json', ...workspaces.map((folder) => `${folder}/package.json`)]
  const names = manifests.map((file) => (JSON.parse(read(file)) as Package).name)
  const edit = (one: Package): void => {
    one.version = version
    for (const wanted of [one.dependencies, one.devDependencies])
      for (const name of Object.keys(wanted ?? {})) if (names.includes(name)) wanted![name] = version
  }
  for (const file of manifests) editJson(file, edit)
  editJson<Package & { packages: Record<string, Package> }>('package-lock.json', (lock) => {
    lock.version = version
    for (const path of ['', ...workspaces]) edit(lock.packages[path]!)
  })
  editJson('server.json', edit)
  editText('deploy/compose.yaml', /(image: standfirst:)\S+/, `$1${version}`)
  for (const name of ['public', 'desk', 'worker', 'migrate', 'operator'])
    editText(`deploy/kubernetes/${name}.yaml`, /(image: standfirst:)\S+/, `$1${version}`)
  editText('deploy/Dockerfile', /(org\.opencontainers\.image\.version=)\S+/, `$1${version}`)
}

function writeSbom(file: string): void {
  const sbom = JSON.parse(run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'))
  // npm takes the name of the folder.
  sbom.metadata.component.name = 'standfirst'
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
}

function writeChecksums(folder: string): void {
  const lines = readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

function releasedVersion(): string | undefined {
  if (!run('git', 'ls-files', previousRelease)) return undefined
  return (JSON.parse(read(previousRelease)) as { version: string }).version
}

const version = process.argv[2] ?? ''
checkVersion(version, (JSON.parse(read('package.json')) as { version: string }).version, releasedVersion())
if (run('git', 'status', '--porcelain')) refuse('there are changes that are not committed.')
if (!/^- /m.test(unreleasedIn(read('CHANGELOG.md')))) refuse('CHANGELOG.md has nothing under "## Unreleased".')

const folder = join(root, '.data/release', version)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

setVersion(version)
const today = new Date().toISOString().slice(0, 10)
editText('CHANGELOG.md', /^## Unreleased\n/m, `## Unreleased\n\n## ${version} — ${today}\n`)
writeSbom(join(folder, `standfirst-${version}.cdx.json`))
const sdk = join(root, '.data/release/sdk')
await buildSdk(sdk)
run('npm', 'pack', sdk, '--pack-destination', folder)
rmSync(sdk, { recursive: true })

run('git', 'commit', '--quiet', '--all', '--message', `release: ${version}`)
const commit = run('git', 'rev-parse', 'HEAD')
run('git', 'archive', `--prefix=standfirst-${version}/`, '--output', `${folder}/standfirst-${version}.tar.gz`, commit)
writeChecksums(folder)

write(previousRelease, `${JSON.stringify({ version, commit }, null, 2)}\n`)
run('git', 'add', previousRelease)
run('git', 'commit', '--quiet', '--message', `release: upgrades are tested from ${version}`)

console.log(`Release ${version} is commit ${commit}. In .data/release/${version}:
${readdirSync(folder)
  .map((name) => `  ${name}`)
  .join('\n')}

Nothing is published yet. When bash .ci/run has passed:
  git tag --annotate v${version} --message 'Standfirst ${version}' ${commit}
  git push origin HEAD v${version}
  docker build -f deploy/Dockerfile -t standfirst:${version} .
  npm publish .data/release/${version}/standfirst-sdk-${version}.tgz

Attach the other files to the release page of v${version}. To take it back before the push: git reset --hard ${commit}~1`)
