import type { Chance } from './chance.ts'
import type { Role } from './palette.ts'
import type { Place, Shape } from './sheet.ts'

/** What a composition draws with. */
export interface Brush extends Chance {
  /** Shapes, mirrored in half of all covers. Characters are never mirrored, only their places are. */
  turned(...shapes: readonly Shape[]): Shape
  /** The initial, or both initials, as large as fits the place, with an edge if wanted: of the ground unless said otherwise. */
  mark(role: Role, place: Place, edge?: number, edgeRole?: Role): Shape
  /** What is inside of the mark alone. */
  insideMark(place: Place, ...shapes: readonly Shape[]): Shape
  /** What is inside of an area alone. */
  inside(area: string, ...shapes: readonly Shape[]): Shape
  /** A main colour and the other one, in either order. */
  readonly pair: readonly [Role, Role]
}

/** Draws on a sheet that has the colour of the ground. */
export type Composition = (brush: Brush) => Shape
