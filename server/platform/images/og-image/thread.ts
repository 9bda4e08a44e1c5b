import satori from 'satori'
import { answerJobs } from '../../worker-pool.ts'
import { readPalette } from './palette.ts'
import { compose, type Poster, size } from './poster.ts'
import { readTypeface } from './typeface.ts'

const means = { face: readTypeface(), palette: readPalette() }

type Node = Parameters<typeof satori>[0]

/** As SVG, its letters as outlines. */
const drawn = (poster: Poster): Promise<string> =>
  satori(compose(poster, means) as unknown as Node, { ...size, fonts: means.face.fonts })

// The first takes some 400 ms more than those after it, which nobody's time is charged for.
await drawn({
  site: 'A',
  mark: null,
  kicker: 'a',
  title: 'A',
  titleTicked: true,
  text: 'a',
  foot: 'A',
  footTicked: true,
})
answerJobs(drawn)
