import { parentPort } from 'node:worker_threads'
import satori from 'satori'
import { readPalette } from './palette.ts'
import { compose, type Poster, size } from './poster.ts'
import { readTypeface } from './typeface.ts'

/** Answers as `openThreads` understands it: a layout takes more than one turn, and `answerJobs` is for work of one. */

const port = parentPort!
const means = { face: readTypeface(), palette: readPalette() }

type Node = Parameters<typeof satori>[0]

/** As SVG, its letters as outlines. */
const drawn = (poster: Poster): Promise<string> =>
  satori(compose(poster, means) as unknown as Node, { ...size, fonts: means.face.fonts })

port.on('message', (poster: Poster) =>
  drawn(poster).then(
    (result) => port.postMessage({ result }),
    (error) => port.postMessage({ error }),
  ),
)

// The first takes some 400 ms more than those after it, which nobody's time is charged for.
await drawn({
  house: 'A',
  mark: null,
  kicker: 'a',
  title: 'A',
  titleTicked: true,
  text: 'a',
  foot: 'A',
  footTicked: true,
})
port.postMessage('ready')
