import assert from 'node:assert/strict'
import { test } from 'node:test'
import { terminalOn } from './terminal.ts'

/** The output a writer sees while files are sent. */

function paper(isTTY: boolean) {
  let text = ''
  const out = { isTTY, columns: 30, write: (some: string) => (text += some) }
  return { terminal: terminalOn(out), shown: () => text }
}

test('a terminal has one line that is written over, as wide as it is, and the summary alone stays', () => {
  const { terminal, shown } = paper(true)
  terminal.step(1, 1200, 'posts/a.md')
  terminal.event('made  posts/a.md')
  terminal.step(2, 1200, `posts/${'long'.repeat(20)}.md`)
  terminal.waiting(12, 'too many requests')
  terminal.say('2 made.')
  assert.deepEqual(shown().split('\r\u001b[2K').slice(1), [
    '1 of 1,200  posts/a.md',
    '2 of 1,200  posts/longlonglo…',
    'Waiting 12 s: too many reque…',
    '2 made.\n',
  ])
})

test('a terminal that does not know how wide it is has eighty columns', () => {
  let text = ''
  const out = { isTTY: true, columns: 0, write: (some: string) => (text += some) }
  terminalOn(out).step(1, 1, 'a'.repeat(200))
  assert.equal([...text.replace('\r\u001b[2K', '')].length, 79)
})

test('elsewhere there are plain lines for what happened, and none for how far it is', () => {
  const { terminal, shown } = paper(false)
  terminal.step(1, 2, 'a.md')
  terminal.event('made  a.md')
  terminal.waiting(12, 'too many\nrequests')
  terminal.say('1 made.')
  assert.equal(shown(), 'made  a.md\nWaiting 12 s: too many requests\n1 made.\n')
})
