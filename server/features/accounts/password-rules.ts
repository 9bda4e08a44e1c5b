import { type FieldProblem, invalid } from '#platform/errors.ts'

/** What is known of the person, and therefore to attackers. */
export interface Owner {
  readonly email: string
  readonly name: string
  readonly siteName: string
}

/** Also with a passkey, since the password alone signs in. */
const minLength = 15
const maxLength = 256
/** This much must remain of a password after removing what attackers try first. */
const minUnpredictable = 6
const minDistinct = 5

/** Refuses a password that is short or easily guessed, and says how to make a better one. */
export function refuseWeakPassword(password: string, owner: Owner): void {
  const problem = weakness(password, owner)
  if (problem) throw invalid([{ pointer: '/password', ...problem }])
}

function weakness(password: string, owner: Owner): Omit<FieldProblem, 'pointer'> | undefined {
  const normal = password.normalize('NFKC')
  const length = [...normal].length
  if (length < minLength) {
    const detail = `must have at least ${minLength} characters; four unrelated words are easy to remember`
    return { code: 'too_short', detail, limit: minLength, actual: length }
  }
  if (length > maxLength) {
    return { code: 'too_long', detail: `must have at most ${maxLength} characters`, limit: maxLength, actual: length }
  }
  const plain = folded(normal)
  if (new Set(plain).size < minDistinct || isRepetition(plain)) {
    return { code: 'guessable', detail: 'repeats itself; choose unrelated words' }
  }
  const own = withoutWalks(without(without(plain, wordsOf(owner)), commonWords).replace(/(19|20)\d\d/g, ''))
  // A digit counts half as much as a character of a word.
  const worth = own.length - (own.match(/[\d\s]/g)?.length ?? 0) / 2
  if (worth >= minUnpredictable) return undefined
  return {
    code: 'guessable',
    detail: 'is easily guessed (common passwords, keyboard rows, your name or email); add unrelated words',
  }
}

const leet: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')

/** Undoes substitutions as in p4$$w0rd, one character for one, so that positions stay the same. */
const unleeted = (text: string): string => text.replace(/[013457@$!]/g, (character) => leet[character]!)

/** "abcabcabc": a repeated part. */
const isRepetition = (text: string): boolean => (text + text).indexOf(text, 1) <= text.length / 2

const wordsOf = ({ email, name, siteName }: Owner): string[] =>
  [email, name, siteName]
    .flatMap((text) => [folded(text), ...folded(text).split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length >= 3)
    .sort((a, b) => b.length - a.length)

function without(text: string, words: readonly string[]): string {
  let rest = text
  for (const word of words) {
    for (let at = find(rest, word); at !== -1; at = find(rest, word))
      rest = rest.slice(0, at) + rest.slice(at + word.length)
  }
  return rest
}

function find(text: string, word: string): number {
  const at = text.indexOf(word)
  return at === -1 ? unleeted(text).indexOf(word) : at
}

/** Removes runs of three or more along a keyboard row, the alphabet or one key, in either direction. */
function withoutWalks(text: string): string {
  let rest = ''
  for (let at = 0; at < text.length; ) {
    const length = runAt(text, at)
    if (length < 3) rest += text[at]
    at += length < 3 ? 1 : length
  }
  return rest
}

/** Rows and columns of keyboards, and the alphabet. */
const walks: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qazwsxedcrfvtgbyhnujm',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
]

const allWalks = walks.flatMap((walk) => [walk, [...walk].reverse().join('')])

function runAt(text: string, start: number): number {
  let longestRun = /^(.)\1*/su.exec(text.slice(start))?.[0].length ?? 1
  for (const walk of allWalks) {
    let length = 1
    while (start + length < text.length && walk.includes(text.slice(start, start + length + 1))) length += 1
    longestRun = Math.max(longestRun, length)
  }
  return longestRun
}

/** Common parts of passwords in published breaches: lower case, four characters or more. */
const words = `
  password passwort passw contrasena motdepasse senha parola haslo wachtwoord salasana lozinka heslo
  admin administrator root user guest login signin welcome letmein changeme default secret access master manager
  system server service support internet computer network windows linux apple google facebook instagram twitter
  youtube amazon netflix microsoft samsung nokia oracle cisco wifi test testing temp demo sample office company
  iloveyou loveyou iloveu lovely love lover loveme forever family mother father daddy mommy mama papa baby babygirl
  babyboy honey sweet sweetie sweety sugar angel angels princess prince queen king kiss kisses heart friend friends
  bestfriend trustno trust nobody whatever nothing something hello helloworld goodbye bonjour hola ciao hallo
  monkey dragon tiger lion panther eagle falcon phoenix wolf bear horse pony kitty kitten puppy doggy butterfly
  dolphin shark snake spider chicken turtle rabbit bunny panda pussycat
  football futbol soccer baseball basketball hockey tennis golf softball volleyball swimming wrestling racing
  arsenal chelsea liverpool manchester barcelona realmadrid juventus benfica galatasaray fenerbahce rangers celtic
  yankees cowboys steelers lakers packers redsox patriots eagles raiders broncos
  superman batman spiderman starwars startrek pokemon pikachu naruto matrix minecraft fortnite warcraft gameover
  gamer player hunter killer ninja samurai warrior soldier pirate cowboy gangster ghost vampire zombie demon devil
  wizard merlin gandalf frodo legolas skywalker yoda vader terminator rambo rocky
  mustang ferrari porsche mercedes corvette camaro harley yamaha suzuki kawasaki honda toyota nissan subaru jaguar
  sunshine summer winter spring autumn monday tuesday wednesday thursday friday saturday sunday january february
  march april june july august september october november december birthday christmas halloween
  flower flowers rainbow chocolate cookie cookies banana orange cherry strawberry pepper ginger peanut butter cheese
  coffee pizza vanilla candy apples lemon mango peach
  silver golden diamond crystal black white purple yellow green blue orange pink rose
  michael jordan jessica ashley daniel andrew joshua matthew jennifer charlie thomas hannah amanda nicole robert
  anthony justin brandon michelle maggie george buster tigger hunter ginger sophie chelsea heather melissa stephanie
  patrick richard william alexander alexandra elizabeth victoria samantha jasmine natasha andrea maria carlos jose
  jesus christ blessed heaven faith grace freedom liberty america england london paris berlin canada mexico brasil
  india russia moscow ukraine scotland ireland australia california texas florida chicago dallas boston newyork
  qwerty qwertz azerty asdf zxcv qazwsx password1 passw0rd letmein1 abcdef abcd
  metallica nirvana slipknot eminem beatles guitar music musica dancer dance singer school student teacher college
  university doctor nurse police lawyer engineer writer author editor publish
  fuckyou fuckme fuck shit bitch asshole sexy sexsex hotstuff cool awesome perfect lucky happy smile crazy
  money dollar rich million business success winner champion number first power energy magic mystery shadow storm
  thunder lightning fire water earth ocean river mountain moon star stars galaxy universe planet rocket
`

const commonWords: readonly string[] = [...new Set(words.trim().split(/\s+/))].sort((a, b) => b.length - a.length)
