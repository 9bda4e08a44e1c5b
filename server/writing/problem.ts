/** Something the writer can mend: said as a sentence beside the file it is about. */
export class Problem extends Error {}

/** The whole run cannot go on: a key that is none, a house that does not answer, a day that is used up. */
export class Stopped extends Error {}
