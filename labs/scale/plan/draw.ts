import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { drawEngines } from './engines-picture.ts'
import { drawLimits } from './limits-picture.ts'
import { withTables } from './tables.ts'

/** `npm run scale -- plan`: docs/scale.md and its drawings, calculated anew from what one of each thing costs. */

const docs = (name: string): string => fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url))

/** What the files of docs/ should be. */
export function drawn(): ReadonlyMap<string, string> {
  return new Map([
    [docs('scale.md'), withTables(readFileSync(docs('scale.md'), 'utf8'))],
    [docs('scale-engines.svg'), drawEngines()],
    [docs('scale-limits.svg'), drawLimits()],
  ])
}

export async function drawPlan(): Promise<boolean> {
  for (const [file, text] of drawn()) writeFileSync(file, text)
  console.log('docs/scale.md, docs/scale-engines.svg and docs/scale-limits.svg are drawn.')
  return true
}
