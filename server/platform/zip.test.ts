import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type ZipEntry, zip } from './zip.ts'

/** Archives are read back by Python's zipfile, an independent implementation. */

const folder = mkdtempSync(join(tmpdir(), 'zip-'))
after(() => rmSync(folder, { recursive: true }))

const program = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as a:
    assert a.testzip() is None
    print(json.dumps([[i.filename, i.file_size, list(i.date_time)] for i in a.infolist()]))
`
async function listed(entries: Iterable<ZipEntry>): Promise<[string, number, number[]][]> {
  const path = join(folder, 'a.zip')
  const given = async function* () {
    yield* entries
  }
  // By hand: `buffer` takes half a minute for a quarter of a million parts.
  writeFileSync(path, Buffer.concat(await Array.fromAsync(zip(given()))))
  return JSON.parse(execFileSync('python3', ['-c', program, path], { maxBuffer: 2 ** 26, encoding: 'utf8' }))
}

const modified = new Date('2026-05-03T14:05:08Z')
const time = [2026, 5, 3, 14, 5, 8]

test('what is given whole or in parts, empty, large or with a name in any script comes back', async () => {
  const parts = async function* () {
    for (let part = 0; part < 50; part += 1) yield Buffer.alloc(10_000, part)
  }
  const none = async function* (): AsyncGenerator<Buffer> {}
  const entries: ZipEntry[] = [
    { name: 'empty', modified, content: Buffer.alloc(0) },
    { name: 'Grüße 😀.txt', modified, content: Buffer.from('Tea.') },
    { name: 'large', modified, content: Buffer.alloc(200_000, 'abc') },
    { name: 'parts', modified, content: parts() },
    { name: 'no parts', modified, content: none() },
  ]
  assert.deepEqual(await listed(entries), [
    ['empty', 0, time],
    ['Grüße 😀.txt', 4, time],
    ['large', 200_000, time],
    ['parts', 500_000, time],
    ['no parts', 0, time],
  ])
})

test('an archive of nothing is one', async () => {
  assert.deepEqual(await listed([]), [])
})

test('more files than sixteen bits can count are all there', async () => {
  const content = Buffer.alloc(0)
  const many = Array.from({ length: 65_536 }, (_, at) => ({ name: `${at}`, modified, content }))
  const names = (await listed(many)).map(([name]) => name)
  assert.deepEqual([names.length, names[0], names.at(-1)], [65_536, '0', '65535'])
})

test('a source that fails breaks the archive off', async () => {
  const failing = async function* () {
    yield Buffer.from('a beginning')
    throw new Error('no more')
  }
  await assert.rejects(listed([{ name: 'a', modified, content: failing() }]), /no more/)
})
