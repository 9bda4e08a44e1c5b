import { type Category, categories } from './schema.ts'

/** The hue of each section (degrees of OKLCH), for drawn covers and link pictures. Evenly apart, as far as eyes tell. */
const categoryHues: Readonly<Record<Category, number>> = {
  culture: 0,
  leading: 45,
  life: 90,
  money: 145,
  civic: 195,
  building: 250,
  ideas: 295,
  society: 330,
}

/** Of the paper. */
const hueOfNone = 75

/** Undefined if there is no such category. */
export const hueOf = (category: string | null): number | undefined =>
  category === null
    ? hueOfNone
    : categories.some((one) => one === category)
      ? categoryHues[category as Category]
      : undefined
