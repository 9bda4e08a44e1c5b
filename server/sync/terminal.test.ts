import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screenOn } from './terminal.ts'

/** What a writer sees while files are on their way. */

function paper(isTTY: boolean) {
  let text = ''
  const out = { isTTY, columns: 30, write: (some: string) => (text += some) }
  return { screen: screenOn(out), shown: () => text }
}

test('a terminal has one line that is written over, as wide as it is, and the summary alone stays', () => {
  const { screen, shown } = paper(true)
  screen.step(1, 1200, 'posts/a.md')
  screen.event('made  posts/a.md')
  screen.step(2, 1200, `posts/${'long'.repeat(20)}.md`)
  screen.waiting(12, 'too many requests')
  screen.say('2 made.')
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
  screenOn(out).step(1, 1, 'a'.repeat(200))
  assert.equal([...text.replace('\r\u001b[2K', '')].length, 79)
})

test('elsewhere there are plain lines for what happened, and none for how far it is', () => {
  const { screen, shown } = paper(false)
  screen.step(1, 2, 'a.md')
  screen.event('made  a.md')
  screen.waiting(12, 'too many\nrequests')
  screen.say('1 made.')
  assert.equal(shown(), 'made  a.md\nWaiting 12 s: too many requests\n1 made.\n')
})
