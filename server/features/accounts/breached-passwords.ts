import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/** Passwords published in breaches, which attackers try first. Looked up locally: no password leaves the server. */
export interface BreachedPasswords {
  has(password: string): Promise<boolean>
}

/** Those of the 50,000 most common passwords with 15 characters or more; password-rules.ts refuses some of them too. */
const mostCommon = new Set(
  `mailcreated5240 1qaz2wsx3edc4rfv hd764nw5d7e1vb1 hd764nw5d7e1vbv qazwsxedcrfvtgb 23176djivanfros q1w2e3r4t5y6u7i8
  zqjphsyf6ctifgu lhbjkjubz2957704 1qazxsw23edcvfr4 nemvxyheqdd5oqxyxyzi 1234qwerasdfzxcv q1w2e3r4t5y6u7i8o9p0
  bpgjldsgjldthnf 122333444455555 111222333444555 1qa2ws3ed4rf5tg nick1234-rem936 qwertasdfgzxcvb aksjdlasdakj89879
  lytdybrbdfvgbhf 420842084208555 ne_e_pod_chehyl bhrh0h2oof6xbqjeh`.split(/\s+/),
)

/** A line has the 40 hex digits of a SHA-1, a colon, how often it was seen, and a line ending of one or two bytes. */
const digits = 40
const longestLine = digits + 20

/**
 * `path` is a file of such lines sorted by hash, as Have I Been Pwned provides it ("ordered by hash"). A lookup in a file of
 * a thousand million lines takes about 30 disk reads. Without a file there is only the short list.
 */
export function openBreachedPasswords(path: string | undefined): BreachedPasswords {
  return {
    async has(password) {
      const normal = password.normalize('NFKC')
      if (mostCommon.has(normal.toLowerCase())) return true
      if (!path) return false
      await using file = await open(path)
      return await hasLine(file, createHash('sha1').update(normal).digest('hex').toUpperCase())
    },
  }
}

async function hasLine(file: FileHandle, hash: string): Promise<boolean> {
  // The line we look for begins at or after `low` and before `high`.
  let low = 0
  let high = (await file.stat()).size
  const bytes = Buffer.alloc(2 * longestLine)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const from = Math.max(middle - longestLine, low)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
    const text = bytes.toString('latin1', 0, bytesRead)
    // The line that contains the byte in the middle.
    const start = text.lastIndexOf('\n', middle - from - 1) + 1
    const found = text.slice(start, start + digits).toUpperCase()
    if (found === hash) return true
    if (found < hash) {
      const end = text.indexOf('\n', start)
      low = end === -1 ? high : from + end + 1
    } else high = from + start
  }
  return false
}
