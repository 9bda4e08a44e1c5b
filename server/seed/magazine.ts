import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { slugInAnyScript } from '#platform/text/slug.ts'
import { transactionAs } from './bulk.ts'

/** What people at the desk add to the hand-written pieces: series of them, and a front page with pins and a note. */

interface SampleSeries {
  readonly title: string
  readonly description: string
  /** By slug, all of one writer, in their order. */
  readonly pieces: readonly string[]
}

const series: readonly SampleSeries[] = [
  {
    title: 'The attentive house',
    description: 'Three things at home that nobody looks at, looked at.',
    pieces: ['the-case-for-slow-tea', 'the-drawer-of-keys', 'the-uses-of-a-dull-afternoon'],
  },
  {
    title: 'Notes from old code',
    description: 'What twenty years of other people’s programs have taught me.',
    pieces: ['the-bug-that-came-on-thursdays', 'before-you-press-release', 'delete-the-button-first'],
  },
]

const pins = ['the-bus-that-waits', 'the-case-for-slow-tea', 'the-bench-outside-the-library'] as const
const note = 'This week: places to wait, and what happens there.'

/** The longest that a pin may stay. */
const pinned = '30 days'

export async function arrangeMagazine(client: pg.ClientBase): Promise<void> {
  await transactionAs(client, 'svc_publisher', async () => {
    for (const one of series) await addSeries(client, one)
    await client.query(
      `insert into pub.front_page_pins (place, piece_id, ends_at)
       select row_number() over (order by array_position($1, p.slug)), p.id, now() + $2::interval
         from pub.pieces p where p.slug = any ($1)`,
      [pins, pinned],
    )
    await client.query('insert into pub.front_page_note (note, ends_at) values ($1, now() + $2::interval)', [
      note,
      pinned,
    ])
  })
}

/** Of a small site only those that it has. */
async function addSeries(client: pg.ClientBase, { title, description, pieces }: SampleSeries): Promise<void> {
  const id = randomUUID()
  const { rowCount } = await client.query(
    `insert into app.series (id, writer_id, slug, title, description)
     select $1, p.writer_id, $2, $3, $4 from app.pieces p where p.slug = $5`,
    [id, slugInAnyScript(title, 80, 'series'), title, description, pieces[0]],
  )
  if (rowCount === 0) return
  await client.query(
    `insert into app.series_pieces (piece_id, series_id, position)
     select p.id, s.id, array_position($2, p.slug) from app.series s
       join app.pieces p on p.writer_id = s.writer_id and p.slug = any ($2)
      where s.id = $1`,
    [id, pieces],
  )
  await client.query('select app.copy_series($1)', [id])
}
