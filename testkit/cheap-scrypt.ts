import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after, mock } from 'node:test'

/**
 * Passwords are derived at the least cost until the file is over: the real cost is half a second of a processor each.
 * Answers with the options of each call, as the server asked for them.
 */
export function cheapScrypt(): ScryptOptions[] {
  const { scrypt } = crypto
  const calls: ScryptOptions[] = []
  const cheap = (
    password: BinaryLike,
    salt: BinaryLike,
    length: number,
    options: ScryptOptions,
    done: (error: Error | null, key: Buffer) => void,
  ) => {
    calls.push(options)
    scrypt(password, salt, length, { ...options, N: 2, p: 1 }, done)
  }
  const { mock: replaced } = mock.method(crypto, 'scrypt', cheap)
  syncBuiltinESMExports()
  after(() => {
    replaced.restore()
    syncBuiltinESMExports()
  })
  return calls
}
