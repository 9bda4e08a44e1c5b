/** One per line, the usual first: the further down, the rarer. */

export const details = `
  I kept a note of every {ownThing}, with a date and a price.
  {who} would {do} a {ownThing} or two before breakfast and then say nothing all day.
  We had no {mass}, so we made do with {ownMass} and borrowed {things}.
  At first they laughed at us; later they came to {do} {things} of their own.
  That meant getting up early, {doing} {things} in bad light and going home with nothing.
  Anyone could {do} a {ownThing}, but only {who} could {do} two.
  I was told to {do} a {thing} and to keep my {things} to myself.
  She had been a {person} before she was a {ownPerson}, and it showed in her {things}.
  He kept his {things} in a {thing} and his {things} in his head.
  They work in pairs, one to {do} a {ownThing} and one to {do} whatever goes wrong.
  You get used to that, as you get used to {adj} {things} and to other people's {mass}.
  Most days nothing happens, and that is how you know that all is well.
  Every {ownThing} bears somebody's name, and every name has a {ownThing} to answer for.
  There was {mass} to be {done}, and there were {things} to {do}, and not enough hours for either.
  What they wanted was a {adj} {thing}; what they got was {few} {things} and a letter.
  I had expected {mass} and found {people} {doing} {things} as if nothing had happened.
  On good days I would {do} {few} {ownThings}, on bad days none.
  If it rained we stayed in and {did} {things}; on dry days we {did} them outside.
  Some of us learned to {do} {things}, some of us left, and one of us became a {person}.
  When the money ran out we sold a {thing} and went on {doing} {things}.
  It was not much: a {thing}, {few} {things}, and somebody who knew how to {do} them.
  She never asked for {mass}, and she never got any.
  Not many {people} would {do} that for a {ownThing}, let alone for {mass}.
  After {few} weeks I stopped {doing} {things} and started to listen.
  You learn to {do} without {mass} and to be glad of {things} that you would once have thrown away.
  To {people} who grew up with {things}, none of this will sound strange.
  He would rather {do} {few} {adj} {things} than one {adj} one, and he said so.
  With {few} {things} and a bit of {mass} you can {do} almost anything, or so I thought.
  For {someone} this was a {thing}; for me, a reason to go home.
  There were always more {things} than {people} to {do} them.
  I still {do} a {thing} now and then, if only to see whether I can.
  By then {who} had {done} so many {things} that another one hardly mattered.
  My {person} would have called it {mass}, and my {person} would have been right.
  Two of them had {done} {things} for a living, and you could tell.
  What they did with their {things} was their own business, and we left it at that.
  That left us with {things} and no {ownMass}, which is not as bad as it sounds.
  None of them had {done} a {thing} before, so they went about their work with great care.
  It is the {thing} that {shapes} {one}, and the {thing} that {goes}{tail}.
  The {thing} is {adj}, the {thing} is {adj}, and the {person} {acts}{tail}.
  {who} {did} {one}, {did} {one} and {did} the {thing} for the {spot}{tail}.
  That is why {those} {act} and why {some} {go} {adv}{tail}.
  Some of this is {mass}, some is {mass}, and the rest is {acting}{tail}.
  For {someone} who {acts}, {one} is as {adj} as {one}{tail}.
  The {people} {do} it {adv}, with {one} in one hand and {one} in the other{tail}.
  {one} {goes} {where}, and so {does} {someone}{tail}.
  When {one} {goes}, {someone} {acts}{tail}.
  In the {spot} the {adj} {thing} counts, and in the {spot} the {thing}{tail}.
  {someone} {does} {one} so that {someone} can {do} {one}{tail}.
  What was {adj} then is {adj} now, because {one} {goes}{tail}.
  The {things} are kept {where}, next to {one} and the {adj} {things}{tail}.
  You can see this in the {thing} of {one}, in the way {those} {act}, and in {mass}{tail}.
  This is as true of {one} as it is of {some}{tail}.
  {someone} {acted}, and then {someone} {acted} as well{tail}.
  A {thing} without {mass} is only a {thing} {where}{tail}.
  We {did} {one} by {doing} {one}, and {one} by {doing} nothing{tail}.
  By the time {one} {went}, {some} had been {done} {where}{tail}.
  The {thing} was {adj}; the {thing} was not{tail}.
  Each of the {things} had been {done} by {someone}, and each had a {thing} of its own{tail}.
  {where}, where {those} {act}, {one} is called {one}{tail}.
  Then there is {one}, which {shapes} {one} whether or not {someone} {does} it{tail}.
  {one} was {done} from {one}, {one} from {one}, and the {thing} from what was left{tail}.
  It takes {few} {people} to {do} {one} and one to {do} {one} {adv}{tail}.
  {some} {go}, and the {thing} that they {shape} {goes} with them{tail}.
  The {person} {acts}, because {one} is what the {spot} {does} best{tail}.
  Nothing about it is {adj}, except perhaps {one}{tail}.
  They had {one} and they had {mass}, and with these they {did} {one}{tail}.
  Even {one}, {adj} as it is, {shapes} {some}{tail}.
  I {did} {one} {adv}, and I would do so again{tail}.
  The {product} on the {thing} was {adj}, and so was {one} beside it{tail}.
  It has the {mass} of {one} and the {thing} of {one}{tail}.
  Some {people} {do} {one} all their lives and never {do} the {thing}{tail}.
  Our {thing} was to {do} {one} at {city} prices{tail}.`
