import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** Third-party feed readers: a JSON schema, libxml2, expat and feedparser. */

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const ajv = new Ajv2020({ allErrors: true })
addFormats.default(ajv)
const isJsonFeed = ajv.compile(JSON.parse(readFileSync(here('json-feed-1.1.schema.json'), 'utf8')))

export interface JsonFeed {
  readonly title: string
  readonly description?: string
  readonly home_page_url: string
  readonly feed_url: string
  readonly next_url?: string
  readonly hubs?: readonly { readonly type: string; readonly url: string }[]
  readonly icon?: string
  readonly favicon?: string
  readonly language?: string
  readonly authors?: readonly { readonly name: string; readonly url: string; readonly avatar?: string }[]
  readonly items: readonly JsonItem[]
}
interface JsonItem {
  readonly id: string
  readonly url: string
  readonly external_url?: string
  readonly title: string
  readonly summary: string
  readonly content_html: string
  readonly content_text: string
  readonly date_published: string
  readonly date_modified: string
  readonly tags: readonly string[]
  readonly category: string
  readonly kind: string
  readonly language: string
  readonly authors: readonly { readonly name: string; readonly url: string; readonly avatar?: string }[]
}

/** Parses strictly as JSON Feed 1.1. */
export function readJsonFeed(text: string): JsonFeed {
  const feed = JSON.parse(text)
  assert.ok(isJsonFeed(feed), `not a JSON Feed: ${ajv.errorsText(isJsonFeed.errors).slice(0, 500)}`)
  return feed as JsonFeed
}

export interface RssFeed {
  readonly version: string
  readonly title: string
  readonly link: string
  readonly description: string
  readonly language: string | null
  readonly lastBuildDate: string | null
  readonly links: readonly { readonly rel: string; readonly href: string; readonly type?: string }[]
  readonly items: readonly RssItem[]
}
interface RssItem {
  readonly title: string
  readonly link: string
  readonly guid: string
  readonly isPermaLink: string
  readonly pubDate: string
  readonly updated: string
  readonly creators: readonly string[]
  readonly language: string
  readonly categories: readonly string[]
  /** Unparsed HTML. */
  readonly description: string
  /** The text of the description. */
  readonly summary: string
  readonly content: string
}

/** Parses with libxml2, which must not complain, and with expat. */
export function readRss(texts: readonly (string | Buffer)[]): RssFeed[] {
  return withFiles(texts, (files) => {
    tool('xmllint', ['--noout', '--nonet', ...files], 'libxml2-utils')
    return lines<RssFeed>(tool('/usr/bin/python3', [here('read-rss.py'), ...files], 'python3'))
  })
}

interface ParsedFeed {
  /** Why feedparser calls it ill-formed, if it does. */
  readonly problem: string | null
  readonly version: string
  readonly title: string
  readonly language: string
  readonly ids: readonly string[]
  readonly authors: readonly string[]
  readonly published: readonly boolean[]
  readonly updated: readonly boolean[]
  readonly texts: readonly number[]
}

export const parseFeeds = (texts: readonly (string | Buffer)[]): ParsedFeed[] =>
  withFiles(texts, (files) =>
    lines<ParsedFeed>(tool('/usr/bin/python3', [here('parse-feeds.py'), ...files], 'python3-feedparser')),
  )

function withFiles<T>(texts: readonly (string | Buffer)[], work: (files: string[]) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'feeds-'))
  try {
    const files = texts.map((text, at) => {
      const file = join(folder, `${at}.xml`)
      writeFileSync(file, text)
      return file
    })
    return work(files)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function tool(program: string, args: readonly string[], debianPackage: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 30 })
  assert.ok(!error, `${program} did not run; install it (apt-get install ${debianPackage})`)
  assert.equal(status, 0, `${program}: ${stderr.slice(0, 2000)} (apt-get install ${debianPackage}, if it is missing)`)
  return stdout
}

const lines = <Row>(text: string): Row[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
