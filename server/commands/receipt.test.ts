import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { cli, standfirst } from '../../testkit/cli.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { temporaryFolder } from '../../testkit/files.ts'
import { serve } from '../../testkit/network.ts'

/** `standfirst receipt verify` as run far from the site: with files, or with an address. */

const { admin, app } = await testSite({ BASE_URL: 'http://localhost:1' })
const writer = await makeWriter(admin)
const id = await makePiece(admin, writer, { headline: 'On tea', body_md: 'A cup.' })
const site = await app.listen({ host: '127.0.0.1', port: 0 })

const folder = temporaryFolder()

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

/** Without a database, a setting or anything else of the site. */
const verify = (...args: string[]) => standfirst({}, 'receipt', 'verify', ...args)

test('three saved files verify offline, and it says what is proven and what is not', async () => {
  const { code, output } = await verify(files.receipt, '--piece', files.piece, '--key', files.keys)
  assert.equal(code, 0, output)
  assert.match(output, /^Verified:\n/)
  assert.ok(output.includes(`✓ It’s for “On tea” by ${writer.slug} (${id}).`), output)
  assert.match(output, /✓ Headline, standfirst, text, tags, category and format are exactly those it was issued for\./)
  assert.match(output, /✓ It says: the author published this version at the desk on 20/)
  assert.match(output, /✓ Revision \d+\. .+\n {2}✓ Receipt 1 of this piece\n/)
  assert.match(output, /Not proven by the receipt:\n {2}– The author’s name .+\n {2}– Who that person is/)
})

test('a receipt alone verifies, and it says that no text was compared', async () => {
  const { code, output } = await verify(files.receipt, '--key', files.keys)
  assert.equal(code, 0, output)
  assert.match(output, /no piece was given/)
  assert.doesNotMatch(output, /exactly those/)
})

test('a changed text, a changed receipt and another key are refused, each with its reason', async () => {
  for (const [args, reason] of [
    [[files.receipt, '--piece', files.changed, '--key', files.keys], /was changed after the receipt was issued/],
    [[files.forged, '--piece', files.piece, '--key', files.keys], /signature doesn’t match this receipt/],
    [[files.receipt, '--piece', files.piece, '--key', files.theirKeys], /key doesn’t match its ID/],
    [[files.piece, '--key', files.keys], /This isn’t a receipt/],
  ] as const) {
    const { code, output } = await verify(...args)
    assert.equal(code, 1)
    assert.match(output, /^Not verified:\n {2}✗ /)
    assert.match(output, reason)
  }
})

test('words of somebody else do not pass for a verdict, and what nobody can have signed is no receipt', async () => {
  const shouted = {
    ...receipt,
    signature: { ...receipt.signature, key: '\u001b[2J\u001b[H\nVerified.\n  ✓ All of it' },
  }
  const loud = await verify(saved('loud.json', shouted), '--key', files.keys)
  assert.equal(loud.code, 1)
  assert.match(
    loud.output,
    /^Not verified:\n {2}✗ The receipt is signed with key .*Verified\. ✓ All of it, which isn’t/,
  )
  assert.equal(loud.output.trim().split('\n').length, 2)

  const half = join(folder, 'half.json')
  writeFileSync(half, JSON.stringify(receipt).replace('"version"', '"half":"\\ud800","version"'))
  const deep = join(folder, 'deep.json')
  const tree = '['.repeat(50_000) + ']'.repeat(50_000)
  writeFileSync(deep, JSON.stringify(receipt).replace('"version"', `"deep":${tree},"version"`))
  for (const file of [half, deep]) {
    const { code, output } = await verify(file, '--key', files.keys)
    assert.equal(code, 1)
    assert.equal(output, 'Not verified:\n  ✗ This isn’t a receipt: fields are missing or invalid.\n')
  }
})

test('a site that answers with the receipt and the text of another piece is found out, and one that leads on is not followed', async () => {
  const other = await makePiece(admin, writer, { headline: 'On coffee', body_md: 'A pot.' })
  const { base } = await serve(async ({ url: path = '' }, response) => {
    if (path.startsWith('/moved/')) return response.writeHead(302, { location: `${site}${path.slice(6)}` }).end()
    response.end(JSON.stringify(await json(path.replace(id, other))))
  })

  const swapped = await verify(`${base}/p/${id}/receipt`, '--key', files.keys)
  assert.equal(swapped.code, 1)
  assert.ok(swapped.output.includes(`The receipt is for another piece, ${other}.`), swapped.output)

  const moved = await verify(`${base}/moved/p/${id}/receipt`)
  assert.equal(moved.code, 1)
  assert.match(moved.output, /redirects to http:.+\/receipt\. If you trust that site, use its address instead/)
})

test('an address is enough, and a key from elsewhere can be insisted on', async () => {
  for (const address of [`${site}/p/${id}/receipt`, `${site}/p/${id}`]) {
    const { code, output } = await verify(address)
    assert.equal(code, 0, output)
    assert.match(output, /exactly those it was issued for/)
  }
  const pinned = await verify(`${site}/p/${id}/receipt`, '--key', files.theirKeys)
  assert.equal(pinned.code, 1)
})

test('what cannot be verified at all is said in a sentence', async () => {
  for (const [args, sentence] of [
    [[files.receipt], /you also need the saved keys .*--key/],
    [[join(folder, 'nothing.json'), '--key', files.keys], /^Can’t read /],
    [[cli, '--key', files.keys], /is not valid JSON/],
    [[`${site}/author/ada`], /ends with \/p\/<uuid>\/receipt/],
    [[`${site}/p/00000000-0000-4000-8000-000000000000`], /isn’t public, or has no receipt/],
    [[`http://127.0.0.1:1/p/${id}`], /^Can’t reach /],
  ] as const) {
    const { code, output } = await verify(...args)
    assert.equal(code, 1, output)
    assert.match(output, sentence)
    assert.doesNotMatch(output, /\n\s+at /)
  }
})

test('the verdict is in the language of the terminal', async () => {
  const { code, output } = await standfirst(
    { LANG: 'de_DE.UTF-8' },
    'receipt',
    'verify',
    files.piece,
    '--key',
    files.keys,
  )
  assert.equal(code, 1)
  assert.match(output, /Das ist kein Beleg: Felder fehlen oder sind ungültig\./)
})
