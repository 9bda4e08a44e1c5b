/** One per line, the most frequent first. `own` words come from the topic. */
export const headlines = {
  essay: `
    What nobody tells you about {pursuit}
    The quiet cost of {pursuit}
    In defence of {matter}
    What {few} years of {pursuit} taught me
    I was wrong about {crowd}
    {pursuit} is harder than it looks
    Why we stopped {pursuit}
    The case against {crowd}
    A short history of {crowd}
    What {crowd} know about {ownMass}
    The slow business of {pursuit}
    In praise of {crowd}
    A letter to anyone {pursuit}
    {matter}, and what came after
    How a {ownPerson} in {city} changed our minds about {crowd}
    The unlikely return of {matter}
    Nobody is good at {pursuit}
    What a {ownPerson} taught me about {pursuit}
    Things I wish I had known before {pursuit}
    {matter} is not what you think
    What {city} can teach us about {crowd}
    The year we tried {pursuit}
    {few} lessons from {pursuit}
    Everything I believed about {crowd} was wrong
    The {ownPerson} who gave up {pursuit}
    Against {matter}
    Is {pursuit} worth it?
    The trouble with {crowd}
    A year without {crowd}
    {pursuit}, slowly
    Who is afraid of {crowd}?
    {crowd} and the {ownMass} of strangers
    What is {matter} for?
    Read this before {pursuit}
    The art of {pursuit}
    {pursuit}: a field guide
    How {crowd} lost their {ownMass}
    {pursuit} when nobody is watching
    The last {ownPerson} in {city}
    The {ownPerson}, the {ownThing} and the {ownMass}
    On {pursuit} in {city}, {few} years on
    {full} and {matter}
    {matter} of {town}
    In {town}, {crowd} still matter
    How {town} learned to live with {crowd}
    What {firm} got wrong about {crowd}
    Notes from {town}: {pursuit}
    The {ownAdj} {ownThings} of {town}
    {crowd}, as seen from {town}
    {full} and the {ownThing} of {town}
    What {city} forgot about {pursuit}
    From {city}: {matter}
    After {firm}: what {crowd} cost us
    The {ownThing} that came to {town}
    {city}, {year}: {matter}`,
  report: `
    What {many} {ownPeople} told us about {crowd}
    The state of {crowd}, {nearYear}
    {crowd} in {city}: what the {ownThings} show
    We counted {crowd} in {city} for a year
    {pursuit}: what {many} {ownPeople} say it costs
    {percent} of {ownPeople} in {city} live without {crowd}
    How {firm} ended up {pursuit}
    {matter}, by the numbers
    Inside {firm}: {few} months of {pursuit}`,
  interview: `
    {full} on {pursuit}
    A conversation with {full} about {crowd}
    {few} questions for {full}, who is {pursuit}
    {full} does not believe in {crowd}
    {full}: what {matter} taught me
    The {ownPerson} of {city}: {full} on {crowd}`,
  note: `
    A note on {pursuit}
    {ownThing}, {ownMass}, {ownPeople}: a note
    Overheard in {city}: {matter}
    Small note on {crowd}
    {matter}, again
    One more thing about {crowd}
    A correction, and a thought about {crowd}`,
}

export const standfirsts = `
  {matter} is not the problem. The problem is {crowd}, and the {ownMass} we bring to them.
  After {few} years, {full} has learned that {crowd} are mostly a matter of {ownMass}.
  A {ownPerson} in {city} explains why {matter} matters more than {ownMass}.
  We tried it {span}. Here is what it did to our {ownThings}, and to us.
  {few} lessons from {city}, and one mistake we would make again.
  Everyone has an opinion about {matter}. Almost nobody has tried {pursuit}.
  It took {few} {ownPeople}, {many} {ownThings} and a great deal of {ownMass}.
  {pursuit} sounds simple. It is, until the first {ownThing} arrives.
  What began as {pursuit} ended with {matter} and a {ownAdj} {ownThing}.
  For most {ownPeople}, {matter} is a detail. For {full} it became the whole story.
  {crowd} are older than we think, and they may outlive the {ownThings} that replaced them.
  A {ownThing} is only as good as the {ownMass} behind it.
  In {city}, {ownPeople} have been {pursuit} since {year}. The rest of us could learn from them.
  The {ownThings} are easy to count; the {ownMass} is not.
  Two {ownPeople}, one {ownThing}, and the question nobody wanted to ask about {crowd}.
  We asked {many} {ownPeople} about {crowd}. {percent} of them laughed.
  Some thoughts on {ownMass}, {ownMass} and the {ownAdj} {ownThing} in the corner.
  There are {few} ways of {pursuit}, and I have now failed at all of them.
  When {firm} closed, its {ownPeople} kept the {ownThings}. This is what they did next.
  No {ownThing} lasts for ever, but {matter} comes close.
  The price was {price}. The cost was something else.
  A plea for {crowd}, from someone who used to laugh at them.
  How {town} got its {ownThing} back, and who paid for it.
  I have kept a list of {ownThings} {span}; here is what it says.`

export const headings = `
  The {ownAdj} part
  What the {ownThings} taught us
  Why {crowd} matter
  {ownMass} and {ownMass}
  After the {ownThing}
  {matter}
  The trouble with {ownMass}
  What {who} saw
  Back to {city}
  {few} {ownThings}, one {ownThing}
  Who pays for {ownMass}
  A {ownThing} of our own
  Before {pursuit}
  What comes next
  How it works in {city}
  The {ownPerson} and the {ownThing}
  Counting {ownThings}
  An objection
  What we changed`

/** One per line, the most frequent first. */

export const bios = `
  Writes about {crowd}, {ownMass} and what happens between them.
  A {ownPerson} in {city}. Spent {few} years {pursuit}, and writes to find out why.
  Once a {ownPerson}, now a {person}. Interested in {crowd} and {mass}.
  Thinks slowly about {matter} and publishes on {weekday}s.
  {few} years of {pursuit}; before that, a {person} in {city}.
  Collects {things}, edits {ownThings}, and lives near {town} with a {adj} dog.
  Writes the letter on {crowd}. Formerly at {firm}.
  Believes in {ownMass}, short sentences and {crowd}.
  Working on a book about {matter}. Answers letters.
  Learned about {ownMass} from a {person} in {city}, and has been {pursuit} ever since.
  Reads, walks and writes about {crowd}. Two children, one {ownThing}, no {mass}.`

export const roles = `
  Writer
  Founder of {firm}
  Editor
  Staff writer
  Engineer at {firm}
  Designer, {city}
  Teacher
  Reporter at {firm}
  Independent researcher
  Columnist
  Librarian, {town}
  Essayist
  Head of product at {firm}
  Carpenter and writer
  Nurse
  Architect in {city}
  Former councillor, {town}
  Translator
  Economist at {firm}
  Baker, {town}
  Photographer
  Lecturer in {city}`

/** What writers sell, by kind: category, prices in whole units, and one template per line. */
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

/** Fenced code blocks. A slot is a name alone in braces; every other brace is code. */
export const snippets: { language: string; lines: string }[] = [
  {
    language: 'js',
    lines: `
const {ident} = new Map()
for (const [key, {camel}] of Object.entries({ident})) {
  if ({camel} > {number} && key !== "{ident}") {ident}.push(key)
}`,
  },
  {
    language: 'sql',
    lines: `
select {ident}, count(*) as {ident}
from {ident}
where {ident} like '%\\_{slug}%' escape '\\' and {ident} < {number}
group by {ident};`,
  },
  {
    language: 'py',
    lines: `
def {ident}({ident}, *, {ident}={number}):
    """Give back what is not {ident}."""
    return [x for x in {ident} if x is not None and x <= {number}]`,
  },
  {
    language: 'sh',
    lines: `
$ {slug} --{slug}={number} > C:\\{slug}\\{ident}.log
{number}% done & 0 errors
$ cat {ident}.txt | sort | uniq -c`,
  },
  {
    language: 'json',
    lines: `
{
  "{ident}": {number},
  "{ident}": "{slug}",
  "rate": "{percent}"
}`,
  },
]
