import { answerJobs } from '../../worker-pool.ts'
import { compose, type OgImageContent, readPalette } from './poster.ts'

const palette = readPalette()
const drawn = (poster: OgImageContent): string => compose(poster, palette)

// Warm-up: the first drawing reads the fonts of Latin, which no request should wait for.
drawn({
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
