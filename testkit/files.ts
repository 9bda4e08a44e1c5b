import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** An empty folder, deleted after the test file. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'standfirst-test-'))
  after(() => rmSync(path, { recursive: true, force: true }))
  return path
}
