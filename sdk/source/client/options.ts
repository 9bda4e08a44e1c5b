/**
 * The options of a call, if there are no others. One that is misspelt would be left out unseen, and the list be of
 * everything instead of what was meant.
 */
export function only<Options extends object>(options: Options, names: readonly string[]): Options {
  if (typeof options !== 'object') throw new TypeError(`Options are an object; there are ${names.join(', ')}.`)
  const others = Object.keys(options).filter((name) => !names.includes(name))
  if (others.length === 0) return options
  throw new TypeError(`There is no option ${others.join(', ')}; there are ${names.join(', ')}.`)
}

/** Of every call. */
export const ofCalls = ['signal'] as const
