import { startText } from '../text-shaping/fonts.ts'
import { hanLanguageOf, shapeLine } from '../text-shaping/shape.ts'
import { answerJobs } from '../worker-pool.ts'
import { type FittedText, fitText } from './fit.ts'
import { isRightToLeft } from './line.ts'
import type { ShapingJob } from './shaper.ts'

/** More combining marks on one character would leave the badge. */
const manyMarks = /(\p{M}{3})\p{M}+/gu

answerJobs(({ text, language }: ShapingJob): FittedText => {
  startText()
  const style = { weight: 600, han: hanLanguageOf(text, language), rightToLeft: isRightToLeft(text) } as const
  return fitText(text.replace(manyMarks, '$1'), (line) => shapeLine(line, style))
})
