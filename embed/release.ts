import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** The files that other sites load, as built in dist/. */
export interface Release {
  readonly script: Asset
  readonly style: Asset
  /** Every script with a pinned address, by file name: the current one and earlier ones kept in dist/. */
  readonly scripts: ReadonlyMap<string, Asset>
}

export interface Asset {
  readonly text: string
  /** Contains a hash of the content. */
  readonly name: string
  /** For the `integrity` attribute. */
  readonly integrity: string
}

const dist = new URL('./dist/', import.meta.url)

export function readRelease(): Release {
  const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'))
  const assets = scripts.map((name) => asset(name))
  return {
    script: asset('embed.js'),
    style: asset('widget.css'),
    scripts: new Map(assets.map((one) => [one.name, one])),
  }
}

function asset(file: string): Asset {
  const text = readFileSync(new URL(file, dist), 'utf8')
  const ending = file.slice(file.lastIndexOf('.'))
  return {
    text,
    name: `${hash('sha256', text, 'hex').slice(0, 16)}${ending}`,
    integrity: `sha384-${hash('sha384', text, 'base64')}`,
  }
}

/** Frame sizes in pixels for each widget at its widest. Longer texts make the frame scroll. */
export const frameSizes = {
  badge: { width: 240, height: 34 },
  card: { width: 480, height: 204 },
  list: { width: 480, height: 332 },
  bio: { width: 480, height: 300 },
  piece: { width: 480, height: 240 },
} as const
