import { once } from 'node:events'
import type { WriteStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { startProgram } from './processes.ts'

/**
 * A bug on purpose, as many sites have it: the publication only says that there is something to tell, and another process
 * writes it down afterwards. In this run's database alone.
 */

const onlySays = `
create or replace function app.order_delivery() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if old.first_published_at is null then
    perform pg_notify('published', new.id::text);
  end if;
  return null;
end
$$`

const program = fileURLToPath(new URL('./buggy-outbox.ts', import.meta.url))
const betweenKills = 2000

/** Starts that process, and kills it as often as workers are killed elsewhere. */
export async function orderOutside(admin: pg.Pool, url: string, base: string, log: WriteStream) {
  await admin.query(onlySays)
  let isStopping = false
  const keep = async () => {
    while (!isStopping) {
      const child = startProgram([program, url, base], {}, log)
      let timer: NodeJS.Timeout | undefined
      child.stdout!.once('data', () => {
        hears.resolve()
        timer = setTimeout(() => child.kill('SIGKILL'), betweenKills)
      })
      await once(child, 'exit')
      clearTimeout(timer)
    }
  }
  const hears = Promise.withResolvers<void>()
  const keeping = keep()
  await hears.promise
  return {
    stop: async () => {
      isStopping = true
      await keeping
    },
  }
}
