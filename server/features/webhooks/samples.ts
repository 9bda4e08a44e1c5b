import { readFileSync } from 'node:fs'

/** A complete receiver to show and copy; test/webhooks/guide.test.ts runs each. */
export interface Sample {
  readonly name: string
  /** What it needs besides its language. */
  readonly needs: string
  /** For syntax highlighting. */
  readonly language: string
  readonly file: string
  readonly code: string
}

const listed = [
  ['JavaScript', 'the package @standfirst/sdk', 'js', 'sdk.mjs'],
  ['JavaScript, Standard Webhooks', 'the package standardwebhooks', 'js', 'standard-webhooks.mjs'],
  ['Python', 'nothing but Python 3.9 or newer', 'python', 'receiver.py'],
  ['Ruby', 'a Rack server, such as Puma', 'ruby', 'config.ru'],
  ['PHP', 'nothing but PHP 8', 'php', 'webhook.php'],
] as const

export const readSamples = (): Sample[] =>
  listed.map(([name, needs, language, file]) => ({
    name,
    needs,
    language,
    file,
    code: readFileSync(new URL(`samples/${file}`, import.meta.url), 'utf8'),
  }))
