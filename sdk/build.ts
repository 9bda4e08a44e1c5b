import { execFile } from 'node:child_process'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * `npm run sdk` builds dist/, the package as published with `npm publish ./sdk/dist`. The repository imports the
 * sources directly, but Node runs no TypeScript from node_modules.
 */

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export async function buildSdk(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  const compiler = here('../node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [compiler, '-p', here('tsconfig.build.json'), '--outDir', folder])
  await copyFile(here('README.md'), join(folder, 'README.md'))
  await copyFile(here('../LICENSE'), join(folder, 'LICENSE'))
  // The scripts that block publishing from the sources do not apply to the build.
  const { scripts: _scripts, ...rest } = JSON.parse(await readFile(here('package.json'), 'utf8'))
  const published = { ...rest, exports: { types: './index.d.ts', default: './index.js' } }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}

if (import.meta.main) {
  const folder = here('dist')
  await buildSdk(folder)
  console.log(`sdk/dist: ${(await readdir(folder, { recursive: true })).length} files. Publish: npm publish ./sdk/dist`)
}
