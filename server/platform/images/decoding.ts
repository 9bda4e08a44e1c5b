import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { overloaded } from '../errors.ts'
import type { Decoded, Shape } from './formats.ts'

/** Pictures are read in a process that has nothing to lose: `decoder.ts`, one for each, gone when it has answered. */

/** Less than an upload has. */
const milliseconds = 15_000
/** Four times what 40 million pixels take. */
const megabytes = 1_024
const looksEvery = 100
const longestAnswer = 24 * 1024 * 1024

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const decoder = fileURLToPath(new URL('./decoder.ts', import.meta.url))
const packages = fileURLToPath(import.meta.resolve('sharp')).replace(/(\/node_modules\/).*$/, '$1')

/**
 * It may read its own code and packages, and load libvips. Node holds JavaScript to that; what keeps native code from
 * more is that there is nothing in its environment and nothing open.
 */
const permissions = [
  '--permission',
  '--allow-addons',
  `--allow-fs-read=${packages}`,
  `--allow-fs-read=${here('./')}`,
  `--allow-fs-read=${here('../../package.json')}`,
]

export async function decode(bytes: Buffer, shape: Shape, signal?: AbortSignal): Promise<Decoded> {
  const child = spawn(process.execPath, [...permissions, decoder, shape], { env: {}, cwd: '/' })
  const ended = Promise.withResolvers<Decoded>()
  const end = () => {
    ended.resolve({ refused: 'slow' })
    child.kill('SIGKILL')
  }
  const abandon = () => {
    ended.reject(signal?.reason)
    child.kill('SIGKILL')
  }
  signal?.addEventListener('abort', abandon, { once: true })
  const late = setTimeout(end, milliseconds)
  const looking = setInterval(() => megabytesOf(child) > megabytes && end(), looksEvery)
  child.on('error', () => ended.reject(overloaded('Pictures cannot be read just now. Try again in a moment.')))
  child.on('spawn', () => giveFirst(child))
  // It may be gone before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  answerOf(child).then(ended.resolve, ended.reject)
  try {
    return await ended.promise
  } finally {
    clearTimeout(late)
    clearInterval(looking)
    signal?.removeEventListener('abort', abandon)
  }
}

/** What it says is believed as little as what it was given. */
async function answerOf({ stdout, stderr }: ChildProcessWithoutNullStreams): Promise<Decoded> {
  stderr.resume()
  const parts: Buffer[] = []
  let length = 0
  for await (const part of stdout as AsyncIterable<Buffer>) {
    length += part.length
    if (length > longestAnswer) return { refused: 'damaged' }
    parts.push(part)
  }
  return readAnswer(Buffer.concat(parts))
}

export function readAnswer(answer: Buffer): Decoded {
  const end = answer.indexOf('\n')
  const { width, height, refused, millions } = parsed(answer.toString('utf8', 0, Math.max(0, end)))
  const bytes = answer.subarray(end + 1)
  if (refused === 'pixels' && isWhole(millions)) return { refused, millions }
  if (refused === 'pixels' || refused === 'slow') return { refused }
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isWebp && isWhole(width) && isWhole(height) ? { bytes, width, height } : { refused: 'damaged' }
}

const isWhole = (given: unknown): given is number => Number.isSafeInteger(given) && (given as number) > 0

function parsed(line: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(line))
  } catch {
    return {}
  }
}

/** Where the system says so; elsewhere the pixels are its only limit. */
function megabytesOf({ pid }: ChildProcessWithoutNullStreams): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return 0
  }
}

/** To a system that lacks memory: before any process that serves. */
function giveFirst({ pid }: ChildProcessWithoutNullStreams): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {}
}
