import pg from 'pg'

/** `npm run dev -- --sql`: every statement as it is sent, with its values, but not what asks again and again for work. */

const isPolling = (client: object, text: string): boolean =>
  ('connectionParameters' in client &&
    (client.connectionParameters as { application_name?: string }).application_name === 'standfirst jobs') ||
  /^select 1$|\bclaim_deliveries\b/.test(text)

interface Statement {
  readonly text?: string
  readonly values?: readonly unknown[]
}

export function printStatements(): void {
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first, second] = given
    const { text, values } = typeof first === 'string' ? { text: first, values: second } : ((first ?? {}) as Statement)
    if (text && !isPolling(this, text)) console.log(shownStatement(text, Array.isArray(values) ? values : []))
    return Reflect.apply(query, this, given)
  } as typeof query
}

function shownStatement(text: string, values: readonly unknown[]): string {
  const lines = text.trim().replaceAll(/\s*\n\s*/g, '\n      ')
  const shown = values.map((value, at) => `$${at + 1} = ${JSON.stringify(value)?.slice(0, 200)}`).join(', ')
  return `  SQL ${lines}${shown && `\n      ${shown}`}`
}
