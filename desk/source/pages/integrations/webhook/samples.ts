import ruby from '../../../../../server/features/webhooks/samples/config.ru?raw'
import python from '../../../../../server/features/webhooks/samples/receiver.py?raw'
import javascript from '../../../../../server/features/webhooks/samples/sdk.mjs?raw'
import php from '../../../../../server/features/webhooks/samples/webhook.php?raw'

/** Whole receivers, the same as in the guide, where a test runs each. */
export const samples = [
  { value: 'javascript', words: 'JavaScript', text: javascript },
  { value: 'python', words: 'Python', text: python },
  { value: 'ruby', words: 'Ruby', text: ruby },
  { value: 'php', words: 'PHP', text: php },
] as const

export type Language = (typeof samples)[number]['value']
