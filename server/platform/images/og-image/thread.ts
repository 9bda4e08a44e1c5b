import { answerJobs } from '../../worker-pool.ts'
import { type ComposedImage, compose, type OgImageContent, readPalette } from './poster.ts'

const palette = readPalette()
const drawn = (poster: OgImageContent): ComposedImage => compose(poster, palette)

// Warm-up: the first drawing reads the fonts of Latin, which no request should wait for.
drawn({
  picture: null,
  art: { hue: 0, seed: '000000000000', initials: 'A' },
  portrait: null,
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
