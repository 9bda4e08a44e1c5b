import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { place, tell } from './image.ts'
import { type Machine, makeMachine, makeNetwork } from './machines.ts'
import { until } from './site.ts'
import { blocksOf, documents, type Story, stories } from './stories.ts'

/**
 * `deploy/rehearse recovery`: every command of docs/operations.md and deploy/README.md that is typed on machines, from the
 * text itself, on machines of its own. Between them is what the text is for: things break, and what was kept is asked for.
 */

const blocks = documents.flatMap((document) => blocksOf(document))

makeNetwork()
const makeRepository = (name: string) => {
  const folder = join(place, `repository-${name}`)
  mkdirSync(folder)
  execFileSync('chown', ['postgres:postgres', folder])
  return folder
}

/** The machines of a story on which a block is typed. */
function machinesFor(on: string, machines: ReadonlyMap<string, Machine>): Machine[] {
  const nodes = ['node1', 'node2', 'node3']
  const names = on === 'nodes' ? nodes : on === 'others' ? nodes.slice(1) : [on]
  return names.map((name) => machines.get(name) ?? assert.fail(`there is no machine ${name}`))
}

async function play(title: string, story: Story): Promise<void> {
  const shared = { 'var/lib/pgbackrest': makeRepository(title.replaceAll(' ', '-')) }
  const machines = new Map(story.machines.map(([name, address]) => [name, makeMachine(name, address, shared)]))
  try {
    await follow(title, story, machines, shared['var/lib/pgbackrest'])
  } catch (error) {
    for (const machine of machines.values()) console.error(await lastWords(machine))
    throw error
  } finally {
    for (const machine of machines.values()) machine.crash()
  }
}

async function follow(
  title: string,
  story: Story,
  machines: ReadonlyMap<string, Machine>,
  repository: string,
): Promise<void> {
  tell(`== ${title}: ${[...machines.keys()].join(', ')}`)
  for (const machine of machines.values()) {
    await machine.run(`install -d -m 2775 -o postgres -g postgres /run/postgresql /var/lib/postgresql /var/lib/etcd
      chown etcd: /var/lib/etcd; install -d /run/haproxy; ip -o addr show eth0 >/dev/null`)
  }
  const values = new Map<string, string>()
  const on = (name: string) => machines.get(name) ?? assert.fail(name)
  for (const step of story.steps) {
    if ('does' in step) {
      tell(`   ${step.does}`)
      await step.act({
        on,
        values,
        until,
        loseRepository: () => {
          for (const name of readdirSync(repository)) rmSync(join(repository, name), { recursive: true })
        },
      })
      continue
    }
    const block = blocks.find((one) => one.section === step.section && one.place === step.place)
    assert.ok(block, `the text has no block ${step.place} in "${step.section}"`)
    const code = block.code.replaceAll('2026-01-31 11:59:59+00', values.get('moment') ?? '2026-01-31 11:59:59+00')
    for (const machine of machinesFor(step.on ?? block.on, machines)) {
      tell(`${machine.name}: ${block.document}:${block.line} ${block.section}`)
      const said = await machine.run(step.of ? linesOf(code, step.of) : code)
      values.set('said', said)
    }
  }
}

/** The last log lines of every unit, for debugging. */
async function lastWords({ name, run }: Machine): Promise<string> {
  const said = await run('tail -n 12 /var/log/rehearsal-units/*.log 2>/dev/null || true').catch(String)
  return `== ${name}\n${said}`
}

/** Only the lines of a block that contain this, where the text offers alternatives. */
const linesOf = (code: string, of: string) =>
  code
    .split('\n')
    .filter((line) => line.includes(of))
    .join('\n')

const only = process.argv[2]
try {
  for (const [title, story] of Object.entries(stories)) if (!only || title === only) await play(title, story)
  tell('Every command did what the text says.')
  process.exit()
} catch (error) {
  console.error(error)
  process.exit(1)
}
