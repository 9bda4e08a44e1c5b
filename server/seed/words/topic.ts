/** What one piece can be about. Phrases are separated by commas, words by spaces. */
export interface TopicSource {
  /** The first is the topic's own name. */
  tags: string
  /** Follow "about": pricing a second product. */
  pursuits: string
  /** Singular, with `the`. */
  matters: string
  /** Plural, without an article. */
  crowds: string
  things: string
  masses: string
  people: string
  acts: string
  adjectives: string
}
