/**
 * Phrases for the slots of sentences: one variant per line, with a leading weight if it is not 1. `a {slot}` becomes
 * `an` where needed. The weights give `the`, `of`, `a` and `in` their English frequencies.
 */
export const phrases = {
  one: `
    15 the {thing}
    7 the {adj} {thing}
    6 the {thing} of the {thing}
    3 the {thing} of a {thing}
    4 the {mass} of the {thing}
    11 a {thing}
    8 a {adj} {thing}
    7 {mass}
    4 {adj} {mass}
    4 this {thing}
    3 {ownMass}
    3 {pursuit}
    3 {matter}
    3 another {thing}
    3 my {thing}
    3 our {thing}
    2 any {thing}
    2 every {thing}
    2 their {thing}
    2 your {thing}
    1 one {thing} in {few}
    1 a {thing} in {city}
    1 {who}'s {thing}
    1 a {person}'s {thing}
    1 a {thing} at {firm}`,
  some: `
    8 the {things}
    9 {things}
    3 the {things} of the {thing}
    9 {adj} {things}
    3 the {things} of {city}
    3 most {things}
    4 {crowd}
    3 these {things}
    2 those {things}
    2 our {things}
    2 their {things}
    2 other {things}
    2 some {things}
    1 {few} {things}
    1 {few} or {few} {things}
    1 {things} and {things}
    1 {things} without {mass}`,
  someone: `
    9 the {person}
    8 a {person}
    3 the {adj} {person}
    5 {who}
    3 somebody
    2 nobody
    2 every {person}
    2 a {adj} {person}
    2 {other}
    2 anyone
    2 my {person}
    1 a {person} from {firm}
    1 someone in {city}`,
  those: `
    6 the {people}
    4 most {people}
    6 {people}
    4 {adj} {people}
    3 {people} in {city}
    3 people who {do} {things}
    2 they
    2 we
    1 {people} and {people}
    1 many of us
    1 other {people}`,
  where: `
    3 in the {spot}
    3 in a {spot}
    2 at the {spot}
    6 in {city}
    2 outside a {spot}
    2 behind the {spot}
    2 at the edge of the {spot}
    2 in the {adj} {spot}
    2 on the far side of the {spot}
    1 in the back of the {spot}
    1 at {firm}
    1 near {town}
    1 between the {spot} and the {spot}
    1 outside {city}`,
  once: `
    4 in {year}
    3 last {season}
    3 in {month}
    2 in the {season} of {year}
    2 on a {adj} {weekday} in {month}
    2 {few} years ago
    2 one {weekday}
    1 on {day} {month}
    1 early in {year}
    1 at the end of {month}
    1 by {month}`,
  span: `
    4 for {few} years
    3 for a year
    3 for most of a {season}
    2 since {year}
    2 for {few} weeks
    1 for a {adj} month
    1 for longer than anyone expected`,
  /** May precede a full stop. */
  adjunct: `
    4 in the {spot}
    3 in {city}
    2 at the {spot}
    2 with or without {mass}
    2 like the {thing} of a {person}
    1 in the {adj} {spot}
    1 by the {thing} in the {spot}
    1 under the {adj} {thing}
    1 after the {thing}
    1 since the {thing} of {year}`,
  /** A verb phrase in the third person. */
  acts: `
    9 {does} {one}
    5 {does} {some}
    3 {does} {one} {adv}
    3 {goes} {where}
    2 {does} and {does} {one}
    2 {goes} {adv}
    1 {does} what the {person} {did}
    1 {does} {one} for {someone}
    1 {does} {one} with {mass}`,
  acted: `
    9 {did} {one}
    5 {did} {some}
    3 {did} {one} {adv}
    3 {went} {where}
    2 {did} and {did} {one}
    2 {went} {adv}
    1 {did} {one} for {someone}
    1 {did} a {thing} for a {person}
    1 {did} {one} with {mass}`,
  act: `
    9 {do} {one}
    5 {do} {some}
    3 {do} {one} {adv}
    2 {go} {where}
    1 {do} and {do} {one}
    1 {do} {one} for {someone}`,
  acting: `
    6 {doing} {one}
    4 {doing} {some}
    4 {pursuit}
    2 {doing} {one} {adv}
    1 {going} {where}
    1 {doing} {things} and {doing} {things}`,
  hedge: `
    3 in my experience
    3 as a rule
    2 more often than not
    2 so far as I can tell
    2 most of the time
    1 if the records are right
    1 for the moment
    1 in the end
    1 at least {where}
    1 as {who} puts it
    1 with few exceptions
    1 on paper`,
  amount: `
    4 {percent}
    2 almost {percent}
    2 {price}
    2 {many}
    1 about {price}
    1 more than {many}
    1 one in {few}`,
}
