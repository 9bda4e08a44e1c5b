import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/** Passwords that were published in breaches, and so are tried first. Asked here and nowhere else: no password leaves. */
export interface BreachedPasswords {
  has(password: string): Promise<boolean>
}

/** Of the 50,000 most common passwords, those of 15 characters or more; the rules refuse some of them too. */
const mostCommon = new Set(
  `mailcreated5240 1qaz2wsx3edc4rfv hd764nw5d7e1vb1 hd764nw5d7e1vbv qazwsxedcrfvtgb 23176djivanfros q1w2e3r4t5y6u7i8
  zqjphsyf6ctifgu lhbjkjubz2957704 1qazxsw23edcvfr4 nemvxyheqdd5oqxyxyzi 1234qwerasdfzxcv q1w2e3r4t5y6u7i8o9p0
  bpgjldsgjldthnf 122333444455555 111222333444555 1qa2ws3ed4rf5tg nick1234-rem936 qwertasdfgzxcvb aksjdlasdakj89879
  lytdybrbdfvgbhf 420842084208555 ne_e_pod_chehyl bhrh0h2oof6xbqjeh`.split(/\s+/),
)

/** A line is 40 hexadecimal digits of a SHA-1, a colon, how often it was seen, and an end of one or two bytes. */
const digits = 40
const longestLine = digits + 20

/**
 * `path` is a file of such lines sorted by the hash, as Have I Been Pwned gives them out ("ordered by hash"); a file of a
 * thousand million lines takes about 30 reads of a disk. Without one there is the short list alone.
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
  // The line looked for begins at or after `low` and before `high`.
  let low = 0
  let high = (await file.stat()).size
  const bytes = Buffer.alloc(2 * longestLine)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const from = Math.max(middle - longestLine, low)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
    const text = bytes.toString('latin1', 0, bytesRead)
    // The line that holds the byte in the middle.
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
