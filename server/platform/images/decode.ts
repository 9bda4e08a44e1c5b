import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { message } from '#messages/message.ts'
import { overloaded } from '../errors.ts'
import { type Decoded, formatOf, type Shape } from './formats.ts'

/** Runs libvips in a sandboxed process: `decoder.ts` for what people upload, `resizer.ts` for what is stored. */

/** Four times what 40 million pixels need. */
const megabytes = 1_024
const memoryCheckEvery = 100
const longestAnswer = 24 * 1024 * 1024

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const scripts = {
  decoder: fileURLToPath(new URL('./decoder.ts', import.meta.url)),
  resizer: fileURLToPath(new URL('./resizer.ts', import.meta.url)),
  cropper: fileURLToPath(new URL('./cropper.ts', import.meta.url)),
}
const packages = fileURLToPath(import.meta.resolve('sharp')).replace(/(\/node_modules\/).*$/, '$1')

/**
 * It may read its own code and packages, and load libvips. Node enforces that for JavaScript; native code is limited by
 * an empty environment and no open files.
 */
const permissions = [
  '--permission',
  '--allow-addons',
  `--allow-fs-read=${packages}`,
  `--allow-fs-read=${here('./')}`,
  `--allow-fs-read=${here('../../package.json')}`,
]

interface Sandboxed {
  readonly script: keyof typeof scripts
  readonly args: readonly string[]
  readonly milliseconds: number
  /** Added to that of this process. */
  readonly niceness?: number
}

/** What the process answers; undefined if it takes too long or too much memory. */
export async function inSandbox(
  bytes: Buffer,
  { script, args, milliseconds, niceness }: Sandboxed,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  const child = spawn(process.execPath, [...permissions, scripts[script], ...args], { env: {}, cwd: '/' })
  const ended = Promise.withResolvers<Buffer | undefined>()
  const end = () => {
    ended.resolve(undefined)
    child.kill('SIGKILL')
  }
  const abandon = () => {
    ended.reject(signal?.reason)
    child.kill('SIGKILL')
  }
  signal?.addEventListener('abort', abandon, { once: true })
  const late = setTimeout(end, milliseconds)
  const memoryCheck = setInterval(() => megabytesOf(child) > megabytes && end(), memoryCheckEvery)
  child.on('error', () => ended.reject(overloaded(message('error.busy_pictures'))))
  child.on('spawn', () => {
    preferForOomKill(child)
    if (niceness) lowerPriority(child, niceness)
  })
  // It may exit before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  answerOf(child).then(ended.resolve, ended.reject)
  try {
    return await ended.promise
  } finally {
    clearTimeout(late)
    clearInterval(memoryCheck)
    signal?.removeEventListener('abort', abandon)
  }
}

async function answerOf({ stdout, stderr }: ChildProcessWithoutNullStreams): Promise<Buffer> {
  stderr.resume()
  const parts: Buffer[] = []
  let length = 0
  for await (const part of stdout as AsyncIterable<Buffer>) {
    length += part.length
    if (length > longestAnswer) return Buffer.alloc(0)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** The first line of an answer as JSON, and the bytes after it. Its output is as untrusted as its input. */
export function readLine(answer: Buffer): { line: unknown; bytes: Buffer } {
  const end = answer.indexOf('\n')
  const bytes = answer.subarray(end + 1)
  try {
    return { line: JSON.parse(answer.toString('utf8', 0, Math.max(0, end))), bytes }
  } catch {
    return { line: undefined, bytes }
  }
}

/** Less than the time limit of an upload. */
const milliseconds = 15_000

export async function decode(bytes: Buffer, shape: Shape, signal?: AbortSignal): Promise<Decoded> {
  const answer = await inSandbox(bytes, { script: 'decoder', args: [shape], milliseconds }, signal)
  return answer ? readAnswer(answer) : { refused: 'slow' }
}

export function readAnswer(answer: Buffer): Decoded {
  const { line, bytes } = readLine(answer)
  const { width, height, refused, millions } = Object(line) as Record<string, unknown>
  if (refused === 'pixels' && isWhole(millions)) return { refused, millions }
  if (refused === 'pixels' || refused === 'slow' || refused === 'busy') return { refused }
  return formatOf(bytes) === 'webp' && isWhole(width) && isWhole(height)
    ? { bytes, width, height }
    : { refused: 'damaged' }
}

const isWhole = (given: unknown): given is number => Number.isSafeInteger(given) && (given as number) > 0

/** On systems with /proc; elsewhere only the number of pixels is limited. */
function megabytesOf({ pid }: ChildProcessWithoutNullStreams): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return 0
  }
}

/** Makes the kernel kill this process first when memory runs out. */
function preferForOomKill({ pid }: ChildProcessWithoutNullStreams): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {}
}

function lowerPriority({ pid }: ChildProcessWithoutNullStreams, by: number): void {
  try {
    setPriority(pid!, getPriority() + by)
  } catch {}
}
