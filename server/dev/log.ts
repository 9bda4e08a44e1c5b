/**
 * A line of the server's log as `npm run dev` shows it. A letter, which is in the log for want of a mail server, becomes
 * text: in JSON the address to click runs into what stands after it.
 */
export function shownLine(line: string): string {
  const letter = letterIn(line)
  if (!letter) return line
  const text = letter.text.trim().replaceAll(/^(?=.)/gm, '  ')
  return `\n  A letter: ${letter.subject}\n\n${text}\n`
}

interface Letter {
  readonly subject: string
  readonly text: string
}

function letterIn(line: string): Letter | undefined {
  if (!line.includes('"email_failed"')) return undefined
  try {
    const logged = JSON.parse(line) as Letter & { event: string }
    return logged.event === 'email_failed' ? logged : undefined
  } catch {
    return undefined
  }
}
