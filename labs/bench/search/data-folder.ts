import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../.data/bench-search', import.meta.url))

/** A file of the folder where all of it is kept. */
export function kept(name: string): string {
  mkdirSync(folder, { recursive: true })
  return `${folder}/${name}`
}
