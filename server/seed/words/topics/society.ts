import type { TopicSource } from '../topic.ts'

export const society: TopicSource[] = [
  {
    tags: 'work hours labour unions',
    pursuits: `working four days a week, striking for the first time at fifty, doing a job that should not exist,
      retiring from night shifts, taking lunch seriously`,
    matters: 'the four-day week, the night shift, the pointless job, the lunch hour',
    crowds: 'night shifts, lunch hours, four-day weeks, picket lines',
    things: `job shift wage strike union lunch contract factory boss weekend overtime rota picket-line uniform
      canteen`,
    masses: 'labour overtime leisure work solidarity productivity',
    people: 'worker foreman/foremen cleaner organiser employer',
    acts: 'strike/struck hire unionise employ dismiss automate negotiate',
    adjectives: 'four-day nightly underpaid tired temporary skilled casual',
  },
  {
    tags: 'migration borders home belonging',
    pursuits: `arriving with one suitcase, learning the word for home twice, waiting nine years for a stamp,
      sending money to a village, welcoming people who will leave`,
    matters: 'the one suitcase, the second passport, the waiting room, the village paid for from abroad',
    crowds: 'second passports, waiting rooms, new arrivals, remittances',
    things: `suitcase passport border stamp visa village language queue embassy permit letter journey interpreter
      boat`,
    masses: 'migration asylum homesickness belonging exile paperwork',
    people: 'migrant refugee officer interpreter newcomer',
    acts: 'welcome deport leave/left cross settle translate sponsor resettle',
    adjectives: 'foreign undocumented homesick stateless bilingual temporary welcome',
  },
  {
    tags: 'loneliness company cities public-space',
    pursuits: `eating alone in public, knowing every neighbour by name, living by yourself at eighty, talking to
      strangers on a bus, building benches that face each other`,
    matters: 'the bench by the clinic, the table for one, the telephone tree, the neighbour nobody met',
    crowds: 'tables for one, park benches, lonely cities, small greetings',
    things: 'bench table neighbour greeting phone street stranger dog window doorbell evening crowd visit club',
    masses: 'loneliness company solitude small_talk shyness isolation',
    people: 'neighbour stranger pensioner postman/postmen volunteer',
    acts: 'greet visit invite phone ignore befriend accompany overhear/overheard',
    adjectives: 'lonely crowded shy unvisited urban single friendly',
  },
  {
    tags: 'villages countryside depopulation land',
    pursuits: `moving to a village with eleven houses, closing the last school in the valley, selling land to a
      stranger, staying when everyone left, reopening the village shop`,
    matters: 'the last school in the valley, the empty village, the returning wolf, the shop that reopened',
    crowds: 'empty villages, returning families, village shops, old farms',
    things: 'village valley farm school shop field church barn road wolf/wolves harvest tractor orchard well',
    masses: 'silence land farming drought depopulation tourism',
    people: 'farmer villager shepherd newcomer priest',
    acts: 'farm sell/sold abandon reopen graze harvest inherit rewild',
    adjectives: 'rural empty stony remote returning terraced abandoned',
  },
  {
    tags: 'class education accents mobility',
    pursuits: `changing your accent for an interview, being the first to go to university, sending a child away to
      school, eating with the wrong fork, explaining where you are from`,
    matters: 'the wrong fork, the borrowed accent, the scholarship letter, the first degree in the family',
    crowds: 'first degrees, borrowed accents, scholarship children, unpaid internships',
    things: `accent school fork degree interview scholarship suit table ladder postcode uniform invitation club
      vowel`,
    masses: 'class snobbery mobility privilege schooling manners',
    people: 'student snob scholar graduate tutor',
    acts: 'imitate exclude educate hide/hid/hidden inherit correct admit+',
    adjectives: 'working-class posh self-taught elite borrowed polite unequal',
  },
  {
    tags: 'ritual religion community belief',
    pursuits: `going to church without believing, fasting with the neighbours, inventing a ritual for a divorce,
      ringing bells by hand, keeping a holiday nobody else keeps`,
    matters: 'the unbelieving choir, the borrowed prayer, the bell rope, the holiday nobody else keeps',
    crowds: 'bell ringers, borrowed prayers, secular weddings, small congregations',
    things: 'bell prayer candle church feast hymn wedding altar fast temple procession pew blessing choir',
    masses: 'ritual faith incense doubt prayer belief',
    people: 'priest believer sceptic bell-ringer bride',
    acts: 'bless ring/rang/rung fast light/lit attend sing/sang/sung',
    adjectives: 'sacred secular solemn faithful annual holy unbelieving',
  },
  {
    tags: 'hospitals nursing care health',
    pursuits: `nursing through the night, waiting eleven hours on a trolley, cleaning a ward properly, explaining
      bad news in plain words, training as a midwife at forty`,
    matters: 'the night nurse, the eleven-hour wait, the plain word for dying, the clean ward',
    crowds: 'night nurses, long waits, clean wards, tired doctors',
    things: `ward nurse bed shift trolley patient corridor chart needle clinic uniform diagnosis/diagnoses
      handover blanket`,
    masses: 'care pain hygiene nursing medicine recovery',
    people: 'nurse patient doctor midwife/midwives porter',
    acts: 'nurse discharge diagnose wash bandage treat monitor reassure',
    adjectives: 'clinical understaffed chronic sterile gentle exhausted acute',
  },
  {
    tags: 'internet moderation communities platforms',
    pursuits: `moderating a forum about trains, leaving the group chat, being recognised by strangers online,
      keeping a small corner of the web tidy, reading the comments on purpose`,
    matters: 'the volunteer moderator, the group chat, the deleted account, the forum about trains',
    crowds: 'group chats, volunteer moderators, old forums, deleted accounts',
    things: `forum post comment account moderator thread platform rule ban profile message argument feed
      screenshot troll`,
    masses: 'moderation outrage anonymity spam trust bandwidth',
    people: 'moderator stranger poster follower troll',
    acts: 'moderate ban+ delete mute report flag+ archive post',
    adjectives: 'anonymous online deleted viral toxic civil pseudonymous',
  },
  {
    tags: 'neighbours trust commons sharing',
    pursuits: `sharing one car between nine houses, lending a ladder, arguing about a hedge for a decade, leaving
      the door unlocked, organising a street party in the rain`,
    matters: 'the shared ladder, the nine-house car, the unlocked door, the hedge that divided a street',
    crowds: 'shared ladders, street parties, unlocked doors, good fences',
    things: 'hedge ladder fence street car door key party lawnmower gate bin drill cat wall petition',
    masses: 'trust sharing gossip privacy neighbourliness noise',
    people: 'neighbour tenant organiser newcomer caretaker',
    acts: 'lend/lent share borrow trim+ unlock mend invite',
    adjectives: 'shared unlocked neighbourly overgrown communal noisy trusted',
  },
]
