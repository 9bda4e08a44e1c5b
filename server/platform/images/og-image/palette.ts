import { readFileSync } from 'node:fs'

/** The colours of the pages by day, from where they live. */
export interface Palette {
  readonly paper: string
  readonly ink: string
  readonly soft: string
  readonly rule: string
  readonly accent: string
}

export function readPalette(): Palette {
  const tokens = readFileSync(new URL('../../page/style/tokens.css', import.meta.url), 'utf8')
  const colour = (name: string): string => {
    // The first of that name: those by night come after.
    const found = new RegExp(`--${name}: ([^;]+);`).exec(tokens)?.[1]
    if (!found) throw new Error(`tokens.css has no colour ${name}`)
    return found
  }
  return {
    paper: colour('paper'),
    ink: colour('ink'),
    soft: colour('soft'),
    rule: colour('rule'),
    accent: colour('accent'),
  }
}
