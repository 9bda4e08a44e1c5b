import satori from 'satori'
import { answerJobs } from '../../worker-pool.ts'
import { compose, type OgImageContent, readPalette, size } from './poster.ts'
import { readTypeface } from './typeface.ts'

const resources = { face: readTypeface(), palette: readPalette() }

type Node = Parameters<typeof satori>[0]

/** As SVG with text as outlines. */
const drawn = (poster: OgImageContent): Promise<string> =>
  satori(compose(poster, resources) as unknown as Node, { ...size, fonts: resources.face.fonts })

// Warm-up: the first drawing takes about 400 ms longer, which no request should wait for.
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
