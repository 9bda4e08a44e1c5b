import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a file in a new network namespace and returns its output. */
export async function runInNamespace(file: string, unreachable: string): Promise<string> {
  const name = await makeNamespace(unreachable)
  try {
    const { stdout } = await execute('ip', ['netns', 'exec', name, process.execPath, file], {
      env: { ...process.env, ...hostileEnvironment },
      timeout: 60_000,
      maxBuffer: 64 * 1_024 * 1_024,
    })
    return stdout
  } finally {
    await removeNamespace(name)
  }
}

export interface Inside {
  readonly process: ChildProcessWithoutNullStreams
  leave(): Promise<void>
}

/** Starts a file in a new network namespace with 127.0.0.1 as its resolver, until the test ends it. */
export async function startInNamespace(
  file: string,
  unreachable: string,
  env: Readonly<Record<string, string>>,
): Promise<Inside> {
  const name = await makeNamespace(unreachable)
  await mkdir(`/etc/netns/${name}`, { recursive: true })
  await writeFile(`/etc/netns/${name}/resolv.conf`, 'nameserver 127.0.0.1\n')
  const inside = spawn('ip', ['netns', 'exec', name, process.execPath, file], {
    env: { ...process.env, ...hostileEnvironment, ...env },
  })
  inside.stdin.on('error', () => {})
  const gone = new Promise((resolve) => inside.once('close', resolve))
  return {
    process: inside,
    leave: async () => {
      inside.stdin.end()
      await gone
      await rm(`/etc/netns/${name}`, { recursive: true })
      await removeNamespace(name)
    },
  }
}

const ip = (...args: string[]) => execute('ip', args)

/**
 * A network with only loopback. Every address is this machine, so a packet to any of them reaches the listeners here
 * and none can leave.
 */
async function makeNamespace(unreachable: string): Promise<string> {
  const name = `standfirst-${randomBytes(6).toString('hex')}`
  await ip('netns', 'add', name).catch((cause: unknown) => {
    throw new Error('No network namespace could be made. It takes Linux, root and iproute2.', { cause })
  })
  try {
    await ip('-n', name, 'link', 'set', 'lo', 'up')
    await ip('-n', name, 'route', 'add', 'local', '0.0.0.0/0', 'dev', 'lo')
    await ip('-n', name, '-6', 'route', 'add', 'local', '::/0', 'dev', 'lo')
    await ip('-n', name, 'route', 'add', 'unreachable', `${unreachable}/32`)
    return name
  } catch (error) {
    await removeNamespace(name)
    throw error
  }
}

const removeNamespace = (name: string) => ip('netns', 'delete', name)

const proxy = 'http://10.0.0.1:3128'

/** None of these variables may change where a call goes or which certificates it trusts. */
const hostileEnvironment = {
  NODE_USE_ENV_PROXY: '1',
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  ALL_PROXY: proxy,
  http_proxy: proxy,
  https_proxy: proxy,
  all_proxy: proxy,
  NO_PROXY: '',
  no_proxy: '',
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
}
