import type { Pulled } from './pull.ts'
import type { Pushed } from './push.ts'
import { counted, lineOf, nameOf, plural, type Screen } from './terminal.ts'

/** What happened, then what to do. */

/** More lines than a terminal has help nobody; the exit code and the next run say the rest. */
const mostNamed = 50

export function sayPushed(screen: Screen, pushed: Pushed, base: string, dryRun: boolean): void {
  const { done, failed, ignored, leftOut, stopped, files } = pushed
  sayFailed(screen, failed)
  for (const { path, why } of leftOut.slice(0, mostNamed)) screen.say(`Left out: ${nameOf(path)} ${why}.`)
  for (const [name, count] of ignored)
    screen.say(`Not sent: ${lineOf(name)}, in ${plural(count, 'file')}${whyNot(name)}.`)
  if (stopped) screen.say(lineOf(stopped))
  const would = dryRun ? 'Would be: ' : ''
  const missed = files - failed.length - done.made - done.changed - done.unchanged
  screen.say(
    `${would}${counted(done.made)} made, ${counted(done.changed)} changed, ${counted(done.unchanged)} unchanged, ` +
      `${counted(failed.length)} could not${missed > 0 ? `, ${counted(missed)} not reached` : ''}.`,
  )
  if (!dryRun && done.made + done.changed > 0) screen.say(`They are drafts. Read and publish them at ${base}/desk.`)
}

const whyNot = (name: string): string => {
  if (name === 'slug' || name === 'permalink') return ': the site makes addresses itself'
  if (name === 'draft' || name === 'published') return ': everything is a draft until its writer publishes it'
  if (name === 'title' || name === 'subtitle' || name === 'sub') return ': another name says the same'
  if (name === 'date') return ': a piece has the day on which it is published here'
  return ''
}

export function sayPulled(screen: Screen, { done, brought, failed, others, stopped }: Pulled): void {
  sayFailed(screen, failed)
  if (stopped) screen.say(lineOf(stopped))
  screen.say(
    `${counted(done.fetched)} fetched, ${counted(done.unchanged)} unchanged, ` +
      `${counted(done.kept)} newer here (push them), ${counted(failed.length)} could not.`,
  )
  if (brought > 0)
    screen.say(`${plural(brought, 'draft')} had no file here, and ${brought === 1 ? 'has' : 'have'} one now.`)
  if (others > 0) {
    screen.say(
      `${plural(others, 'piece is', 'pieces are')} past being a draft, which a key does not read. The desk's export, under Account, has them.`,
    )
  }
}

function sayFailed(screen: Screen, failed: Pushed['failed']): void {
  for (const { path, words } of failed.slice(0, mostNamed)) screen.say(`Could not: ${nameOf(path)}: ${lineOf(words)}`)
  if (failed.length > mostNamed) screen.say(`Could not: ${plural(failed.length - mostNamed, 'more file')}.`)
}
