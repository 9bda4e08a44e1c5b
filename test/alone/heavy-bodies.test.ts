import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { largestPiece } from '../../server/platform/http/revisions.ts'
import { slowness } from '../machine.ts'
import { nastyHouse } from '../nasty-house.ts'
import { pieces } from '../writing.ts'

/** How much work a large and wrong body makes, measured while nothing else runs. */

const { app, key, writer } = await nastyHouse()

/** As much of this as a body may hold, in place of the `@`. */
const filled = (frame: string, unit: string, limit = largestPiece) =>
  frame.replace('@', unit.repeat(Math.floor((limit - frame.length) / Buffer.byteLength(unit))))
const inPiece = (member: string) => `{"headline":"a","body_md":"b",${member}}`

/** Bodies that are large and wrong, by what is wrong with them. */
const heavy: Record<string, string> = {
  'wrong tags': filled(inPiece('"tags":[@1]'), '1,'),
  'wrong tags in a tag': filled(inPiece('"tags":[[@1]]'), '1,'),
  'lists in a member that is not ours': filled(inPiece('"x":{"y":[@1]}'), '[],'),
  'objects beside a name that is looked for in each': filled(inPiece('"constructor":1,"x":[@1]'), '{},'),
  'members that are not ours': `{${Array.from({ length: 110_000 }, (_, number) => `"${number}":1`).join()}}`,
  'a list for a body': filled('[@1]', '1,'),
  'as many tags as are read, each too long and with NUL': inPiece(
    `"tags":[${Array(4_990)
      .fill(`"${'x'.repeat(250)}\\u0000"`)
      .join()}]`,
  ),
  'a headline of spaces': filled('{"headline":"@","body_md":"b"}', ' '),
  'a headline of emoji': filled('{"headline":"@","body_md":"b"}', '😀'),
  'a body of nothing to see': filled('{"headline":"a","body_md":"@"}', '\u{e0041}'),
  'a body of NUL': filled('{"headline":"a","body_md":"@"}', '\\u0000'),
  'an address without end': filled(inPiece('"external_url":"http://@ "'), 'a.'),
}

/** Milliseconds of work, the least of ten tries at most: the compiler is still at it, and the machine may be busy too. */
async function workOf(ask: () => Promise<{ statusCode: number; body: string }>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 10 && least >= mostWork; tries += 1) {
    const before = process.cpuUsage()
    const { statusCode, body } = await ask()
    const { user, system } = process.cpuUsage(before)
    if (statusCode === 503 && tries < 9) {
      await pause(500)
      continue
    }
    assert.equal(statusCode, 400, body.slice(0, 200))
    assert.match(body, /"detail":"[^"]+"/)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
const mostWork = 50 * slowness()

for (const [what, payload] of Object.entries(heavy)) {
  test(`a body full of ${what} is refused within 50 ms of work, by key and at the desk`, async () => {
    assert.ok(Buffer.byteLength(payload) <= largestPiece)
    const desk = { cookie: `__Host-desk=${writer.sessionToken}`, 'sec-fetch-site': 'same-origin' }
    for (const [url, credential] of [
      [pieces, { authorization: `Bearer ${key}` }],
      ['/desk/api/pieces', desk],
    ] as const) {
      const headers = { ...credential, 'content-type': 'application/json' }
      const ms = await workOf(() => app.inject({ method: 'POST', url, headers, payload }))
      assert.ok(ms < mostWork, `${url}: ${ms} ms`)
    }
  })
}
