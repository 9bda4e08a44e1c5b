import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe } from 'node:test'

const root = join(import.meta.dirname, '../..')

/** Runs files of the queue in this process, each as a suite with its name, until none is left or `most` have run. */
export async function runQueue(folder: string, most: number): Promise<void> {
  const files = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as string[]
  let count = 0
  for (const [at, file] of files.entries()) {
    if (count === most) return
    if (!isTaken(join(folder, 'taken', String(at)))) continue
    count += 1
    await runFile(file)
  }
}

/** Whether this process got the file: exclusive creation succeeds in one process only. */
function isTaken(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'))
    return true
  } catch {
    return false
  }
}

function runFile(file: string): Promise<void> {
  return new Promise((resolve) => {
    describe(file, async () => {
      after(() => resolve())
      await import(join(root, file))
    })
  })
}
