import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { headerOf, readTar, TarDamaged, tarInto } from './tar.ts'

const folder = mkdtempSync(join(tmpdir(), 'sf-tar-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, 'a.tar')
const modified = new Date('2026-05-03T14:05:08Z')

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
