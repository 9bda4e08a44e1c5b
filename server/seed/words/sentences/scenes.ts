/** How a piece opens. */
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

/** How it ends. */
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
