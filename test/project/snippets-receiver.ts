import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { examplePiece } from '../../server/features/pieces/examples.ts'
import { signatures } from '../../server/features/webhooks/sign.ts'
import { pathOf, webhookSecret } from './snippets.ts'

/** A receiver in TypeScript that keeps what it is sent: it is sound for the compiler, and is sent what the site sends. */
export async function checkReceiver(code: string, folder: string): Promise<void> {
  const file = join(folder, 'receiver.mts')
  const given = 'declare function keep(id: string, piece: { readonly title: string }): Promise<void>'
  await writeFile(file, `${code}\n${given}\n`)
  const compiler = pathOf('node_modules/typescript/bin/tsc')
  const settings = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext']
  const types = ['--lib', 'es2022,dom', '--typeRoots', pathOf('node_modules/@types'), '--types', 'node']
  await promisify(execFile)(process.execPath, [compiler, ...settings, ...types, file], { cwd: folder })

  const kept: string[] = []
  Object.assign(globalThis, { keep: async (_id: string, { title }: { title: string }) => void kept.push(title) })
  process.env['WEBHOOK_SECRET'] = webhookSecret
  const { POST } = (await import(pathToFileURL(file).href)) as { POST: (request: Request) => Promise<Response> }
  const published = { ...examplePiece, _service: { event: 'piece.published', sequence: 1 } }
  const ping = { id: 'msg_1', challenge: '4f1d', _service: { event: 'webhook.ping', sequence: 0 } }

  assert.equal((await POST(signed(published))).status, 204)
  assert.deepEqual(kept, [examplePiece.title])
  assert.equal(await (await POST(signed(ping))).text(), '4f1d')
  assert.equal((await POST(signed(published, { 'webhook-id': 'msg_2' }))).status, 400)
}

function signed(json: object, more: Readonly<Record<string, string>> = {}): Request {
  const body = Buffer.from(JSON.stringify(json))
  const id = `msg_${'a'.repeat(32)}`
  const seconds = Math.floor(Date.now() / 1000)
  const named = { 'webhook-id': id, 'webhook-timestamp': String(seconds) }
  const headers = { ...named, ...signatures([webhookSecret], id, seconds, body), ...more }
  return new Request('http://receiver.test/', { method: 'POST', headers, body })
}
