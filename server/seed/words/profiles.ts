/** One per line, the usual first. */

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
