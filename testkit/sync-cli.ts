import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { cli, only, standfirst } from './program.ts'
import { writingSite } from './write-api.ts'

/** `standfirst push`, `pull` and `import` as a writer meets them: processes, their words, and a real site. */

interface Asked {
  readonly method: string
  readonly url: string
  readonly status: number
}

/** A site that listens, and remembers what it was asked. */
export async function listeningSite(env: Record<string, string> = {}) {
  const site = await writingSite(env)
  const asked: Asked[] = []
  site.app.server.on('request', ({ method = '', url = '' }: IncomingMessage, response: ServerResponse) =>
    response.on('finish', () => asked.push({ method, url, status: response.statusCode })),
  )
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  const base = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
  const count = async (): Promise<number> =>
    Number((await site.admin.query('select count(*) from app.pieces')).rows[0].count)
  return { ...site, base, asked, count, ...programOf({ STANDFIRST_URL: base, STANDFIRST_KEY: site.key }) }
}

/** The program, with these settings and no others. */
export function programOf(env: Record<string, string>) {
  /** Killed, with no chance to tidy up, once this is true. */
  const killed = async (isTime: () => boolean, ...args: string[]): Promise<void> => {
    const child: ChildProcess = spawn(process.execPath, [cli, ...args], { env: only(env), stdio: 'ignore' })
    const gone = once(child, 'close')
    const watch = setInterval(() => isTime() && child.kill('SIGKILL'), 1)
    await gone
    clearInterval(watch)
  }
  return { standfirst: (...args: string[]) => standfirst(env, ...args), killed }
}

/** A folder of its own, with these files in it. */
export function folderOf(files: Readonly<Record<string, string | Buffer>> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'standfirst-writer-'))
  after(() => rmSync(root, { recursive: true, force: true }))
  const write = (name: string, text: string | Buffer): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  return { root, write, read: (name: string) => readFileSync(join(root, name), 'utf8') }
}

export const page = (title: string, body = 'Four minutes.\n'): string => `---\ntitle: ${title}\n---\n\n${body}`
