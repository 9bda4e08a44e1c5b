/** What writers sell, by kind: a category, prices in whole units, and one line of each sort per line. */
export const listings = {
  book: {
    category: 'Books',
    prices: [9, 12, 14, 16, 18, 24],
    names: `
      A short book about {matter}
      {ownThings} and {crowd}: collected essays
      The {ownThing} years
      Letters on {ownMass}
      What {crowd} know about {mass}
      Notes from {city}, on {ownMass}`,
    summaries: `
      {few} essays on {crowd} and {mass}, revised and put in order.
      Everything I learned from {few} years of {pursuit}, in one afternoon's reading.
      For whoever has ever had to explain {ownMass} to {crowd}.
      Pocket size, sewn, and short enough to finish.`,
  },
  course: {
    category: 'Courses',
    prices: [29, 49, 60, 90, 120],
    names: `
      Writing about {ownMass}, in {few} letters
      A slow course in {pursuit}
      {pursuit}, from the beginning
      Five evenings on {matter}`,
    summaries: `
      One letter a week, with something to try. You keep them all.
      Recorded once, without slides, and answered by hand.
      For {crowd} who would rather practise than watch.`,
  },
  service: {
    category: 'Services',
    prices: [40, 80, 150, 200],
    names: `
      An hour about your {ownThing}
      I edit your essay on {ownMass}
      A second pair of eyes for {crowd}
      A letter about your draft`,
    summaries: `
      You send it, I read it twice, and we talk for an hour.
      Two pages of notes within a week. No form, no call.
      Bring the {thing} that does not work; we look at it together.`,
  },
  thing: {
    category: 'Paper goods',
    prices: [0, 6, 11, 15, 22],
    names: `
      The {ownThing} notebook
      A map of {city}, for {crowd}
      Cards for {crowd}
      A print of the {adj} {ownThing}`,
    summaries: `
      Ninety-six ruled pages, sewn by hand, that lie flat.
      Printed in {town}, on paper that takes ink without complaint.
      A set of {few}. Good for saying little, well.`,
  },
} as const

export const descriptions = `
  I made the first one for a {person} in {city}, who asked for another.
  It is about {ownMass}, and about {crowd}, and a little about {matter}.
  Nothing here needs a subscription. You pay once and it is yours.
  It took {few} years of {pursuit} to be this short.
  If it is not for you, write to me and I send the money back.
  Made slowly, in small numbers, near {town}.`
