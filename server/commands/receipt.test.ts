import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testApp } from '#testing/app.ts'
import { testDatabase } from '#testing/database.ts'
import { makePiece, makeWriter } from '#testing/make.ts'

/** `standfirst receipt verify`, as somebody far from the house runs it: with files, or with an address. */

const { url, admin } = await testDatabase()
const app = await testApp(url, { BASE_URL: 'http://localhost:1' })
const writer = await makeWriter(admin)
const id = await makePiece(admin, writer, { headline: 'On tea', body_md: 'A cup.' })
const house = await app.listen({ host: '127.0.0.1', port: 0 })

const folder = mkdtempSync(join(tmpdir(), 'sf-receipt-'))
after(() => rmSync(folder, { recursive: true }))

const json = async (path: string) => (await app.inject(path)).json()
function saved(name: string, value: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(value))
  return file
}
const receipt = await json(`/p/${id}/receipt`)
const found = await json(`/api/public/pieces/${id}`)
const keys = await json('/.well-known/standfirst-receipts.json')
const files = {
  receipt: saved('receipt.json', receipt),
  piece: saved('piece.json', found),
  keys: saved('keys.json', keys),
  changed: saved('changed.json', { ...found, piece: { ...found.piece, content_text: 'A cup!' } }),
  forged: saved('forged.json', { ...receipt, receipt: { ...receipt.receipt, revisions_by_key: [1] } }),
  theirKeys: saved('their-keys.json', { keys: [{ ...keys.keys[0], x: Buffer.alloc(32, 7).toString('base64url') }] }),
}

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))

/** Without a database, a setting or anything else of the house. */
function verify(...args: string[]): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, 'receipt', 'verify', ...args], { env: {} }, (failed, out, error) =>
      resolve({ code: failed ? Number(failed.code) : 0, said: out + error }),
    )
  })
}

test('three saved files verify offline, and it says what is proven and what is not', async () => {
  const { code, said } = await verify(files.receipt, '--piece', files.piece, '--key', files.keys)
  assert.equal(code, 0, said)
  assert.match(said, /^Verified\.\n/)
  assert.match(said, /✓ Headline, standfirst, text, tags, category and kind are those it was given for, to the letter/)
  assert.match(said, /by a person at the desk, its own writer/)
  assert.match(said, /Not proven by it:\n {2}– Who that person is/)
})

test('a receipt alone verifies, and it says that no text was compared', async () => {
  const { code, said } = await verify(files.receipt, '--key', files.keys)
  assert.equal(code, 0, said)
  assert.match(said, /no piece was given/)
  assert.doesNotMatch(said, /to the letter/)
})

test('a changed text, a changed receipt and another key are refused, each with its reason', async () => {
  for (const [args, reason] of [
    [[files.receipt, '--piece', files.changed, '--key', files.keys], /not what the receipt was given for/],
    [[files.forged, '--piece', files.piece, '--key', files.keys], /signature is not of this receipt/],
    [[files.receipt, '--piece', files.piece, '--key', files.theirKeys], /does not have the name it is given under/],
    [[files.piece, '--key', files.keys], /This is no receipt/],
  ] as const) {
    const { code, said } = await verify(...args)
    assert.equal(code, 1)
    assert.match(said, /^Not verified\.\n {2}✗ /)
    assert.match(said, reason)
  }
})

test('an address is enough, and a key from elsewhere can be insisted on', async () => {
  for (const address of [`${house}/p/${id}/receipt`, `${house}/p/${id}`]) {
    const { code, said } = await verify(address)
    assert.equal(code, 0, said)
    assert.match(said, /to the letter/)
  }
  const pinned = await verify(`${house}/p/${id}/receipt`, '--key', files.theirKeys)
  assert.equal(pinned.code, 1)
})

test('what cannot be verified at all is said in a sentence', async () => {
  for (const [args, sentence] of [
    [[files.receipt], /saved with|with saved keys: --key/],
    [[join(folder, 'nothing.json'), '--key', files.keys], /cannot be read/],
    [[cli, '--key', files.keys], /is not JSON/],
    [[`${house}/author/ada`], /ends in \/p\/<uuid>\/receipt/],
    [[`${house}/p/00000000-0000-4000-8000-000000000000`], /not public, or it has no receipt/],
    [[`http://127.0.0.1:1/p/${id}`], /cannot be reached/],
  ] as const) {
    const { code, said } = await verify(...args)
    assert.equal(code, 1, said)
    assert.match(said, sentence)
    assert.doesNotMatch(said, /\n\s+at /)
  }
})
