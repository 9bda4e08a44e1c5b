/** `~` opens and closes speech. */
export const voices = `
  ~If it were easy,~ {who} said, ~somebody would have {done} it by now.~
  ~I had no idea what I was doing,~ says {who}. ~I just {did} {things} until they stopped being {adj}.~
  ~People think it is about {ownMass},~ {other} told me. ~It is about {things}.~
  ~My {person} taught me to {do} {things},~ {who} says, ~and to keep quiet about it.~
  ~You should have seen us,~ said {other}. ~{few} {ownPeople} and not one {ownThing} between us.~
  ~We were not trying to {do} a {ownThing},~ {who} explained. ~We were trying not to {do} {things}.~
  ~I would do it again,~ {who} says, ~but not for {price} and not in {city}.~
  ~There is no shame in {things},~ {other} likes to say.
  ~Are you going to write that down?~ asked {who}. I said that I was.
  ~What do you want me to say?~ {other} asked. ~That {ownMass} is {adj}? It is.~
  ~You {do} {one},~ {who} told me, ~and then you {do} {one}.~
  ~{one} is {adj},~ says {who}, ~but it is not {one}.~
  ~We never {did} {one},~ {who} said {once}. ~We only {did} {one}.~
  {who} calls it ~{one} of the {adj} {thing}~, and means {mass}.
  ~{those} {do} {some},~ {other} wrote {once}, ~because {one} {goes}.~
  ~What did you do with the {things}?~ I asked. ~We {did} them,~ said {who}.
  As {other} put it: ~{one} {shapes} {one}, and you may quote me on that.~
  ~It was a {adj} {thing},~ {who} remembers, ~and I {did} it {adv}.~
  The sign {where} says ~{thing} before {thing}~, and {those} obey it.
  ~Ask me again when {one} {goes},~ said {other}, and {acted}.
  {who} shrugged. ~{mass} is {mass},~ came the answer, ~and {some} are {some}.~
  ~The {thing} is the {thing},~ my {person} used to say, ~and the rest is {mass}.~
  ~There is no {thing} in that,~ said the {person} from {firm}, ~and no {mass} either.~
  The {person} laughed. ~{few} years,~ {who} said, ~and not one {thing} of it was {adj}.~
  ~I would rather {do} {one} than {do} {one},~ as {who} likes to say.`

/** What an interviewer says. */
export const asks = `
  How did you come to {do} {one}?
  What does {one} mean to {someone} who {acts}?
  When you think of {city}, what do you see?
  Is {pursuit} still a {adj} {thing}?
  What would you tell {someone} who wants to {do} {one}?
  Did {one} {shape} you?
  You have written that {one} {shapes} {one}. Do you still think so?
  What did {firm} teach you about {mass}?
  Were there {things} you would not {do} again?
  What are you {doing} next?`
