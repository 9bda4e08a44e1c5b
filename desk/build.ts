import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { deskConfig, pathInDesk } from './vite.ts'

/**
 * `npm run desk` builds dist/, which the server serves at /desk; `npm ci` does the same through prepare.js. During
 * development `npm run dev` serves the sources instead.
 */

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

/** Size of the scripts a browser loads before the first render, with the English words. */
function firstLoad(): number {
  const manifest = JSON.parse(readFileSync(pathInDesk('dist/manifest.json'), 'utf8')) as Record<string, Chunk>
  const wanted = new Set<string>()
  const add = (name: string): void => {
    const chunk = manifest[name]
    if (!chunk || wanted.has(chunk.file)) return
    wanted.add(chunk.file)
    chunk.imports?.forEach(add)
  }
  for (const name of Object.keys(manifest))
    if (name === 'source/main.tsx' || name.endsWith('virtual:messages/en')) add(name)
  return [...wanted].reduce((sum, file) => sum + gzipSync(readFileSync(pathInDesk(`dist/${file}`))).length, 0)
}

await build({
  ...deskConfig,
  build: {
    // The server renders the HTML document from this manifest.
    manifest: 'manifest.json',
    rolldownOptions: {
      input: [pathInDesk('source/main.tsx'), pathInDesk('source/service-worker.ts')],
      checks: { bundlerTimings: false },
    },
    modulePreload: { polyfill: false },
    // An inlined image or font would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    target: 'es2023',
  },
})
console.log(`desk/dist: first load ${Math.round(firstLoad() / 1000)} kB of script, gzipped`)
