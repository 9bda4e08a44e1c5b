import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { deskConfig, pathInDesk } from './vite.ts'

/**
 * `npm run desk`: makes dist/, which the server serves at /desk; so does `npm ci`, by prepare.js. While you work on the
 * desk, `npm run dev` serves its sources instead.
 */

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
}

/** What a browser loads before it shows anything. */
function firstLoad(): number {
  const manifest = JSON.parse(readFileSync(pathInDesk('dist/manifest.json'), 'utf8')) as Record<string, Chunk>
  const wanted = new Set<string>()
  const add = (name: string): void => {
    const chunk = manifest[name]
    if (!chunk || wanted.has(chunk.file)) return
    wanted.add(chunk.file)
    chunk.imports?.forEach(add)
  }
  for (const [name, { isEntry }] of Object.entries(manifest)) if (isEntry) add(name)
  return [...wanted].reduce((sum, file) => sum + gzipSync(readFileSync(pathInDesk(`dist/${file}`))).length, 0)
}

await build({
  ...deskConfig,
  build: {
    // The server draws the document around what this file names.
    manifest: 'manifest.json',
    rolldownOptions: { input: pathInDesk('source/main.tsx'), checks: { bundlerTimings: false } },
    modulePreload: { polyfill: false },
    // A picture or font inside the script would need `data:` in the policy.
    assetsInlineLimit: 0,
    target: 'es2023',
  },
})
console.log(`desk/dist: first load ${Math.round(firstLoad() / 1000)} kB of script, gzipped`)
