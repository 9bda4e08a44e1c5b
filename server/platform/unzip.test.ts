import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { UnzipError, unzip, type ZipEntry, zip } from './zip.ts'

const modified = new Date('2026-01-01T00:00:00Z')

async function archive(entries: readonly ZipEntry[]): Promise<Buffer> {
  const given = async function* () {
    yield* entries
  }
  return Buffer.concat(await Array.fromAsync(zip(given())))
}
const entry = (name: string, text: string): ZipEntry => ({ name, modified, content: Buffer.from(text) })

test('what was packed is unpacked, whatever its name, and folders are no files', async () => {
  const bytes = await archive([
    entry('a.txt', 'one'),
    entry('über/日本.html', 'two'),
    entry('empty', ''),
    entry('f/', ''),
  ])
  assert.deepEqual(
    unzip(bytes).map((file) => [file.name, file.read().toString()]),
    [
      ['a.txt', 'one'],
      ['über/日本.html', 'two'],
      ['empty', ''],
    ],
  )
})

test('the list of more than 65,535 files is read where it really is', async () => {
  const many = Array.from({ length: 65_540 }, (_, at) => entry(`${at}`, ''))
  assert.equal(unzip(await archive(many)).length, 65_540)
})

test('what is no archive, is cut off, or has a bit turned over is refused or read as it was, and never breaks out', async () => {
  assert.throws(() => unzip(Buffer.from('PK but nothing else')), UnzipError)
  const bytes = await archive([entry('a.txt', 'one'.repeat(100)), entry('b.txt', 'two')])
  for (let length = 0; length < bytes.length; length += 1)
    assert.throws(() => unzip(bytes.subarray(0, length)).map((file) => file.read()), UnzipError)
  for (let at = 0; at < bytes.length; at += 1) {
    const turned = Buffer.from(bytes)
    turned[at]! ^= 0x40
    try {
      for (const file of unzip(turned)) assert.match(file.read().toString(), /^(?:(?:one){100}|two)$/)
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
  assert.throws(() => file!.read(), /has bomb larger than 268435456 bytes/)
})
