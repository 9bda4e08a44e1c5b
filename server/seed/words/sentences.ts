/** Opening sentences. */
export const scenes = `
  When I first met {full}, {pursuit} was not yet something that people did on purpose.
  {once} I went to {city} to ask {ownPeople} about {crowd}, and came home with more questions than I had packed.
  It is half past {few} on a {weekday} and {full} is already talking about {matter}.
  I did not mean to spend {few} years {pursuit}.
  There is a story that {ownPeople} in {city} like to tell about {matter}, and most of it is true.
  For as long as I can remember, {crowd} have made me nervous.
  My first {ownThing} was a disaster, and I would like to tell you why.
  A few weeks ago a {ownPerson} from {city} wrote to me about {crowd}.
  Some time in {year}, without telling anyone, {full} started {pursuit}.
  We were sitting {where} when somebody asked, quite seriously, what {matter} was for.
  {full} has two rules about {crowd}, and breaks both of them every {weekday}.
  By the time you read this, {crowd} in {city} may be gone.
  Everybody I know has a story about {matter}, so here is mine.
  This is a piece about {pursuit}, though it will not look like one at first.
  Nobody at {firm} wanted to talk about {crowd}, which is how I knew that I had to.
  {once}, a {adj} {person} in {city} {did} {one} and {did} {one}, and nobody {where} thought much about that.
  The first time {full} {did} {one}, {one} was still {adj} and the {spot} smelled of {mass}.
  {full}, a {person} in {city}, has been {pursuit} {span}.
  There is a {thing} {where} that {those} still {do} by hand.
  It began {where}, {once}, with a {thing} and a {adj} {thing}.
  When I came to {city} {once}, {matter} was the only {thing} that anyone would talk about.
  {once}, {firm} {did} {one} in {city}, and {amount} of the {people} went too.
  My {person} used to say that {one} is only a {thing} with {mass} in it.
  I spent {few} weeks {where} {doing} {some} with {full}, and I have been {acting} ever since.
  The {spot} in {town} opens at {few}, and by then {someone} has already {done} the {things}.
  Nobody in {city} remembers who first {did} {one}, but everybody knows the {thing}.
  For {few} years the {thing} stood {where}, and for {few} years {those} walked past it.
  {full} keeps a {thing} {where}, beside the {things}, and {acts} every {weekday}.
  The letter arrived {once}: {one} was to be {done}, and {someone} was to {do} it.
  Before {pursuit} was a {thing} it was a {thing}, and before that it was only {mass}.
  {year} was the year in which {some} {went}, and in which {who} {acted}.
  Ask {those} about {matter} and you will hear of {one}, of {one} and of the {mass} of {city}.
  I had never thought about {pursuit} until {one} {went} {once}.
  There were {few} of us {where}, and between us we had {one}, {few} {things} and no {mass}.
  The {adj} {thing} that {who} {did} {once} is still there, {where}, under a {thing}.`

/** Closing sentences. */
export const closings = `
  I do not know whether {crowd} will last, but I know who will miss them.
  We are still {pursuit}, and we still do not know how it ends.
  If you see {who}, say thank you from me.
  It is not much of an answer, but it is one that I can live with.
  Maybe next year; for now there are {ownThings} to {do}.
  As for me, I have gone back to {doing} {things}, and I sleep better for it.
  You may find that you can do without {crowd}, and I hope that you never have to.
  That, at any rate, is what I tell {ownPeople} who ask, and some of them have stopped asking.
  All I can say is that it was {adj}, that it was ours, and that I would not have missed it.
  {one} will be {done} again, {where}, by {those} who have never heard of {who}.
  In the end, {pursuit} is a way to {do} {one}, and there are worse ones.
  I still have the {thing}, and on {adj} days I {do} it.
  That is {one} enough for one {thing}.
  The {thing} {goes} {where}, and {someone} {acts}, and that is all there is to it.
  {who} has gone back to {city} since, to {do} {one}, and the {thing} is {adj} again.
  Perhaps that is what {matter} is for.
  And if {one} {goes}, we will {do} {one}, as {those} always have.
  What remains is {one}, and the {mass} to {do} it.
  Next {season} we will {do} it again, {adv} this time, and with {few} {things} more.
  So much for {one}; the {thing} is still {where}, and it is still {adj}.
  None of us will be there to {do} it, which is perhaps the {thing} of {pursuit}.
  I asked {who} whether {one} was worth it, and the answer was a {thing}.
  If there is a {thing} here it is a {adj} one: {do} {one}, and {go} {adv}.
  The {spot} is quiet now, and the {thing} with it.`

/** One per line, the most frequent first. */

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

/** One per line, the most frequent first. */

export const evidence = `
  In {oldYear} there were {many} {ownThings} in {city}; today there are {few}.
  All this cost us {price} and took {few} months, which was {few} more than we had planned.
  {firm} tried as much with {many} {ownPeople} in {year} and gave up after {few} weeks.
  According to {full}, about {percent} of {ownPeople} never {do} a {ownThing} at all.
  We asked {many} {ownPeople} in {city}, and {percent} of them had {done} a {thing} since {month}.
  Prices have gone up by {percent} since {oldYear}, and {crowd} with them.
  When {firm} closed its {city} office in {year}, {many} {ownPeople} lost their {ownThings}.
  A {ownThing} that sold for {price} in {oldYear} goes for {price} now.
  I found {many} {ownThings} in an archive near {town}, most of them from {year} and all of them {adj}.
  On {day} {month} {year} somebody {did} a {ownThing} in {town}, and we are still living with it.
  Of the {ownPeople} who started in {oldYear}, {few} are still {pursuit}.
  {once}, {amount} of {some} were {done}, against {percent} in {oldYear}{tail}.
  At {firm}, {amount} of the {people} now {act}{tail}.
  {full}, who {did} {one} in {city} {span}, puts it at {percent}{tail}.
  The {thing} cost {price} in {oldYear} and {price} in {nearYear}{tail}.
  Of the {many} {things} that {firm} {did} in {year}, {few} were {adj}{tail}.
  A study of {many} {people} in {city} found that {percent} of them {act}{tail}.
  Between {oldYear} and {nearYear} the number of {things} in {town} went from {many} to {many}{tail}.
  The {product} {shaped} that: {adj}, {price} apiece, and {done} {adv} by {those}{tail}.
  {firm} and {firm} both {did} {one} {once}, and both went back to {one}{tail}.
  We counted {many} {things} {where}, and {percent} of them were {adj}{tail}.
  Most of the {few} {people} I asked in {city} said that {one} {shapes} {one}{tail}.
  The {people} of {town} paid {price} for {one} {once}, and it {went} within {few} weeks{tail}.
  In {city} the {thing} is {adj}; in {city} it is {percent} of {one}{tail}.
  The R&D budget of {firm} was {price}, and {percent} of it went on {some}{tail}.
  The field was called {ident}, and {percent} of the {things} in it were {adj}{tail}.
  {who} kept the {things} in a file named {ident}, one line for every {thing}{tail}.
  The address of the {thing}, {url}, has not changed since {oldYear}{tail}.
  The difference was {adj} (p < 0.05), though {few} of the {things} were missing{tail}.
  In the {thing} of {year}, {surname} and {surname} {did} {one} for the first time{tail}.
  The {firm} {thing}, {price} in the shops, was {done} in {town} by {few} {people}{tail}.`

/** Short sentences, for rhythm. */
export const asides = `
  The {thing} did the rest.
  The {people} said nothing.
  So much for the {thing} of the {thing}.
  The {adj} {thing} came later.
  Think of the {thing} of the {person}, or of the {thing} {where}.
  It was the {season} of the {adj} {thing}.
  The {thing}, for one, was {adj}.
  Call it the {mass} of the {thing}.
  The {things} of the {person} were another matter.
  Then came the {thing} of {year}.
  The {people} of {city} took it for {mass}.
  Not so the {person}.
  The {thing} and the {thing} came from the same {spot}.
  In the {spot}, the {people} went on {doing} the {things}.
  First the {thing} went, then the {things}, and in the end the {mass}.
  That was the {thing} of it: {adj}, {adj} and {adj}.
  On the {thing} of the {spot} somebody had {done} a {adj} {thing}.
  The {mass} was real, the {thing} was not.
  The {thing} for the {thing}, as the {people} say.
  Under the {thing} lay a {thing}, and under that a {adj} {thing}.
  One could hear the {things} from the {spot}.
  The {adj} {people} had the {things}, the {adj} ones had the {mass}.
  From the {thing} to the {thing} is a matter of {mass}.
  To the {person}, of course, the {thing} was never in doubt.
  The {thing} of the {spot} is a {adj} one.
  At the end of the {thing} stands the {person}.
  Hence the {thing}, and hence the {adj} {things} on the {thing}.
  Even the {person} of the {spot} knows the {thing} by name.
  With the {thing} went the {mass} of the {people}.
  Behind the {thing}, the {thing}; behind the {things}, a {person}.
  Of the {things} themselves, the {adj} ones lasted.
  The {person} with the {thing} was not amused.
  For the {people} it was the {thing} that mattered, not the {mass}.
  Like the {thing}, the {thing} has its {people}.
  After the {thing}, the {season} of the {thing}.
  The {people}, the {people} and the {people} all had a {thing} in it.
  The {thing} has the last word, and the {person} the first.
  No {thing}, no {mass}.
  {mass}, {mass}, {mass}: the {people} would hear of nothing else.
  {adj} {things}, {adj} {people}, and over all of it the {thing}.`

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

/** An interviewer's questions. */
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

/** With Markdown; no other sentence may contain `*`, a backtick or a bracket. */
export const marked = `
  The word for this is *{mass}*, and {those} {do} it {adv}.
  What we need is not a {thing} but **a {adj} {thing}**, and soon.
  The {thing} is kept at [{surname} and {surname}](https://{host}.example.org/{slug}), where {those} {do} it.
  In the settings it is called \`{ident}\`, and it {shapes} {one}.
  It was *never* about {one}, says {who}.
  See [the {thing} of {year}](https://{host}.example.org/{slug}/{year}) for the whole of {one}.
  On the old machine it lived in \`C:\\{host}\\{slug}\`, beside {one}.
  **{who} was right.** The {thing} was {adj}, and {one} {went}.
  Set \`{ident} = {number}\` and {one} {goes} {adv}.
  There is *{one}*, and there is *{one}*, and **only one of them** is {adj}.
  A {adj} list of {some} is [here](https://{host}.example.com/{slug}?page={number}), for {those}.
  The key, \`{ident}_{ident}\`, is {adj} and should stay so.`

export const intros = `
  What we kept, in no particular order:
  The list {where} is short:
  {who} made a list of it:
  For {pursuit} you need:
  These are the {things} that {those} {do}:
  By the end of {month} we had:`

export const items = `
  {one}, {done} {adv}
  {one} and {one}
  {few} {things} from {city}, {price} each
  the {thing} that {someone} {did} {once}
  {adj} {things}, never {adj} ones
  {one}: {percent} of the {thing}
  no {mass} before {few} o'clock
  {doing} {one} {where}
  {who}'s {thing}, and the {thing} of {one}
  {mass}, if there is any left`
