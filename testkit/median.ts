/** Of an even number the upper one. Unlike the mean it takes no notice of the one time something else had the machine. */
export const middle = (figures: readonly number[]): number =>
  figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)]!
