import type pg from 'pg'

/** Shared buffers of one statement, by its plan. What is unpacked only to be sent is not among them. */
export async function explainedBuffers(client: pg.Client, text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await client.query(`explain (analyze, buffers, timing off, format json) ${text}`, [...values])
  const plan = rows[0]['QUERY PLAN'][0].Plan
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}
