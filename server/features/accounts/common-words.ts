/** What people build guessable passwords from, as published breaches show again and again: lower case, four letters or more. */
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

export const commonWords: readonly string[] = [...new Set(words.trim().split(/\s+/))].sort(
  (a, b) => b.length - a.length,
)

/** Rows and columns of keyboards, and the alphabet: what a finger or a child runs along. */
export const walks: readonly string[] = [
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
