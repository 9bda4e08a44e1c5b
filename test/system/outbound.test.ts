import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createOutbound, usualLimits } from '../../server/platform/outbound/outbound.ts'
import type { Report, Watched } from '../netns/attempts.ts'
import { runInNamespace } from '../netns/namespace.ts'
import { bypassForms, forbiddenTargets, manners, outside, targetName, unreachable } from '../netns/zone.ts'

let report: Report
before(async () => {
  const attempts = fileURLToPath(new URL('../netns/attempts.ts', import.meta.url))
  report = JSON.parse(await runInNamespace(attempts, unreachable)) as Report
})

const kindsOf = ({ outcomes }: Watched): string[] => [...new Set(Object.values(outcomes).map(({ kind }) => kind))]
const reached = ({ connections }: Watched): string[] => [...new Set(connections.map(({ to }) => to))].sort()

function nobodyWasCalled(watched: Watched): void {
  assert.deepEqual(watched.connections, [])
  assert.equal(watched.begun, 0, 'the kernel began a connection')
}

test('a caller without a guard is seen inside the namespace, so that a hole would be', () => {
  assert.deepEqual(reached(report.holes), ['10.0.0.1 3128', '10.0.0.1 443', '127.0.0.1 443', '169.254.169.254 80'])
  assert.ok(report.holes.connections.every(({ bytes }) => bytes > 0))
  assert.equal(report.holes.begun, 4)
})

test('no spelling of a forbidden address passes the rules', (t) => {
  assert.ok(new Set(bypassForms).size >= 60 && new Set(bypassForms).size === bypassForms.length)
  const { check } = createOutbound({ ownHosts: ['standfirst.example'] })
  const passed = bypassForms.filter((text) => !('problem' in check(text)))
  assert.deepEqual(passed, [])
  t.diagnostic(`${bypassForms.length} forms`)
})

test('no spelling of a forbidden address is resolved or called', () => {
  assert.deepEqual(Object.keys(report.bypasses.outcomes), bypassForms)
  assert.deepEqual(kindsOf(report.bypasses), ['forbidden_url'])
  assert.deepEqual(report.bypasses.questions, [])
  nobodyWasCalled(report.bypasses)
})

test('no name that leads to a forbidden address is called', (t) => {
  assert.equal(Object.keys(report.targets.outcomes).length, forbiddenTargets.length)
  assert.deepEqual(kindsOf(report.targets), ['forbidden_address'])
  nobodyWasCalled(report.targets)
  const asked = forbiddenTargets.flatMap((_, place) => [`A ${targetName(place)}`, `AAAA ${targetName(place)}`])
  assert.deepEqual([...report.targets.questions].sort(), asked.sort())
  t.diagnostic(`${forbiddenTargets.length} addresses behind names`)
})

test('one forbidden address among several, in either family or behind an alias, is enough to refuse', () => {
  assert.deepEqual(kindsOf(report.tricks), ['forbidden_address'])
  nobodyWasCalled(report.tricks)
})

test('a refusal does not say which address our name servers gave', () => {
  for (const { message, address } of [
    ...Object.values(report.targets.outcomes),
    ...Object.values(report.tricks.outcomes),
  ]) {
    assert.equal(address, undefined)
    assert.doesNotMatch(message!, /\d/)
  }
})

test('a name that flips between public and private is called only on its public side, alone or in a crowd', () => {
  for (const watched of [report.flips, report.crowd]) {
    assert.deepEqual(kindsOf(watched).sort(), ['answered', 'forbidden_address'])
    const answered = Object.values(watched.outcomes).filter(({ kind }) => kind === 'answered')
    assert.equal(watched.begun, answered.length)
    assert.deepEqual(reached(watched), [`${outside.v4} 443`])
  }
})

test('a name is resolved once for a call: a second, private answer is never asked for', () => {
  assert.deepEqual(kindsOf(report.rebinding), ['answered'])
  assert.deepEqual([...report.rebinding.questions].sort(), ['A rebind.outside.example', 'AAAA rebind.outside.example'])
  assert.deepEqual(reached(report.rebinding), [`${outside.v4} 443`])
})

test('a public address of our own is not called', () => {
  assert.deepEqual(kindsOf(report.own), ['forbidden_address'])
  nobodyWasCalled(report.own)
})

test('a forbidden other end gets no byte, even if every look before missed it', () => {
  assert.deepEqual(kindsOf(report.peer), ['forbidden_address'])
  assert.deepEqual(report.peer.connections, [{ to: '127.0.0.1 443', bytes: 0 }])
})

test('a redirect is an answer, and nobody goes there', () => {
  const statuses = Object.values(report.redirects.outcomes).map(({ status }) => status)
  assert.deepEqual(statuses, [301, 302, 303, 307, 308, 200, 200])
  assert.equal(report.redirects.outcomes['https://good.outside.example/303']!.location, 'https://10.0.0.1/')
  assert.deepEqual(reached(report.redirects), [`${outside.v4} 443`])
  assert.equal(report.redirects.begun, 7)
})

test('a public name is called and answers, over either family', () => {
  const { outcomes } = report.answers
  assert.deepEqual(kindsOf(report.answers), ['answered'])
  const { ms: _, ...hello } = outcomes['hello']!
  assert.deepEqual(hello, { kind: 'answered', status: 200, head: 'hello', truncated: false, address: outside.v4 })
  assert.equal(outcomes['over IPv6']!.address, outside.v6)
  assert.equal(outcomes['no body']!.status, 204)
  assert.equal(outcomes['only the head']!.head, '')
  assert.equal(outcomes['first address dead']!.address, outside.v4)
  assert.equal(outcomes['one family unknown']!.address, outside.v4)
})

test('the request says the name it was given, to TLS and to HTTP, and only what was asked for', () => {
  const echo = report.answers.outcomes['echo']!
  assert.equal(echo.retryAfter, '120')
  assert.deepEqual(JSON.parse(Buffer.from(echo.head!, 'latin1').toString()), {
    method: 'POST',
    url: '/echo?a=b&c=%20',
    headers: {
      'content-type': 'application/json',
      host: 'good.outside.example',
      'accept-encoding': 'identity',
      connection: 'close',
      'content-length': '19',
    },
    count: 5,
    body: '{"title":"Grüße"}',
    tls: { name: 'good.outside.example', isReused: false },
  })
})

test('each call has a connection of its own, and none is left behind', () => {
  const { answers, left } = report
  assert.equal(answers.connections.length, Object.keys(answers.outcomes).length)
  assert.equal(JSON.parse(report.answers.outcomes['echo again']!.head!).tls.isReused, false)
  assert.equal(left, 0)
})

test('a proxy of the environment is not used', () => {
  const { holes, ...guarded } = report
  assert.ok(reached(holes).includes('10.0.0.1 3128'), 'the environment names one')
  for (const watched of Object.values(guarded)) {
    if (typeof watched !== 'number') assert.ok(!reached(watched).includes('10.0.0.1 3128'))
  }
})

test('at most 64 KiB of an answer are read, and 1 KiB is kept', () => {
  const endless = troubled('/endless')
  assert.deepEqual([endless.status, endless.truncated, endless.head!.length], [200, true, 1_024])
  assert.equal(report.answers.outcomes['much kept']!.head!.length, 65_536)
  const chunks = troubled('/endless-chunks')
  assert.ok(chunks.truncated && chunks.head!.length < 100, 'framing counts')
})

test('a compressed answer stays compressed', () => {
  const { head, truncated } = troubled('/bomb')
  assert.equal(truncated, false)
  assert.ok(head!.startsWith('\u001f\u008b') && head!.length === 1_024)
})

test('early hints are read past, up to the limit', () => {
  assert.equal(troubled('/thousand-hints').head, 'hello')
  assert.equal(troubled('/endless-hints').kind, 'too_many_headers')
})

test('every trouble of a server has its kind', () => {
  const expected = {
    too_many_headers: ['/endless-headers', '/endless-trailers', '/big-header', '/endless-hints'],
    reset: ['/reset', '/short', '/hang-up'],
    protocol: ['/garbage', '/upgrade', '/two-lengths'],
  }
  for (const [kind, paths] of Object.entries(expected)) {
    for (const path of paths) assert.equal(troubled(path).kind, kind, path)
  }
  assert.equal(troubled('/gone').status, 410)
})

test('every trouble on the way has its kind', () => {
  const expected = {
    dns: ['nowhere', 'empty', 'broken'],
    connect: ['dead'],
    tls: ['untrusted', 'plain'],
  }
  for (const [kind, labels] of Object.entries(expected)) {
    for (const label of labels)
      assert.equal(report.troubles.outcomes[`https://${label}.outside.example/`]!.kind, kind, label)
  }
  const wrongName = report.troubles.outcomes['https://good.elsewhere.example/']!
  assert.match(wrongName.message!, /ERR_TLS_CERT_ALTNAME_INVALID/)
  // Which error it is depends on whether the reset or our write comes first.
  assert.ok(['connect', 'tls'].includes(report.troubles.outcomes['https://reset.outside.example/']!.kind))
})

test('each limit of time holds: names, connection, the whole', () => {
  assert.deepEqual(usualLimits, { dns: 2_000, connect: 5_000, whole: 15_000, answer: 65_536, keep: 1_024 })
  assert.deepEqual(kindsOf(report.waits), ['timeout'])
  const [names, connection, ...answers] = Object.values(report.waits.outcomes).map(({ message }) => message!)
  assert.match(names!, /^The name servers of mute\.outside\.example didn’t respond in time/)
  // On a busy machine the total timeout may end before a connection is open.
  const beforeAnswer = /^The server didn’t (?:accept the connection|complete the TLS handshake) in time/
  assert.match(connection!, beforeAnswer)
  assert.equal(answers.length, 3)
  for (const message of answers)
    assert.match(message, new RegExp(`${beforeAnswer.source}|^The server didn’t finish its response in time`))
})

test('names that are slow leave the rest of the time for the connection and the answer', () => {
  const [late] = Object.values(report.late.outcomes)
  assert.equal(late!.kind, 'timeout')
  assert.match(late!.message!, /^The server didn’t .* in time/)
})

test('a header that would split the request is a fault of ours, not of the server', () => {
  assert.match(Object.values(report.misuse.outcomes)[0]!.kind, /ERR_INVALID_CHAR/)
})

test('the allow list lifts the rules for exactly its pairs', () => {
  const kinds = Object.values(report.allowed.outcomes).map(({ kind }) => kind)
  assert.deepEqual(kinds, ['answered', 'answered', 'answered', 'forbidden_url', 'forbidden_url'])
  assert.deepEqual(reached(report.allowed), ['127.0.0.1 8080', '::1 8080'])
  assert.equal(report.allowed.begun, 3)
})

test('in all guarded calls without an allow list, only public addresses were reached', (t) => {
  const { holes, peer, allowed, left, ...guarded } = report
  const all = Object.values(guarded).flatMap(({ connections }) => connections.map(({ to }) => to))
  const unexpected = all.filter((to) => !Object.keys(manners).some((address) => to === `${address} 443`))
  assert.deepEqual(unexpected, [])
  const begun = Object.values(guarded).reduce((sum, watched) => sum + watched.begun, 0)
  assert.equal(all.length, begun, 'the kernel began what the receiver did not see')
  t.diagnostic(`${all.length} connections, all to public addresses`)
})

function troubled(path: string) {
  return report.troubles.outcomes[`https://good.outside.example${path}`]!
}
