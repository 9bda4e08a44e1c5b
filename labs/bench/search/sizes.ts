import { asOwner } from './site.ts'

/** Bytes of one thing that search alone needs. */
export interface Size {
  readonly name: string
  /** `within` is a part of a table: the rows that are live, without what binding left behind. */
  readonly kind: 'table' | 'toast' | 'index' | 'columns' | 'within'
  readonly bytes: number
}

/** The schema of search, the folded bodies, and what search has in the table of pieces: columns, and indexes of them. */
export const sizes = (pieces: number): Promise<Size[]> =>
  asOwner(pieces, async (client) => {
    const { rows: tables } = await client.query<Size>(`
      with searched as (
        select c.* from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind = 'r' and (n.nspname = 'search' or c.oid = 'pub.piece_texts'::regclass)
      )
      select oid::regclass::text as name, 'table' as kind,
             (select sum(pg_relation_size(searched.oid, fork)) from unnest('{main,fsm,vm}'::text[]) fork)::float8 as bytes
        from searched
      union all
      select oid::regclass::text, 'toast', pg_total_relation_size(reltoastrelid)::float8 from searched where reltoastrelid <> 0
      union all
      select i.indexrelid::regclass::text, 'index', pg_total_relation_size(i.indexrelid)::float8
        from searched join pg_index i on i.indrelid = searched.oid
      union all
      select i.indexrelid::regclass::text, 'index', pg_total_relation_size(i.indexrelid)::float8
        from pg_index i
       where i.indrelid = 'pub.pieces'::regclass and pg_get_indexdef(i.indexrelid) ~ '_folded|_keys'
      order by kind desc, bytes desc`)
    const { rows: columns } = await client.query<{ name: string }>(`
      select attname as name from pg_attribute
       where attrelid = 'pub.pieces'::regclass and attnum > 0 and not attisdropped and attname ~ '_(folded|keys)$'`)
    const sums = columns.map(({ name }) => `sum(pg_column_size(${name}))::float8 as ${name}`)
    const { rows: live } = await client.query<Size>(
      `select 'search.pages, live' as name, 'within' as kind, coalesce(sum(pg_column_size(pages.*)), 0)::float8 as bytes
         from search.pages`,
    )
    const { rows } = await client.query<Record<string, number>>(`select ${sums.join(', ')} from pub.pieces`)
    return [
      ...tables,
      ...live,
      ...columns.map(({ name }): Size => ({ name: `pub.pieces.${name}`, kind: 'columns', bytes: rows[0]![name]! })),
    ]
  })
