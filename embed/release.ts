import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** What the site hands out to other sites, as it stands in dist/. */
export interface Release {
  readonly script: Asset
  readonly style: Asset
  /** Every script that has an address of its own, by the name in it: this one, and earlier ones kept in dist/. */
  readonly scripts: ReadonlyMap<string, Asset>
}

export interface Asset {
  readonly text: string
  /** Made of its bytes: another file has another name. */
  readonly name: string
  /** For the attribute `integrity`. */
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
