import { building } from './topics/building.ts'
import { civic } from './topics/civic.ts'
import { culture } from './topics/culture.ts'
import { ideas } from './topics/ideas.ts'
import { leading } from './topics/leading.ts'
import { life } from './topics/life.ts'
import { money } from './topics/money.ts'
import { society } from './topics/society.ts'

/** By category; the share of pieces each category gets. */
export const categories = {
  building: { share: 20, topics: building },
  leading: { share: 14, topics: leading },
  culture: { share: 15, topics: culture },
  money: { share: 12, topics: money },
  life: { share: 14, topics: life },
  civic: { share: 8, topics: civic },
  ideas: { share: 9, topics: ideas },
  society: { share: 8, topics: society },
} as const
