/** Something the writer can mend: said as a sentence beside the file it is about. */
export class Problem extends Error {}

/** The site does not take what a file asks of it. */
export class Refused extends Problem {
  readonly status: number

  constructor(status: number, words: string) {
    super(words)
    this.status = status
  }
}

/** The whole run cannot go on: a key that is none, a site that does not answer, a day that is used up. */
export class Stopped extends Error {}

/** No answer came. What was asked may be done, or not. */
export class Lost extends Stopped {}
