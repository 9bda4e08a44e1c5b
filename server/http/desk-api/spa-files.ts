import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { style } from '#platform/page/style.ts'

/** What `npm run desk` has made, as the document and its assets need it. */
export interface AppFiles {
  /** By the last part of their address, which holds a hash of the bytes. */
  readonly assets: ReadonlyMap<string, Asset>
  readonly script: string
  /** Scripts the first one imports: asked for at once, not when it has been read. */
  readonly preloads: readonly string[]
  readonly sheets: readonly string[]
  readonly fonts: readonly string[]
}

interface Asset {
  readonly type: string
  readonly bytes: Buffer
}

/** An entry of Vite's manifest. */
interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
  readonly assets?: readonly string[]
}

const built = new URL('../../../desk/dist/', import.meta.url)
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** Undefined where the application has not been built. */
export function readApp(dist = built): AppFiles | undefined {
  const manifest = readManifest(dist)
  const entry = Object.values(manifest ?? {}).find(({ isEntry }) => isEntry)
  if (!manifest || !entry) return undefined

  const assets = new Map<string, Asset>()
  const names = Object.values(manifest).flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets])
  for (const name of new Set(names)) {
    const type = types[name.split('.').at(-1)!]
    if (type) assets.set(name.replace('assets/', ''), { type, bytes: readFileSync(new URL(name, dist)) })
  }
  const faces = Buffer.from(style().fonts.deskCss)
  const facesName = `faces.${hash('sha256', faces, 'base64url').slice(0, 10)}.css`
  assets.set(facesName, { type: types['css']!, bytes: faces })

  const imported = importsOf(manifest, entry)
  const path = (file: string): string => `/desk/${file}`
  return {
    assets,
    script: path(entry.file),
    preloads: imported.map(({ file }) => path(file)),
    sheets: [path(`assets/${facesName}`), ...[...imported, entry].flatMap(({ css = [] }) => css.map(path))],
    fonts: style().fonts.first,
  }
}

function readManifest(dist: URL): Record<string, Chunk> | undefined {
  try {
    return JSON.parse(readFileSync(new URL('manifest.json', dist), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function importsOf(manifest: Record<string, Chunk>, entry: Chunk): Chunk[] {
  const found = new Set<Chunk>()
  const add = ({ imports = [] }: Chunk): void => {
    for (const name of imports) {
      const chunk = manifest[name]
      if (!chunk || found.has(chunk)) continue
      add(chunk)
      found.add(chunk)
    }
  }
  add(entry)
  return [...found]
}
