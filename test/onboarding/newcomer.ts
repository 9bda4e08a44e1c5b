import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text as textOf } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Fence, fencesIn } from '../../testkit/md-blocks.ts'

/** Somebody who has the documentation, and a shell that knows nothing of this checkout. */

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A site that was cloned, installed and started by the README's words. */
export interface Site {
  readonly base: string
  /** As `npm run dev` printed it. */
  readonly key: string
  /** The clone. */
  readonly folder: string
  /** Where a newcomer may work. */
  readonly place: string
}

/** Without what npm sets for its scripts, so that the machine's own Node and npm are used, as they would be. */
const plainEnvironment = (more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|INIT_CWD$)/.test(name))
  const path = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: path.join(':'), ...more }
}

/** In a process group of its own, as a terminal starts it: Ctrl+C is a signal to the group. */
export const startLine = (line: string, cwd: string, more?: Readonly<Record<string, string>>): ChildProcess =>
  spawn('bash', ['-euc', line], { cwd, env: plainEnvironment(more), detached: true, stdio: ['ignore', 'pipe', 'pipe'] })

/** A line as it stands in the documentation, to its end; what it printed. */
export async function runLine(line: string, cwd: string, more?: Readonly<Record<string, string>>): Promise<string> {
  const child = startLine(line, cwd, more)
  const [printed, complained] = [textOf(child.stdout!), textOf(child.stderr!)]
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`ended with ${code}: ${line}\n${await printed}${await complained}`)
  return printed
}

/** The first block of a document with these words in it. */
export function fenceWith(words: string, document: string): Fence {
  const found = fencesIn(document).find(({ code }) => code.includes(words))
  if (!found) throw new Error(`no block of the document says ${words}`)
  return found
}

export const documentAt = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')

export const guideOf = async ({ base }: Site, name: string): Promise<string> =>
  (await fetch(`${base}/developers/${name}.md`)).text()
