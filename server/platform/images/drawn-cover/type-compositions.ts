import type { Composition } from './composition.ts'
import type { Role } from './palette.ts'
import { box, disc, fill, n, polygon, type Shape, sheet } from './sheet.ts'

/** Compositions of the mark alone. */

const { width, height } = sheet
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

/** The mark in strips that have slipped. */
export const slices: Composition = ({ between, whole, maybe, inside, mark, turned, pair: [first, second] }) => {
  const count = whole(2, 4)
  const place = { x: 300, y: 200, width: between(360, 430), height: between(280, 330) }
  const turn = between(-14, 14)
  const reach = between(26, 48)
  const top = 200 - place.height / 2
  const tall = place.height / count
  const isAlternate = maybe()
  const behind = turned(
    maybe()
      ? fill(second, disc(between(150, 250), between(110, 290), between(90, 150)))
      : fill(second, box(0, between(120, 220), width, between(60, 160))),
  )
  const strips = upTo(count).map((at) => {
    const slip = at % 2 === 0 ? -reach / 2 : reach / 2
    const area = box(
      -100,
      at === 0 ? -60 : top + at * tall + 1.5,
      width + 200,
      at === 0 ? top + tall + 58.5 : at === count - 1 ? 300 : tall - 3,
    )
    const role: Role = isAlternate && at % 2 === 1 ? first : 'ink'
    return inside(area, mark(role, { ...place, x: place.x + slip }))
  })
  return `${behind}<g transform="rotate(${n(turn)} 300 200)">${strips.join('')}</g>`
}

/** Lines around the mark, as on a map. */
export const contours: Composition = ({ between, whole, mark, pair: [first, second] }) => {
  const count = whole(3, 6)
  const step = between(26, 58)
  const place = { x: between(250, 350), y: between(180, 220), width: 300, height: between(170, 240) }
  const roles: readonly Role[] = [first, 'ground', second, 'ground']
  const lines = upTo(count).map((at) => {
    const role = roles[(count - 1 - at) % 4]!
    return mark(role, place, step * (count - at), role)
  })
  return lines.join('') + mark('ink', place)
}

/** A slanting page of the same character, one of them in another colour. */
export const specimen: Composition = ({ between, whole, maybe, oneOf, mark, turned }) => {
  const wide = between(92, 165)
  const tall = wide * between(0.8, 1.2)
  const slant = oneOf([0, between(-28, 28)])
  const size = between(0.52, 0.78)
  const slip = oneOf([0, 0.5, between(0.1, 0.4)])
  const [columns, rows] = [Math.ceil(340 / wide) + 1, Math.ceil(270 / tall) + 1]
  const chosen = { column: whole(-1, 1), row: whole(-1, 1) }
  const isChequered = maybe(0.4)
  const fields: string[] = []
  const marks: Shape[] = []
  for (let row = -rows; row <= rows; row++)
    for (let column = -columns; column <= columns; column++) {
      const isChosen = column === chosen.column && row === chosen.row
      const [x, y] = [300 + (column + slip * (row % 2)) * wide, 200 + row * tall]
      // Outside of the sheet, however it slants.
      if (Math.hypot(Math.max(0, Math.abs(x - 300) - wide / 2), Math.max(0, Math.abs(y - 200) - tall / 2)) > 361)
        continue
      if (slant === 0 && (Math.abs(x - 300) > 300 + wide / 2 || Math.abs(y - 200) > 200 + tall / 2)) continue
      if (isChosen || (isChequered && (row + column) % 2 === 0))
        fields.push(box(x - wide / 2, y - tall / 2, wide, tall))
      marks.push(mark(isChosen ? 'ink' : 'main', { x, y, width: wide * size, height: tall * size }))
    }
  const slanted = (...shapes: readonly Shape[]) =>
    slant === 0 ? shapes.join('') : `<g transform="rotate(${n(slant)} 300 200)">${shapes.join('')}</g>`
  return slanted(turned(fill('second', fields.join(''))), ...marks)
}

/** The mark with a long flat shadow. */
export const shadow: Composition = ({ between, maybe, mark, turned, pair: [first, second] }) => {
  const place = { x: between(230, 290), y: between(160, 195), width: 320, height: between(200, 260) }
  const [right, down] = [between(0.9, 1.7), between(0.8, 1.4)]
  // Each step doubles what it repeats: 128 copies in seven.
  const doubled = upTo(7).map(
    (at) =>
      `<g id="h${at + 1}"><use href="#h${at}"/><use href="#h${at}" transform="translate(${(right * 2 ** at).toFixed(1)} ${(down * 2 ** at).toFixed(1)})"/></g>`,
  )
  const cast = `<defs><g id="h0">${mark(first, place)}</g>${doubled.join('')}</defs><use href="#h7"/>`
  const behind = maybe()
    ? fill(second, polygon([0, between(180, 300)], [width, between(120, 260)], [width, height], [0, height]))
    : fill(second, box(0, 0, between(120, 260), height))
  return turned(behind) + cast + mark('ink', place)
}
