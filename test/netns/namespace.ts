import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/**
 * Runs a file in a network of its own that has nothing but loopback. There every address is this machine, so a
 * packet to any of them is seen by whoever listens here, and none can leave.
 */
export async function runInNamespace(file: string, unreachable: string): Promise<string> {
  const name = `standfirst-${randomBytes(6).toString('hex')}`
  const ip = (...args: string[]) => execute('ip', args)
  await ip('netns', 'add', name).catch((cause: unknown) => {
    throw new Error('No network namespace could be made. It takes Linux, root and iproute2.', { cause })
  })
  try {
    await ip('-n', name, 'link', 'set', 'lo', 'up')
    await ip('-n', name, 'route', 'add', 'local', '0.0.0.0/0', 'dev', 'lo')
    await ip('-n', name, '-6', 'route', 'add', 'local', '::/0', 'dev', 'lo')
    await ip('-n', name, 'route', 'add', 'unreachable', `${unreachable}/32`)
    const { stdout } = await execute('ip', ['netns', 'exec', name, process.execPath, file], {
      env: { ...process.env, ...hostileEnvironment },
      timeout: 60_000,
      maxBuffer: 64 * 1_024 * 1_024,
    })
    return stdout
  } finally {
    await ip('netns', 'delete', name)
  }
}

const proxy = 'http://10.0.0.1:3128'

/** None of it may change where a call goes, or whom it trusts. */
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
