import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

/**
 * systemctl on a machine of a rehearsal, whose first process is not systemd. It runs what the unit files say: commands,
 * conditions, user, folders, environment, and a system that is read-only where ProtectSystem=strict is. Timers are only
 * looked at.
 */

const folders = ['/etc/systemd/system', '/lib/systemd/system']
const state = '/run/rehearsal-units'
const logs = '/var/log/rehearsal-units'
for (const folder of [state, logs]) mkdirSync(folder, { recursive: true })

interface Unit {
  readonly name: string
  all(setting: string): string[]
  last(setting: string): string
}

const withSuffix = (name: string): string => (/\.(service|timer)$/.test(name) ? name : `${name}.service`)

function readUnit(given: string): Unit {
  const name = withSuffix(given)
  const [, prefix = '', instance = '', suffix = ''] = /^([^@]+?)(?:@(.*))?\.(service|timer)$/.exec(name) ?? []
  const file = name.includes('@') ? `${prefix}@.${suffix}` : name
  const path = folders.map((folder) => join(folder, file)).find(existsSync)
  if (!path) throw new Error(`Unit ${name} not found.`)
  const dropIns = folders.flatMap((folder) => globSync(join(folder, `${file}.d/*.conf`)))
  const specifiers: Record<string, string> = {
    i: instance,
    I: instance.replaceAll('-', '/'),
    p: prefix,
    n: name,
    '%': '%',
  }
  const settings = new Map<string, string[]>()
  for (const text of [path, ...dropIns].map((one) => readFileSync(one, 'utf8'))) {
    for (const line of text
      .replace(/^[#;].*\n/gm, '')
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')) {
      const [, setting, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
      if (!setting) continue
      const meant = value.replaceAll(/%(.)/g, (whole, letter: string) => specifiers[letter] ?? whole)
      settings.set(setting, value === '' ? [] : [...(settings.get(setting) ?? []), meant])
    }
  }
  const all = (setting: string) => settings.get(setting) ?? []
  return { name, all, last: (setting) => all(setting).at(-1) ?? '' }
}

/** Splits a command line into words; quotes group. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))

function environmentOf(unit: Unit): Record<string, string> {
  const pairs = unit.all('Environment').flatMap(wordsOf)
  for (const file of unit.all('EnvironmentFile')) {
    const path = file.replace(/^-/, '')
    if (file.startsWith('-') && !existsSync(path)) continue
    const lines = readFileSync(path, 'utf8').split('\n')
    pairs.push(...lines.filter((line) => /^\w+=/.test(line)).map((line) => line.replace(/=(["'])(.*)\1$/, '=$2')))
  }
  const given = Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  return { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...given }
}

/** `$NAME` alone expands to its words, `${NAME}` is substituted, `$$` is a dollar sign. */
const expanded = (word: string, env: Readonly<Record<string, string>>): string[] =>
  /^\$\w+$/.test(word)
    ? wordsOf(env[word.slice(1)] ?? '')
    : [word.replaceAll(/\$\$|\$\{(\w+)\}/g, (whole, name?: string) => (whole === '$$' ? '$' : (env[name!] ?? '')))]

/** ProtectSystem=strict: only its own folders are writable. */
function enclosed(unit: Unit, command: readonly string[]): string[] {
  if (unit.last('ProtectSystem') !== 'strict') return [...command]
  const own = unit
    .all('StateDirectory')
    .flatMap(wordsOf)
    .map((name) => `/var/lib/${name}`)
  const writable = [...unit.all('ReadWritePaths').flatMap(wordsOf), ...own]
  const script = [
    ...writable.map((path) => `mount --bind ${path} ${path}`),
    ...(unit.last('PrivateTmp') === 'yes' ? ['mount -t tmpfs tmp /tmp'] : ['mount -o remount,bind,ro /tmp']),
    'mount -o remount,bind,ro /run',
    'mount -o remount,bind,ro /',
    'exec "$@"',
  ]
  return ['unshare', '--mount', 'sh', '-ec', script.join('\n'), 'sh', ...command]
}

function commandOf(unit: Unit, line: string, env: Readonly<Record<string, string>>): string[] {
  const words = wordsOf(line.replace(/^[-+!@:]+/, '')).flatMap((word) => expanded(word, env))
  const user = unit.last('User')
  const asUser = user
    ? ['setpriv', `--reuid=${user}`, `--regid=${unit.last('Group') || user}`, '--init-groups', '--no-new-privs']
    : []
  return enclosed(unit, [...asUser, ...words])
}

function prepare(unit: Unit): void {
  const owner = unit.last('User') || 'root'
  for (const name of unit.all('StateDirectory').flatMap(wordsOf))
    execFileSync('/usr/bin/install', [
      '-d',
      '-m',
      unit.last('StateDirectoryMode') || '755',
      '-o',
      owner,
      '-g',
      owner,
      `/var/lib/${name}`,
    ])
}

const pidFile = (name: string): string => join(state, `${name}.pid`)

/** The process of a unit, if it is running. */
function pidOf(name: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile(name), 'utf8'))
    return readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ') ? undefined : pid
  } catch {
    return undefined
  }
}

async function start(given: string, block: boolean): Promise<void> {
  const unit = readUnit(given)
  if (unit.name.endsWith('.timer')) return void readUnit(unit.last('Unit') || unit.name.replace(/timer$/, 'service'))
  if (pidOf(unit.name)) return
  prepare(unit)
  const env = environmentOf(unit)
  const cwd = unit.last('WorkingDirectory') || '/'
  const log = openSync(join(logs, `${unit.name}.log`), 'a')
  const run = (line: string): number => {
    const [program, ...args] = commandOf(unit, line, env) as [string, ...string[]]
    const { status } = spawnSync(program, args, { env, cwd, stdio: ['ignore', log, log] })
    return line.startsWith('-') ? 0 : (status ?? 255)
  }
  for (const line of unit.all('ExecCondition')) if (run(line) > 0) return
  const began = unit.all('ExecStart')
  if (unit.last('Type') === 'oneshot' || unit.last('Type') === 'forking') {
    for (const line of [...unit.all('ExecStartPre'), ...began, ...unit.all('ExecStartPost')])
      if (run(line) > 0)
        throw new Error(
          `Job for ${unit.name} failed:\n${readFileSync(join(logs, `${unit.name}.log`), 'utf8').slice(-2000)}`,
        )
    return
  }
  for (const line of unit.all('ExecStartPre')) if (run(line) > 0) throw new Error(`${unit.name}: ${line} failed`)
  const [program, ...args] = commandOf(unit, began[0]!, env) as [string, ...string[]]
  const child = spawn(program, args, { env, cwd, stdio: ['ignore', log, log], detached: true })
  writeFileSync(pidFile(unit.name), String(child.pid))
  child.unref()
  if (block) await pause(700)
  if (child.exitCode !== null)
    throw new Error(
      `Job for ${unit.name} failed:\n${readFileSync(join(logs, `${unit.name}.log`), 'utf8').slice(-2000)}`,
    )
}

async function stop(given: string): Promise<void> {
  const unit = readUnit(given)
  const env = environmentOf(unit)
  for (const line of unit.all('ExecStop')) {
    const [program, ...args] = commandOf(unit, line, env) as [string, ...string[]]
    spawnSync(program, args, { env, stdio: 'ignore' })
  }
  const pid = pidOf(unit.name)
  if (pid) process.kill(pid, 'SIGTERM')
  for (let waited = 0; pidOf(unit.name); waited += 100) {
    if (waited > 60_000) process.kill(pid!, 'SIGKILL')
    await pause(100)
  }
  rmSync(pidFile(unit.name), { force: true })
}

async function reload(given: string): Promise<void> {
  const unit = readUnit(given)
  const pid = pidOf(unit.name)
  if (!pid) throw new Error(`${unit.name} is not active, cannot reload.`)
  const env = { ...environmentOf(unit), MAINPID: String(pid) }
  for (const line of unit.all('ExecReload')) {
    const [program, ...args] = commandOf(unit, line.replace('$MAINPID', String(pid)), env) as [string, ...string[]]
    execFileSync(program, args, { env, stdio: 'ignore' })
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { now: { type: 'boolean' }, 'no-block': { type: 'boolean' } },
})
const [verb = '', ...given] = positionals
const running = readdirSync(state).map((name) => basename(name, '.pid'))
const units = given.flatMap((name) =>
  name.includes('*') ? running.filter((one) => new RegExp(`^${name.replaceAll('*', '.*')}`).test(one)) : [name],
)
const block = !values['no-block']

try {
  for (const name of units) {
    if (verb === 'start' || (verb === 'enable' && values.now)) await start(name, block)
    else if (verb === 'stop' || (verb === 'disable' && values.now)) await stop(name)
    else if (verb === 'restart') {
      await stop(name)
      await start(name, block)
    } else if (verb === 'reload') await reload(name)
    else if (verb === 'enable' || verb === 'disable') readUnit(name)
    else throw new Error(`Unknown command verb ${verb}.`)
  }
  if (given.length === 0 && verb !== 'daemon-reload') throw new Error(`Unknown command verb ${verb}.`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
