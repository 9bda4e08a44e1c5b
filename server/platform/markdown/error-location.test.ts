import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longestBlockLocation } from './limits.ts'

test('the longest part is named by what it is and where it begins', () => {
  const long = 'word '.repeat(50)
  const cases: [source: string, place: string][] = [
    [long, 'the paragraph that begins at line 1'],
    [`a\n\n\n${long}\n${long}\n\nb`, 'the paragraph that begins at line 4'],
    [`a\r\n\r\n- ${long}\r\n\r\nb`, 'the list that begins at line 3'],
    [`# a\n\n> ${long}`, 'the quote that begins at line 3'],
    [`a\n\n| ${long} |\n|---|\n`, 'the table that begins at line 3'],
    [`a\n\`\`\`js\n${long}\n\n${long}\n\`\`\`\n${long}`, 'the code block that begins at line 2'],
    [`~~~\n${long}\n\n\`\`\`\n${long}`, 'the code block that begins at line 1'],
    ['', 'the block that begins at line 1'],
  ]
  for (const [source, place] of cases) assert.equal(longestBlockLocation(source), place, JSON.stringify(source))
})
