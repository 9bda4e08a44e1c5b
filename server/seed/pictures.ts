import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import type { StoredCover } from '#features/pieces/normalize-input.ts'
import { type Urls, urlsFor } from '#features/urls.ts'
import { libvips } from '#platform/images/formats.ts'
import type { MediaStore } from '#platform/media/store.ts'
import { transactionAs } from './bulk.ts'

/**
 * Portraits and covers of the hand-written pieces: our own drawings, kept as SVG and stored as what an upload would leave.
 */

/** Where the pictures are stored, and the site they are shown at. */
export interface PictureStorage {
  readonly store: MediaStore
  readonly baseUrl: string
}

interface Picture {
  /** Of the writer or the piece that it is for. */
  readonly slug: string
  readonly title: string
  readonly hash: string
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

const credit = 'Standfirst'

/** Captions, and what a crop keeps, in per cent. The title of a drawing says what it shows. */
const details: Readonly<Record<string, Partial<StoredCover>>> = {
  'the-case-for-slow-tea': { y: 60 },
  'what-a-corner-shop-earns': { caption: 'Bread is at the back, so that you pass everything else first.' },
  'the-bench-outside-the-library': { x: 60 },
  'the-second-best-seat-in-the-cinema': { caption: 'Row F, one off the aisle.' },
  'the-bus-that-waits': { x: 60 },
  'a-staircase-is-a-promise': { caption: 'Six millimetres.', x: 60 },
  'what-the-allotment-keeps': { caption: 'The shed, in June.' },
}

export async function addPictures(client: pg.ClientBase, { store, baseUrl }: PictureStorage): Promise<void> {
  const [portraits, pictures] = [await drawn('portraits', 512), await drawn('covers', 1_200)]
  for (const { hash, bytes } of [...portraits, ...pictures]) await store.put(hash, bytes, 'image/webp')
  await transactionAs(client, 'svc_publisher', async () => {
    for (const portrait of portraits) await addPortrait(client, portrait, urlsFor(baseUrl))
    for (const picture of pictures) await addCover(client, picture)
  })
}

async function addPortrait(client: pg.ClientBase, picture: Picture, urls: Urls): Promise<void> {
  await keep(client, picture, 'select w.id from app.writers w where w.slug = $6')
  await client.query('update app.writers set avatar_url = $2 where slug = $1', [picture.slug, urls.media(picture.hash)])
  await client.query('select app.show_author(w.id) from app.writers w where w.slug = $1', [picture.slug])
}

async function addCover(client: pg.ClientBase, picture: Picture): Promise<void> {
  const { slug, hash, title } = picture
  await keep(client, picture, 'select p.writer_id from app.pieces p where p.slug = $6')
  const cover: StoredCover = { hash, alt: title, credit, x: 50, y: 50, ...details[slug] }
  await client.query('update app.pieces set fields = fields || $2 where slug = $1', [slug, { cover }])
  await client.query(
    'update pub.pieces p set cover = app.cover_of(d) from app.pieces d where d.id = p.id and p.slug = $1',
    [slug],
  )
  // What is public of its pictures is noted with its text.
  await client.query(
    'update pub.piece_contents c set html = html from pub.pieces p where p.id = c.piece_id and p.slug = $1',
    [slug],
  )
}

const keep = (client: pg.ClientBase, { slug, hash, width, height, bytes }: Picture, owners: string) =>
  client.query(
    `insert into app.media (hash, writer_id, type, width, height, bytes)
     select $1, owner.id, $2, $3, $4, $5 from (${owners}) owner (id) on conflict do nothing`,
    [hash, 'image/webp', width, height, bytes.length, slug],
  )

async function drawn(folder: 'covers' | 'portraits', width: number): Promise<Picture[]> {
  const sharp = await libvips()
  const place = new URL(`./pictures/${folder}/`, import.meta.url)
  const drawings = readdirSync(place).toSorted()
  return Promise.all(
    drawings.map(async (file) => {
      const drawing = readFileSync(new URL(file, place))
      const image = sharp(drawing).resize({ width })
      const { data: bytes, info } = await image.webp({ quality: 82 }).toBuffer({ resolveWithObject: true })
      const hash = createHash('sha256').update(bytes).digest('hex')
      const [, title = ''] = /<title>([^<]*)/.exec(drawing.toString()) ?? []
      return { slug: file.replace('.svg', ''), title, hash, bytes, width: info.width, height: info.height }
    }),
  )
}
