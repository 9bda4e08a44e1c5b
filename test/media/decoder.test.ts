import assert from 'node:assert/strict'
import { type ChildProcess, spawnSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testSite } from '../../testkit/app.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'
import { until } from '../../testkit/waiting.ts'

/** The process that decodes uploads holds nothing worth stealing, and its crash ends only one upload. */

const canary = 'a-secret-that-is-in-no-other-process'
process.env['CANARY_SECRET'] = canary
const { admin, app } = await testSite({ MEDIA_URL: mediaFolder().url })
const writer = await makeWriter(admin)
const { send, upload } = uploaderOf(app, writer)
after(() => delete process.env['CANARY_SECRET'])

/** Uploads a picture whose decoder is stopped right after its start. */
async function held() {
  const { promise, resolve } = Promise.withResolvers<number>()
  const hold = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess }
    child.once('spawn', () => {
      process.kill(child.pid!, 'SIGSTOP')
      resolve(child.pid!)
    })
  }
  subscribe('child_process', hold)
  const answer = send('POST', 'media', await photograph(6))
  const pid = await promise
  unsubscribe('child_process', hold)
  return { pid, answer }
}

describe('while a picture is read', { skip: process.platform !== 'linux' && 'no /proc here' }, () => {
  test('the process that reads it has no environment, no file and no connection of ours, and is the first to go', async () => {
    const { pid, answer } = await held()
    assert.equal(readFileSync(`/proc/${pid}/environ`, 'latin1'), '')
    assert.match(readFileSync(`/proc/${pid}/cmdline`, 'latin1'), /--permission/)
    await until(() => readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim() === '1000', 'it is the first to go')
    const open = readdirSync(`/proc/${pid}/fd`).map(
      (fd) => [Number(fd), readlinkSync(`/proc/${pid}/fd/${fd}`)] as const,
    )
    // It may have been stopped while the loader had a shared library of the system open.
    const isSystem = (target: string) => /^\/dev\/|^(?:\/usr)?\/lib\/.*\.so(?:\.|$)/.test(target)
    const beside = open.filter(([fd, target]) => fd > 2 && /^(?:socket:|\/)/.test(target) && !isSystem(target))
    assert.deepEqual(beside, [])
    process.kill(pid, 'SIGCONT')
    assert.equal((await answer).statusCode, 201)
  })

  test('one that is killed fails its upload with a sentence, and the next is read', async () => {
    const { pid, answer } = await held()
    process.kill(pid, 'SIGKILL')
    const { statusCode, body } = await answer
    assert.deepEqual([statusCode, JSON.parse(body).reason], [400, 'validation_failed'])
    assert.match(JSON.parse(body).detail, /save it anew, then upload it again/)
    assert.equal((await app.inject('/api/public/pieces/recent')).statusCode, 200)
    assert.match(await upload(await photograph(7)), /^[0-9a-f]{64}$/)
  })
})

test('no upload brings libvips into this process', async () => {
  const asked = `
    import { createPictureReader } from './server/platform/images/image-intake.ts'
    import { readFileSync } from 'node:fs'
    const { width } = await createPictureReader()(Buffer.from(process.argv[1], 'base64'), 'page', 'me')
    console.log(width, /libvips/.test(readFileSync('/proc/self/maps', 'utf8')))`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', asked, '--', (await photograph(8)).toString('base64')],
    { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8' },
  )
  assert.equal(stdout, '640 false\n', stderr)
})

test('JavaScript in it reads and writes no file of ours, and starts no process', () => {
  const tries = {
    'a file': "require('node:fs').readFileSync('/etc/passwd')",
    'the configuration': "require('node:fs').readFileSync('/proc/self/environ')",
    'a process': "require('node:child_process').execSync('true')",
    'a file to write': "require('node:fs').writeFileSync('/tmp/anything', '')",
  }
  const decoding = readFileSync(new URL('../../server/platform/images/image-intake.ts', import.meta.url), 'utf8')
  const flags = [...decoding.matchAll(/'(--(?:permission|allow-addons))'/g)].map(([, flag]) => flag!)
  assert.deepEqual(flags, ['--permission', '--allow-addons'])
  for (const [what, code] of Object.entries(tries)) {
    const { status, stderr } = spawnSync(process.execPath, [...flags, '--eval', code], { encoding: 'utf8', env: {} })
    assert.ok(status !== 0 && /ERR_ACCESS_DENIED/.test(stderr), `${what}: ${stderr}`)
  }
})
