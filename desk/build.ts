import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { fontStack } from '../server/platform/page/fonts.ts'

/**
 * `npm run desk`: makes dist/, which the server serves at /desk; so does `npm ci`, by prepare.js. --watch builds again
 * whenever a source changes.
 */

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const isAsked = (flag: string): boolean => process.argv.includes(flag)

async function buildDesk(): Promise<void> {
  const { build } = await import('vite')
  const { default: react } = await import('@vitejs/plugin-react')
  await build({
    configFile: false,
    root: here('.'),
    base: '/desk/',
    publicDir: false,
    logLevel: 'warn',
    plugins: [react(), houseTokens],
    build: {
      // The server draws the document around what this file names.
      manifest: 'manifest.json',
      rolldownOptions: { input: here('source/main.tsx'), checks: { bundlerTimings: false } },
      modulePreload: { polyfill: false },
      // A picture or font inside the script would need `data:` in the policy.
      assetsInlineLimit: 0,
      target: 'es2023',
      watch: isAsked('--watch') ? {} : null,
    },
  })
}

/** The tokens are the public pages' own; only the server knows the stack of faces. */
const houseTokens = {
  name: 'house-tokens',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    id.endsWith('/style/tokens.css') ? code.replace('FONT_STACK', fontStack) : undefined,
}

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
}

/** What a browser loads before it shows anything. */
function firstLoad(): number {
  const manifest = JSON.parse(readFileSync(here('dist/manifest.json'), 'utf8')) as Record<string, Chunk>
  const wanted = new Set<string>()
  const add = (name: string): void => {
    const chunk = manifest[name]
    if (!chunk || wanted.has(chunk.file)) return
    wanted.add(chunk.file)
    chunk.imports?.forEach(add)
  }
  for (const [name, { isEntry }] of Object.entries(manifest)) if (isEntry) add(name)
  return [...wanted].reduce((sum, file) => sum + gzipSync(readFileSync(here(`dist/${file}`))).length, 0)
}

await buildDesk()
if (!isAsked('--watch')) console.log(`desk/dist: first load ${Math.round(firstLoad() / 1000)} kB of script, gzipped`)
