import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'

/** Section 8 (the limits of reads), and what docs/adr says of `limit`, `category` and `q`. */

const { admin, ask } = await testSite()

interface Problem {
  readonly pointer: string
  readonly code: string
  readonly detail: string
  readonly limit?: number
  readonly actual?: number
}
interface Refusal {
  readonly ok: boolean
  readonly reason: string
  readonly errors: readonly Problem[]
}

/** The one problem of a request that is refused with 400. */
async function refused(address: string): Promise<Problem> {
  const answer = await ask(address)
  assert.equal(answer.statusCode, 400, `${address} answered ${answer.statusCode}`)
  const { ok, reason, errors } = answer.json<Refusal>()
  assert.deepEqual({ ok, reason }, { ok: false, reason: 'validation_failed' })
  assert.equal(errors.length, 1, JSON.stringify(errors))
  return errors[0]!
}
const count = async (address: string) => {
  const body = (await ask(address)).json<{ count: number; items?: unknown[]; results?: unknown[] }>()
  assert.equal(body.count, (body.items ?? body.results)!.length)
  return body.count
}

before(async () => {
  const writer = await makeWriter(admin, { niche: 'plenty' })
  for (let piece = 0; piece < 101; piece += 1) await makePiece(admin, writer, { headline: 'plenty' })
  for (let more = 0; more < 50; more += 1) await makeWriter(admin, { niche: 'plenty' })
})

for (const [name, address, most, usual] of [
  ['authors/search', '/api/public/authors/search?q=plenty', 50, 10],
  ['pieces/recent', '/api/public/pieces/recent?', 100, 20],
  ['pieces/search', '/api/public/pieces/search?q=plenty', 100, 20],
] as const) {
  describe(`8 ${name} limit`, () => {
    const namesRange = ({ detail }: Problem) => assert.match(detail, new RegExp(`\\b1\\b.*\\b${most}\\b`))

    test(`left out is ${usual}`, async () => {
      assert.equal(await count(address), usual)
    })

    for (const limit of [1, 2, most - 1, most]) {
      test(`${limit} gives ${limit}`, async () => {
        assert.equal(await count(`${address}&limit=${limit}`), limit)
      })
    }

    for (const [limit, bound] of [
      ['0', 1],
      [String(most + 1), most],
      ['999', most],
      ['1000', most],
      ['-1', 1],
      ['99999999999999999999', most],
    ] as const) {
      test(`${limit} is 400, out of the range 1 to ${most}, which is named`, async () => {
        const problem = await refused(`${address}&limit=${limit}`)
        assert.deepEqual([problem.pointer, problem.code], ['/limit', 'out_of_range'])
        assert.equal(problem.limit, bound)
        namesRange(problem)
      })
    }

    for (const limit of [
      'five',
      '1.5',
      '5.0',
      '1e1',
      '0x10',
      '%2B5',
      '+5',
      '%205',
      '5%20',
      '5%00',
      '%D9%A3',
      'NaN',
      'null',
    ]) {
      test(`${limit} is 400, not an integer, with the range`, async () => {
        const problem = await refused(`${address}&limit=${limit}`)
        assert.deepEqual([problem.pointer, problem.code], ['/limit', 'not_integer'])
        namesRange(problem)
      })
    }

    test('empty is 400, with the range', async () => {
      const problem = await refused(`${address}&limit=`)
      assert.equal(problem.pointer, '/limit')
      namesRange(problem)
    })

    test('given twice is 400, with the range, even where both say the same', async () => {
      const problem = await refused(`${address}&limit=5&limit=5`)
      assert.deepEqual([problem.pointer, problem.code], ['/limit', 'repeated'])
      namesRange(problem)
    })
  })
}

describe('category', () => {
  const lists = ['/api/public/pieces/recent?', '/api/public/pieces/search?q=plenty&']
  for (const address of lists) {
    for (const category of ['building', 'leading', 'culture', 'money', 'life', 'civic', 'ideas', 'society']) {
      test(`4.2 ${address.split('?')[0]} takes ${category}`, async () => {
        const answer = await ask(`${address}category=${category}`)
        assert.equal(answer.statusCode, 200)
        assert.equal(answer.json().category, category)
      })
    }
    for (const category of ['sport', 'Life', '', 'life%20', '__proto__', 'constructor', 'life,money']) {
      test(`${address.split('?')[0]} refuses the category "${category}"`, async () => {
        const problem = await refused(`${address}category=${category}`)
        assert.deepEqual([problem.pointer, problem.code], ['/category', 'unknown_value'])
      })
    }
    test(`${address.split('?')[0]} refuses two categories`, async () => {
      assert.deepEqual((await refused(`${address}category=life&category=life`)).pointer, '/category')
    })
  }
})

for (const address of ['/api/public/authors/search', '/api/public/pieces/search']) {
  describe(`q of ${address}`, () => {
    const query = async (q: string) =>
      (await ask(`${address}?q=${encodeURIComponent(q)}`)).json<{ query: string }>().query

    test('is trimmed, and answered as it was searched for', async () => {
      assert.equal(await query('  plenty \n'), 'plenty')
      assert.ok((await count(`${address}?q=${encodeURIComponent('  plenty \t')}`)) > 0)
    })
    test('is brought into NFC', async () => {
      assert.equal(await query('Cafe\u0301'), 'Caf\u00e9')
    })
    test('of 1 and of 200 characters is taken', async () => {
      assert.equal(await query('p'), 'p')
      assert.equal(await query('p'.repeat(200)), 'p'.repeat(200))
    })
    test('of 201 characters is 400 and says how many there may be', async () => {
      const { pointer, code, limit, actual } = await refused(`${address}?q=${'p'.repeat(201)}`)
      assert.deepEqual({ pointer, code, limit, actual }, { pointer: '/q', code: 'too_long', limit: 200, actual: 201 })
    })
    test('is measured in code points, after NFC and trimming', async () => {
      assert.equal(await query('😀'.repeat(200)), '😀'.repeat(200))
      assert.equal((await refused(`${address}?q=${encodeURIComponent('😀'.repeat(201))}`)).code, 'too_long')
      assert.equal([...(await query('e\u0301'.repeat(200)))].length, 200)
      assert.equal((await query(` ${'p'.repeat(200)} `)).length, 200)
    })
    for (const [what, q] of [
      ['empty', ''],
      ['of spaces', '%20%20'],
      ['of a zero-width space', '%E2%80%8B'],
      ['of a NUL', '%00'],
    ] as const) {
      test(`${what} is 400`, async () => {
        const { pointer, code } = await refused(`${address}?q=${q}`)
        assert.deepEqual([pointer, code], ['/q', 'empty'])
      })
    }
    test('given twice is 400', async () => {
      const { pointer, code } = await refused(`${address}?q=a&q=b`)
      assert.deepEqual([pointer, code], ['/q', 'repeated'])
    })
  })
}

test('every wrong parameter is named at once', async () => {
  const { errors } = (await ask('/api/public/pieces/search?q=&limit=0&category=sport&cursor=!')).json<Refusal>()
  assert.deepEqual(errors.map(({ pointer }) => pointer).sort(), ['/category', '/cursor', '/limit', '/q'])
})

test('a parameter nobody documented is ignored', async () => {
  assert.equal((await ask('/api/public/pieces/recent?utm_source=mail&status=draft')).statusCode, 200)
})
