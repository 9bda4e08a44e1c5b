import { readFileSync } from 'node:fs'
import { asPostgres, runToEnd } from '../../../testkit/engines/engine.ts'
import { type ArchivedPostgres, installArchiveSettings } from '../../../testkit/engines/postgres.ts'
import { codeBlocksIn } from '../../../testkit/file-formats.ts'

/** The blocks of "Restore to a moment" in docs/operations.md: what an operator types is what the proof runs. */

const operations = new URL('../../../docs/operations.md', import.meta.url)

export const steps = ['begin', 'to a moment', 'to the latest', 'afterwards'] as const
export type Step = (typeof steps)[number]

type Runbook = ReadonlyMap<Step, readonly string[]>

export function runbook(markdown = readFileSync(operations, 'utf8')): Runbook {
  const section = /^## Restore to a moment\n([\s\S]*?)(?=^## )/m.exec(markdown)?.[1]
  const blocks = codeBlocksIn(section ?? '').filter(({ language }) => language === 'sh')
  if (blocks.length !== steps.length)
    throw new Error(`the section has ${blocks.length} blocks, not ${steps.join(', ')}`)
  const lines = blocks.map(({ code }) => code.trim().replaceAll('\\\n', ' ').split('\n'))
  return new Map(steps.map((step, at) => [step, lines[at]!]))
}

/** The example time in the runbook. */
const exampleMoment = '2026-01-31 11:59:59+00'

type Act = (archived: ArchivedPostgres, moment: string) => Promise<void>

/**
 * What a line does in a run, for the proof that compares every row of a site that is written to. Files are put in their
 * places by the engine's starter and the site's processes are the proof's to start and stop. `deploy/rehearse recovery`
 * runs every line as it stands.
 */
export function actOf(line: string): Act {
  const [, pgbackrest] = /^sudo -u postgres pgbackrest (.+)$/.exec(line) ?? []
  if (pgbackrest)
    return async ({ pgbackrest: run }, moment) => {
      await run(...wordsOf(pgbackrest).map((word) => word.replace(exampleMoment, moment)))
    }
  if (line === 'systemctl restart postgresql@15-main')
    return async ({ primary }) => {
      await primary.stop()
      await primary.start()
    }
  if (line === 'systemctl start postgresql@15-main') return ({ primary }) => primary.start()
  if (line === 'install -d -m 700 -o postgres -g postgres /var/lib/postgresql/15/main')
    return async ({ primary }) => {
      const owner = process.getuid?.() === 0 ? ['-o', 'postgres', '-g', 'postgres'] : []
      await runToEnd(['install', '-d', '-m', '700', ...owner, primary.folder])
    }
  if (line === 'sudo -u postgres /opt/standfirst/deploy/pgbackrest/drill')
    return async ({ primary, env }) => {
      const drill = new URL('../../../deploy/pgbackrest/drill', import.meta.url).pathname
      console.log((await runToEnd(asPostgres(drill, [`${primary.folder}-drill`]), env)).trim())
    }
  if (line === 'sudo /opt/standfirst/deploy/pgbackrest/make-pass')
    return async ({ env }) => {
      const make = new URL('../../../deploy/pgbackrest/make-pass', import.meta.url).pathname
      await runToEnd([make, `${env['PGBACKREST_CONFIG_INCLUDE_PATH']}/pass.conf`])
    }
  if (line.endsWith('/archive.conf /etc/postgresql/15/main/conf.d/archive.conf'))
    return async ({ primary }) => installArchiveSettings(primary)
  if (/^(cp|install -d -o postgres|systemctl (stop|start|enable --now|daemon-reload)) ?/.test(line))
    return async () => {}
  throw new Error(`the proof does not know what this does: ${line}`)
}

/** As a shell takes them apart, as far as the runbook needs it. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ''))

export async function follow(step: Step, archived: ArchivedPostgres, moment = ''): Promise<void> {
  for (const line of runbook().get(step)!) await actOf(line)(archived, moment)
}
