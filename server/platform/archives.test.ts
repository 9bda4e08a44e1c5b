import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { temporaryFolder } from '../../testkit/files.ts'
import { headerOf, readTar, TarDamaged, tarInto } from './tar.ts'
import { UnzipError, unzip } from './unzip.ts'
import { type ZipEntry, zip } from './zip.ts'

/** Archives are read back by Python's zipfile, an independent implementation. */

const folder = temporaryFolder()

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

async function archive(entries: readonly ZipEntry[]): Promise<Buffer<ArrayBuffer>> {
  const given = async function* () {
    yield* entries
  }
  return Buffer.concat(await Array.fromAsync(zip(given())))
}
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const readAll = async (bytes: Buffer<ArrayBuffer>): Promise<string[]> =>
  Promise.all(unzip(bytes).map(async (file) => textOf(await file.read())))
const entry = (name: string, text: string): ZipEntry => ({ name, modified, content: Buffer.from(text) })

test('what was packed is unpacked, whatever its name, and folders are no files', async () => {
  const bytes = await archive([
    entry('a.txt', 'one'),
    entry('über/日本.html', 'two'),
    entry('empty', ''),
    entry('f/', ''),
  ])
  assert.deepEqual(await Promise.all(unzip(bytes).map(async (file) => [file.name, textOf(await file.read())])), [
    ['a.txt', 'one'],
    ['über/日本.html', 'two'],
    ['empty', ''],
  ])
})

test('the list of more than 65,535 files is read where it really is', async () => {
  const many = Array.from({ length: 65_540 }, (_, at) => entry(`${at}`, ''))
  assert.equal(unzip(await archive(many)).length, 65_540)
})

test('what is no archive, is cut off, or has a bit turned over is refused or read as it was, and never breaks out', async () => {
  assert.throws(() => unzip(Buffer.from('PK but nothing else')), UnzipError)
  const bytes = await archive([entry('a.txt', 'one'.repeat(100)), entry('b.txt', 'two')])
  for (let length = 0; length < bytes.length; length += 1)
    await assert.rejects(readAll(bytes.subarray(0, length)), UnzipError)
  for (let at = 0; at < bytes.length; at += 1) {
    const turned = Buffer.from(bytes)
    turned[at]! ^= 0x40
    try {
      for (const text of await readAll(turned)) assert.match(text, /^(?:(?:one){100}|two)$/)
    } catch (error) {
      assert.ok(error instanceof UnzipError, `${at}: ${error}`)
    }
  }
})

test('a file that says it is small and is not is refused before it fills the memory', async () => {
  const bytes = await archive([entry('bomb', 'x')])
  const bomb = deflateRawSync(Buffer.alloc(300 * 2 ** 20))
  const start = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  // The bomb comes first, with its own header; the directory points to it.
  const header = Buffer.from(bytes.subarray(0, 34))
  const forged = Buffer.concat([header, bomb, bytes.subarray(start)])
  const line = header.length + bomb.length
  forged.writeUInt32LE(bomb.length, line + 20)
  forged.writeUInt32LE(line, forged.length - 6)
  const [file] = unzip(forged)
  forged.writeUInt32LE(1000, line + 24)
  await assert.rejects(file!.read(), /bomb: too_large/)
  await assert.rejects(file!.read(999), /bomb: too_large/)
})

const path = join(folder, 'a.tar')
async function* parts(): AsyncGenerator<Buffer> {
  for (let part = 0; part < 40; part += 1) yield Buffer.alloc(101, part)
}

async function write(): Promise<void> {
  const file = await open(path, 'w')
  const tar = tarInto(file, modified)
  assert.equal((await tar.stream('parts', parts())).size, 4_040)
  await tar.add('empty', Buffer.alloc(0))
  await tar.add('media/ab/tea.txt', Buffer.from('Tea.'))
  await tar.end()
  await file.close()
}

/** Names and bytes, read to the end. */
async function read(): Promise<[string, Buffer][]> {
  const file = await open(path)
  const found: [string, Buffer][] = []
  try {
    for await (const { name, content } of readTar(file))
      found.push([name, Buffer.concat(await Array.fromAsync(content))])
  } finally {
    await file.close()
  }
  return found
}

test('what was written comes back, here and by the tar of this machine', async () => {
  await write()
  const entries = await read()
  assert.deepEqual(
    entries.map(([name, { length }]) => [name, length]),
    [
      ['parts', 4_040],
      ['empty', 0],
      ['media/ab/tea.txt', 4],
    ],
  )
  assert.ok(entries[0]![1].equals(Buffer.concat(await Array.fromAsync(parts()))))
  execFileSync('tar', ['-xf', path, '-C', folder])
  assert.ok(readFileSync(join(folder, 'parts')).equals(entries[0]![1]))
  assert.equal(readFileSync(join(folder, 'media/ab/tea.txt'), 'utf8'), 'Tea.')
})

test('one changed byte of what is not content is noticed, wherever it is', async () => {
  await write()
  const whole = readFileSync(path)
  const outside = [...whole.keys()].filter((at) => at < 512 || at >= 512 + 4_040)
  const content = whole.indexOf('Tea.')
  const file = await open(path, 'r+')
  for (const at of outside.filter((place) => place < content || place >= content + 4)) {
    await file.write(Buffer.of(whole[at]! ^ 0x20), 0, 1, at)
    await assert.rejects(read(), TarDamaged, `byte ${at}`)
    await file.write(whole, at, 1, at)
  }
  await file.close()
})

test('an archive cut anywhere is noticed', async () => {
  await write()
  const { length } = readFileSync(path)
  for (const at of [length - 1, length - 512, length - 1024, 4_600, 3_000, 511, 1, 0]) {
    await write()
    truncateSync(path, at)
    await assert.rejects(read(), TarDamaged, `cut at ${at}`)
  }
})

test('an entry of more than 8 GiB has its size, also for the tar of this machine', async () => {
  const size = 2 ** 33 + 1
  // Only its header, and a hole of the size it declares.
  const large = await open(path, 'w')
  await large.write(headerOf('large', size, modified), 0, 512, 0)
  await large.truncate(512 + size + 511 + 1024)
  await large.close()
  assert.match(execFileSync('tar', ['-tvf', path], { encoding: 'utf8' }), new RegExp(` ${size} .*large`))
  const reader = await open(path)
  for await (const entry of readTar(reader)) assert.deepEqual([entry.name, entry.size], ['large', size])
  await reader.close()
})
