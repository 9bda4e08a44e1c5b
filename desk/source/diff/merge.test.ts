import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { commonText, mergeTexts } from './merge.ts'
import { joinSplit, splitLines, splitSentences } from './split.ts'

const pairs = 5100

/** The same sequence in every run. */
function randomNumbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const syllables = ['ka', 'lo', 'mi', 'tü', 'ren', 'so', 'vi', '茶', 'the', 'ba']
const words = syllables.flatMap((one) => syllables.flatMap((two) => syllables.map((three) => one + two + three)))
const breaks = ['\n\n', '\n', '\r\n\r\n', '\n\n\n', '\n \n', '\r\n']

function writerOf(seed: number) {
  const random = randomNumbers(seed)
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!
  let made = 0
  /** Each has a number of its own, so that a lost one is noticed. */
  const sentence = () => {
    made += 1
    return `${Array.from({ length: 2 + random(6) }, () => pick(words)).join(' ')} ${made}${pick(['.', '?', '.”'])}`
  }
  const paragraph = () =>
    pick(['', '', '- ', '# ', '> ', '  ']) + Array.from({ length: 1 + random(4) }, sentence).join(' ')
  return { random, pick, sentence, paragraph }
}
type RandomWriter = ReturnType<typeof writerOf>

/** What one side does with a paragraph: the lines that replace it. */
const edits: ((line: string, writer: RandomWriter) => string[])[] = [
  (line, { sentence }) => [`${line} ${sentence()}`],
  (line, { sentence }) => [`${sentence()} ${line}`],
  (line) => [line.replace(/\d+/, (number) => `${number}000`)],
  (line, { random }) => [`${line.slice(0, random(line.length))}¶${line.slice(random(line.length) + 1)}`],
  (_line, { paragraph }) => [paragraph()],
  () => [],
  (line, { paragraph }) => [line, paragraph()],
  (line, { sentence }) => [line.replace(/ (?=\S+$)/, '\u2029').split('\u2029')[0]!, sentence()],
]

interface Text {
  readonly lines: readonly string[][]
  readonly gaps: readonly string[]
}
/** The edited paragraphs; a paragraph that is gone leaves with its gap, a new one brings its own. */
const textOf = ({ lines, gaps }: Text): string => {
  let text = ''
  let gap = ''
  lines.forEach((group, place) => {
    for (const line of group) {
      text += gap + line
      gap = '\n\n'
    }
    if (group.length > 0) gap = gaps[place]!
  })
  return text
}

describe('edits of different paragraphs', () => {
  test(`of ${pairs.toLocaleString('en')} random pairs, none is lost, none is asked about, and the rest stays byte for byte`, () => {
    for (let round = 0; round < pairs; round += 1) {
      const writer = writerOf(round)
      const { random, pick, paragraph } = writer
      const lines = Array.from({ length: 2 + random(9) }, paragraph)
      const gaps = lines.map(() => pick(breaks))
      const owner = lines.map(() => pick(['nobody', 'nobody', 'ours', 'theirs'] as const))
      owner[random(lines.length)] = 'ours'
      const changed = lines.map((line) => pick(edits)(line, writer))
      const side = (...sides: string[]) =>
        textOf({ gaps, lines: lines.map((line, place) => (sides.includes(owner[place]!) ? changed[place]! : [line])) })
      const [base, ours, theirs] = [side(), side('ours'), side('theirs')]
      const expected = side('ours', 'theirs')
      const { text, conflicts } = mergeTexts(base, ours, theirs, 'ours')
      assert.equal(conflicts, 0, JSON.stringify({ round, base, ours, theirs }))
      assert.deepEqual(
        splitLines(text).units,
        splitLines(expected).units,
        JSON.stringify({ round, base, ours, theirs }),
      )
      if (!changed.some((group, place) => owner[place] !== 'nobody' && group.length !== 1)) {
        assert.equal(text, expected, `${round}: line breaks`)
      }
    }
  })
})

describe('edits anywhere', () => {
  test(`of ${pairs / 5} random pairs, no sentence is invented, and none is lost without asking`, () => {
    for (let round = 0; round < pairs / 5; round += 1) {
      const writer = writerOf(pairs + round)
      const lines = Array.from({ length: 1 + writer.random(6) }, writer.paragraph)
      const gaps = lines.map(() => writer.pick(breaks))
      const side = () =>
        textOf({
          gaps,
          lines: lines.map((line) => (writer.random(3) === 0 ? writer.pick(edits)(line, writer) : [line])),
        })
      const [base, ours, theirs] = [textOf({ gaps, lines: lines.map((line) => [line]) }), side(), side()]
      const sentences = (text: string) => splitLines(text).units.flatMap((line) => splitSentences(line).units)
      const [before, mine, other] = [base, ours, theirs].map((text) => new Set(sentences(text))) as [
        Set<string>,
        Set<string>,
        Set<string>,
      ]
      for (const resolution of ['ours', 'theirs', 'both'] as const) {
        const { text, conflicts } = mergeTexts(base, ours, theirs, resolution)
        const merged = new Set(sentences(text))
        const about = `in round ${round}, ${resolution}`
        for (const one of merged) assert.ok(mine.has(one) || other.has(one), `invented: ${one} ${about}`)
        for (const one of mine) {
          const isKept =
            merged.has(one) || (before.has(one) && !other.has(one)) || (conflicts > 0 && resolution === 'theirs')
          assert.ok(isKept, `lost: ${one} ${about}`)
        }
        for (const one of other) {
          const isKept =
            merged.has(one) || (before.has(one) && !mine.has(one)) || (conflicts > 0 && resolution === 'ours')
          assert.ok(isKept, `lost: ${one} ${about}`)
        }
      }
    }
  })
})

describe('inside one paragraph', () => {
  const base = 'Tea is slow. It takes four minutes. Then drink.'
  test('edits of different sentences are merged', () => {
    const merged = mergeTexts(base, base.replace('four', 'five'), base.replace('Then', 'Now'), 'ours')
    assert.deepEqual(merged, { text: 'Tea is slow. It takes five minutes. Now drink.', conflicts: 0 })
  })

  test('edits of the same sentence are a conflict, and only that sentence is', () => {
    const [ours, theirs] = [base.replace('four', 'five'), base.replace('four', 'six').replace('Then', 'Now')]
    const result = (resolution: 'ours' | 'theirs' | 'both') => mergeTexts(base, ours, theirs, resolution)
    assert.deepEqual(result('ours'), { text: 'Tea is slow. It takes five minutes. Now drink.', conflicts: 1 })
    assert.deepEqual(result('theirs').text, 'Tea is slow. It takes six minutes. Now drink.')
    assert.deepEqual(result('both').text, 'Tea is slow. It takes five minutes. It takes six minutes. Now drink.')
  })

  test('a paragraph that was divided keeps a change in its first half', () => {
    const ours = base.replace(' Then', '\n\nThen')
    assert.deepEqual(mergeTexts(base, ours, base.replace('slow', 'fast'), 'ours'), {
      text: 'Tea is fast. It takes four minutes.\n\nThen drink.',
      conflicts: 0,
    })
  })
})

describe('in the same place', () => {
  test('the same new paragraph is there once', () => {
    assert.deepEqual(mergeTexts('A.\n', 'A.\n\nB.\n', 'A.\n\nB.\n\nC.\n', 'ours').conflicts, 1)
    assert.deepEqual(mergeTexts('A cup.\n', 'A big cup.\n\nB.\n', 'A cup.\n\nB.\n', 'ours'), {
      text: 'A big cup.\n\nB.\n',
      conflicts: 0,
    })
  })

  test('a new paragraph after one that was written again by the other side, with another after it, is a conflict', () => {
    assert.equal(mergeTexts('A.\n', 'Tea.\n\nB.\n', 'A.\n\nB.\n', 'ours').conflicts, 1)
  })

  test('two different new paragraphs are a conflict; both means one after the other', () => {
    assert.deepEqual(mergeTexts('A.', 'A.\n\nB.', 'A.\n\nC.', 'both'), { text: 'A.\n\nB.\n\nC.', conflicts: 1 })
  })

  test('one deletes what the other changed: a conflict', () => {
    assert.deepEqual(mergeTexts('A.\n\nB one.\n\nC.', 'A.\n\nC.', 'A.\n\nB two.\n\nC.', 'theirs'), {
      text: 'A.\n\nB two.\n\nC.',
      conflicts: 1,
    })
  })

  test('both versions of a heading are two lines', () => {
    assert.equal(mergeTexts('# Tea', '# Green tea', '# Black tea', 'both').text, '# Green tea\n\n# Black tea')
  })
})

test('texts without a common beginning are merged by what they share', () => {
  const [ours, theirs] = ['One.\n\nMine.\n\nThree.', 'One.\n\nThree.\n\nTheirs.']
  assert.equal(mergeTexts(commonText(ours, theirs), ours, theirs, 'both').text, 'One.\n\nMine.\n\nThree.\n\nTheirs.')
})

test('a text split into lines or sentences is the same text when joined', () => {
  const { random, pick } = writerOf(1)
  const characters = [...'ab .!?。」”)\n\r\t', '…', '\r\n', ' ', '¿', 'é']
  for (let round = 0; round < 2000; round += 1) {
    const text = Array.from({ length: random(30) }, () => pick(characters)).join('')
    assert.equal(joinSplit(splitLines(text)), text)
    assert.equal(joinSplit(splitSentences(text)), text)
    assert.ok([...splitLines(text).gaps, ...splitSentences(text).gaps].every((gap) => gap.trim() === ''))
  }
  assert.deepEqual(splitSentences('“Yes.” He left. 茶。水！End').units, ['“Yes.”', 'He left.', '茶。', '水！', 'End'])
})
