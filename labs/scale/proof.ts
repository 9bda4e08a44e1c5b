export type Length = 'short' | 'usual' | 'long'
/** Prints what it measured. False where a claim did not hold. */
export type Proof = (length: Length) => Promise<boolean>
