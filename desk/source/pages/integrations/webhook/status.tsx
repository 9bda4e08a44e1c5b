import type { DeliveryState, Webhook } from '../../../api/webhook.ts'
import { momentOf } from './dates.ts'
import { Mark } from './icons.tsx'
import styles from './webhook.module.css'

interface Look {
  /** The delivery whose shape and hue it has. */
  readonly like: DeliveryState
  readonly word: string
  /** What happened, then what to do. */
  readonly words: string
}

/** How a webhook is, in a word, a shape and a sentence or two. */
export function Standing({ webhook }: { readonly webhook: Webhook }) {
  const { like, word, words } = lookOf(webhook)
  return (
    <div className={styles.standing}>
      <Mark of={like} word={word} />
      <p className={styles.words}>{words}</p>
    </div>
  )
}

function lookOf(webhook: Webhook): Look {
  const { held } = webhook.deliveries
  const waiting = held === 0 ? '' : held === 1 ? ' One piece is held now.' : ` ${held} pieces are held now.`
  switch (webhook.state) {
    case 'unproven':
      return {
        like: 'pending',
        word: 'Not live yet',
        words: webhook.live_since
          ? `It is live again as soon as this address answers a test, or paused if you had paused it. What you publish until then is held for it.${waiting}`
          : 'It is live as soon as it answers a test. From then on each new piece of yours is sent there.',
      }
    case 'paused':
      return {
        like: 'held',
        word: 'Paused',
        words: `What you publish is held, and sent when you resume.${waiting}`,
      }
    case 'disabled':
      return { like: 'exhausted', word: 'Stopped', words: `${stoppedFor(webhook)}${waiting}` }
    case 'live':
      return liveLook(webhook)
  }
}

const stoppedFor = ({ disabled_for: why }: Webhook): string =>
  why === 'gone'
    ? 'Its server answered 410, which means: send no more. Should it go on, send a test: when it answers, it is live again. What you publish until then is held for 30 days, for you to resend.'
    : 'For five days every attempt failed, so we stopped. Mend the address, then send a test: when it answers, it is live again. What you publish until then is held for 30 days, for you to resend.'

function liveLook({ failures, rests_until: rest, deliveries: { held } }: Webhook): Look {
  if (rest) {
    return {
      like: 'exhausted',
      word: 'Failing',
      words: `It failed ${failures} times in a row. So as not to add to its trouble, we try once a minute until it answers, next ${momentOf(rest)}. Nothing is lost: look at the last deliveries to see what is wrong.`,
    }
  }
  if (failures > 0) {
    const last = failures === 1 ? 'The last attempt' : `The last ${failures} attempts`
    return {
      like: 'pending',
      word: 'Live, with trouble',
      words: `${last} failed. Each piece is tried ten times in three days, so nothing is lost; look at the last deliveries to see what is wrong.`,
    }
  }
  const left = held === 1 ? 'one piece was held. Resend it' : `${held} pieces were held. Resend them`
  return {
    like: 'delivered',
    word: 'Live',
    words:
      held > 0
        ? `Each new piece of yours is sent there. While it was stopped, ${left} from the list of deliveries.`
        : 'Each new piece of yours is sent there the moment it is public.',
  }
}
