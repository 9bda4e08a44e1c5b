/** Short ones, for the rhythm. */
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
