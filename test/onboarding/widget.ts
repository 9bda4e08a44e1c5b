import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { openHost } from '../browser/embeds-host.ts'
import { documentAt, fenceWith, type Site } from './newcomer.ts'

/** The widget of docs/embedding.md on a page of another site; how many lines it has. */
export async function widget(browser: Browser, { base }: Site): Promise<number> {
  const { code } = fenceWith('/embed.js', documentAt('docs/embedding.md'))
  const host = await openHost(browser, base)
  const visit = await host.open(code.replaceAll('http://localhost:8080', base))
  await visit.drawn(1)
  assert.match((await visit.texts())[0] ?? '', /Ada Okafor/)
  assert.deepEqual(visit.complaints, [])
  await visit.close()
  return code.trim().split('\n').length
}
