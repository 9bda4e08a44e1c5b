import type pg from 'pg'
import { makePiece, makeProduct, makeSeries, makeWriter } from '../../testkit/factories.ts'

/** Texts of a headline's length that break careless layouts. */

/** Every character with a tower of different combining marks. */
const marks = Array.from({ length: 24 }, (_, at) => String.fromCodePoint(0x300 + at))
const stacked = (word: string, height: number): string =>
  [...word].map((character, at) => character + [...marks.slice(at), ...marks].slice(0, height).join('')).join('')

export const hostileTexts = {
  'one long word': 'Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung',
  'two hundred characters': `${'What nobody tells you about answering every message on the day it came '.repeat(3).slice(0, 199)}.`,
  'two hundred letters': 'Wo'.repeat(100),
  'right to left': 'في مديح البطء: أربع دقائق (Tea & Time, 2nd ed.) مع إبريق الشاي — 100% حقيقي!',
  'left to right': 'On slowness: four minutes (شاي ووقت، الطبعة 2) with a kettle — 100% true!',
  emoji: `${'👩‍👩‍👧‍👦🏳️‍🌈👨🏽‍🚀🇺🇳'.repeat(4)} ${'❤️‍🔥'.repeat(8)}`,
  'stacked marks': `${stacked('Zalgo', 16)} ${stacked('comes', 16)}`,
  ideographs: '关于茶与等待四分钟而无人愿意的长标题'.repeat(5),
} as const

export interface HostilePiece {
  readonly id: string
  readonly slug: string
  /** The path of the piece, and of a listing. */
  readonly path: string
  readonly listing: string
  /** Of a series that the piece is the second part of. */
  readonly series: string
}

/** A writer, a piece and a listing for each text, which is also their name, standfirst, bio, tag and so on. */
export async function makeHostileSite(admin: pg.Pool): Promise<readonly HostilePiece[]> {
  const made: HostilePiece[] = []
  for (const [kind, text] of Object.entries(hostileTexts)) {
    const slug = kind.replaceAll(' ', '-')
    const short = [...text].slice(0, 80).join('')
    const writer = await makeWriter(admin, {
      slug,
      name: short,
      role: short,
      location: short,
      niche: short,
      bio: `${text} ${text}`,
      website: `https://${'long-name-'.repeat(5)}.example/`,
      socials: { x: 'https://x.com/one', newsletter: 'https://newsletter.example/' },
      verified: true,
      websiteVerified: true,
    })
    const id = await makePiece(admin, writer, {
      headline: text,
      sub: `${text} ${text}`.slice(0, 400),
      tags: [[...text].slice(0, 32).join('')],
      category: 'life',
      locale: kind === 'right to left' ? 'ar' : kind === 'ideographs' ? 'zh' : 'en',
      externalUrl: 'https://elsewhere.example/a',
      body_md: `# ${text}\n\n${text}\n\n> ${text}\n\n- ${text}\n\n| ${text} | ${text} |\n|--|--|\n| ${text} | 1 |\n\n\`${text}\`\n\n\`\`\`\n${text}\n\`\`\``,
    })
    const sides = [
      await makePiece(admin, writer, { headline: text, locale: 'en' }),
      await makePiece(admin, writer, { headline: text, locale: 'en' }),
    ]
    const series = await makeSeries(admin, writer, [...text].slice(0, 110).join(''), [sides[0]!, id, sides[1]!])
    const product = await makeProduct(admin, writer, {
      name: [...text].slice(0, 100).join(''),
      summary: text,
      description: `${text}\n\n${text}`,
      category: [...text].slice(0, 30).join(''),
      price: { amount: '123456789.99', currency: 'EUR' },
      related: [id],
    })
    const { rows } = await admin.query<{ piece: string; listing: string; parts: string }>(
      `select (select slug from pub.pieces where id = $1) as piece, (select slug from pub.products where id = $2) as listing,
              (select slug from pub.series where id = $3) as parts`,
      [id, product, series],
    )
    const { piece, listing, parts } = rows[0]!
    made.push({
      id,
      slug,
      path: `/author/${slug}/${encodeURIComponent(piece)}`,
      listing: `/shop/${encodeURIComponent(listing)}`,
      series: `/author/${slug}/series/${encodeURIComponent(parts)}`,
    })
  }
  return made
}

/** Each public piece was read, so that it is among the most read and in the statistics of its writer. */
export async function countReads(admin: pg.Pool): Promise<void> {
  await admin.query(`with read as (
      insert into app.piece_reads (piece_id, author_id, reads) select id, author_id, 3 from pub.pieces
          on conflict do nothing returning *
    ), daily as (
      insert into app.piece_reads_daily (piece_id, author_id, day, reads)
      select piece_id, author_id, (now() at time zone 'UTC')::date, 3 from read
    )
    insert into app.piece_reads_hourly (piece_id, hour, reads)
    select piece_id, date_trunc('hour', now(), 'UTC'), 3 from read`)
  await admin.query('select app.score_trending()')
}
