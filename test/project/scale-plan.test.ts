import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { costs } from '../../labs/scale/plan/costs.ts'
import { hitRatio, limits, needsOf, searchGrowth, sizeOf } from '../../labs/scale/plan/needs.ts'
import { drawn } from '../../labs/scale/plan/tables.ts'

/** docs/scale.md matches the calculation from its table of costs, and those figures are the measured ones. */

const root = new URL('../../', import.meta.url)
const results = JSON.parse(readFileSync(new URL('labs/bench/results.json', root), 'utf8'))
const close = (found: number, expected: number): void =>
  assert.ok(Math.abs(found / expected - 1) < 0.01, `${found} instead of ${expected}`)

test('the page and its drawings are those that the costs make: npm run scale -- plan', () => {
  for (const [file, text] of drawn()) assert.equal(readFileSync(file, 'utf8'), text, file)
})

describe('a cost', () => {
  const rateOf = (part: { name: string; ours: number }[], name: string): number =>
    1000 / part.find((one) => one.name === name)!.ours

  test('is the one that the benches kept', () => {
    const { http } = results['100000']
    const { face, tools, creating, pixel } = results['10000']
    close(costs.pieceRead.value, rateOf(http, 'one piece'))
    close(costs.listRead.value, rateOf(http, 'recent, 20'))
    close(costs.pageRead.value, rateOf(face, 'a page, 500 pieces in turn'))
    close(costs.drafting.value, rateOf(creating, 'create a draft'))
    close(costs.searchServer.value, tools.find(({ name }: { name: string }) => name === 'search_pieces').rest / 1000)
    close(costs.countedReads.value, pixel.rate)
    const { throughput } = results['0'].webhooks
    close(costs.deliveries.value, throughput.ours.rate)
    close(costs.delivery.value, throughput.ours.processor)
    close(costs.deliveryDatabase.value, throughput.database)
    const ours = (read: string) =>
      results['1000'].peers.reads.find(({ name }: { name: string }) => name === read).figures[0]
    close(costs.readDatabase.value, ours('a page').database)
    close(costs.searchDatabase.value, ours('search').database)
    close(costs.searchBuffers.value, results['1000000'].search.all[0].buffersP50)
  })

  test('names a page that is there', () => {
    for (const { source, what } of Object.values(costs)) assert.ok(existsSync(new URL(source, root)), what)
  })
})

test('what is needed grows with the site, and a search among a million costs what it costs', () => {
  close(searchGrowth(1e6), 1)
  const [small, large] = [needsOf(sizeOf(1e6)), needsOf(sizeOf(1e8))]
  for (const name of ['serverCores', 'searchCores', 'databaseGigabytes', 'wal', 'restoreHours'] as const)
    assert.ok(large[name] > small[name] * 80, `${name}: ${small[name]} and ${large[name]}`)
})

/** The long-run hit rate of `npm run scale -- hits`, calculated piece by piece. */
test('the share that an edge answers is that of every piece added up', () => {
  for (const [pieces, reads] of [
    [100_000, 3_000],
    [1_000_000, 1_000],
  ] as const) {
    const weights = Array.from({ length: pieces }, (_, at) => 1 / (at + 1))
    const whole = weights.reduce((sum, one) => sum + one)
    const kept = weights.map((one) => ((reads * one) / whole) * 30)
    const exact = kept.reduce((sum, rate, at) => sum + ((weights[at]! / whole) * rate) / (1 + rate), 0)
    close(hitRatio({ pieces, reads }), exact)
  }
})

test('limits come in the order in which a site meets them', () => {
  const found = limits().map(({ pieces }) => pieces)
  assert.deepEqual(
    found,
    found.toSorted((a, b) => a - b),
  )
  for (const pieces of found) assert.ok(pieces > 1e4 && pieces < 1e12, String(pieces))
})
