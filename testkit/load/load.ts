import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { scratchFolder, startEngine } from '../engines/engine.ts'
import type { Outcome, Plan, Report } from './plan.ts'

const program = fileURLToPath(new URL('./generate.ts', import.meta.url))

/**
 * Asks as planned, in a process of its own: on one core where `core` names it. Up to some 10,000 requests a second; the
 * report's `latest` says whether the generator kept up.
 */
export async function load(plan: Plan, core?: number): Promise<Report> {
  const folder = scratchFolder('load')
  const [planned, reported, log] = ['plan.json', 'report.json', 'log'].map((name) => `${folder}/${name}`)
  writeFileSync(planned!, JSON.stringify(plan))
  const child = startEngine([process.execPath, program, planned!, reported!], {
    log: log!,
    ...(core === undefined ? {} : { core }),
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the generator ended with ${code}: ${readFileSync(log!, 'utf8').slice(-2000)}`)
  return JSON.parse(readFileSync(reported!, 'utf8'))
}

const count = (counts: Readonly<Record<string, number>>, isMeant: (name: string) => boolean): number =>
  Object.entries(counts).reduce((sum, [name, number]) => sum + (isMeant(name) ? number : 0), 0)

/** Answered with what was asked for, or why not: any status below 500. */
export const answeredOf = ({ statuses }: Outcome): number => count(statuses, (status) => Number(status) < 500)

/** A 5xx, a time-out, a connection that broke. */
export const failedOf = ({ statuses, failures }: Outcome): number =>
  count(statuses, (status) => Number(status) >= 500) + count(failures, () => true)

/** What is no polite refusal: all that failed but a 503 that says when to come back. */
export const brokenOf = ({ statuses, failures, rude }: Outcome): number =>
  count(statuses, (status) => Number(status) >= 500 && status !== '503') + count(failures, () => true) + rude
