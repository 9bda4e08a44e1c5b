/** One per line, the usual first: the further down, the rarer. */

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
