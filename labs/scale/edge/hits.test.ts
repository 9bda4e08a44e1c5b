import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hitsBetween, hitsInTheLongRun, keptFor, ratesOf } from './hits.ts'

test('what is expected is what a cache has that is played through', () => {
  const rates = ratesOf({ rate: 50, pieces: 500, exponent: 1 })
  assert.ok(Math.abs(rates.reduce((sum, one) => sum + one, 0) - 50) < 1e-9)
  let seed = 7
  const random = () => {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
  }
  const [from, to] = [20, 200]
  let [hits, all] = [0, 0]
  for (let time = 0; time < 40; time += 1) {
    for (const rate of rates) {
      let until = 0
      for (let at = -Math.log(random()) / rate; at < to; at += -Math.log(random()) / rate) {
        const isHit = at < until
        if (!isHit) until = at + keptFor
        if (at < from) continue
        all += 1
        if (isHit) hits += 1
      }
    }
  }
  const expected = hitsBetween(rates, from, to)
  assert.ok(Math.abs(hits / all - expected) < 0.003, `${hits / all} against ${expected}`)
  assert.ok(Math.abs(hitsBetween(rates, 3_000, 6_000) - hitsInTheLongRun(rates)) < 0.001)
})

test('a thousand pieces of a hundred thousand can be had at 98 in a hundred from 3,000 readers a second', () => {
  const rates = ratesOf({ rate: 3_000, pieces: 100_000, exponent: 1 })
  assert.ok(hitsInTheLongRun(rates.slice(0, 1_000)) > 0.98)
  assert.ok(hitsInTheLongRun(ratesOf({ rate: 2_000, pieces: 100_000, exponent: 1 }).slice(0, 1_000)) < 0.98)
})
