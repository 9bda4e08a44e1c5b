import type { TopicSource } from '../forms.ts'

export const civic: TopicSource[] = [
  {
    tags: 'elections voting councils democracy',
    pursuits: `counting votes by hand, standing for the council and losing, voting for someone you dislike,
      knocking on four thousand doors, drawing a fair boundary`,
    matters: 'the village count, the spoiled ballot, the losing candidate, the school hall on election day',
    crowds: 'paper ballots, losing candidates, polling stations, spoiled ballots',
    things: `ballot vote candidate election boundary poll leaflet doorstep ward majority recount pencil turnout
      mandate`,
    masses: 'democracy turnout canvassing apathy counting fairness',
    people: 'voter candidate councillor canvasser teller',
    acts: 'count elect canvass nominate recount defeat represent leaflet',
    adjectives: 'electoral spoiled narrow local marginal secret postal',
  },
  {
    tags: 'libraries public-space reading councils',
    pursuits: `keeping a library open on Saturdays, closing a library and what comes after, lending drills as well
      as books, working in the warmest room in town, counting readers by the cold days`,
    matters: 'the Saturday library, the warmest room in town, the returned book, the last mobile library',
    crowds: 'public libraries, late fines, reading rooms, Saturday openings',
    things: `library book shelf/shelves card reader fine desk hour closure petition volunteer story-time catalogue
      loan branch`,
    masses: 'reading silence warmth funding lending literacy',
    people: 'librarian reader volunteer councillor child/children',
    acts: 'lend/lent borrow shelve renew close catalogue petition stamp',
    adjectives: 'public warm quiet overdue closed free municipal',
  },
  {
    tags: 'buses transport streets planning',
    pursuits: `waiting for a bus that was cut, planning a town for people who walk, riding every route in one
      week, painting a cycle lane at night, making the bus free on Sundays`,
    matters: 'the last bus, the free Sunday, the painted lane, the timetable that tells the truth',
    crowds: 'rural buses, cycle lanes, bus drivers, timetables',
    things: `bus route stop timetable driver lane fare junction passenger roundabout street kerb depot crossing
      pass`,
    masses: 'transport traffic congestion parking mobility funding',
    people: 'driver passenger planner cyclist commuter',
    acts: 'plan reroute widen park pave subsidise pedestrianise',
    adjectives: 'rural late free frequent congested orange pedestrian',
  },
  {
    tags: 'water floods rivers infrastructure',
    pursuits: `living on a flood plain, cleaning a river that runs through three councils, mapping every drain in
      a city, reading the water meter, building a wall against the sea`,
    matters: 'the flood wall, the blocked drain, the river that came back, the hundred-year storm',
    crowds: 'flood walls, blocked drains, clean rivers, old sewers',
    things: 'river flood drain pipe wall pump valve storm reservoir meter culvert sandbag bank sewer estuary',
    masses: 'water rainfall sewage drainage silt erosion',
    people: 'engineer resident farmer inspector swimmer',
    acts: 'drain dredge flood pump divert monitor dam+ restore',
    adjectives: 'tidal flooded blocked polluted upstream leaking coastal',
  },
  {
    tags: 'schools teaching education children',
    pursuits: `teaching in a school with eighty children, feeding every pupil for free, inspecting a school
      without fear, sitting on a board of governors, learning fractions from a baker`,
    matters: `the free school lunch, the inspector's visit, the smallest school, the teacher who stayed`,
    crowds: 'small schools, school lunches, governors, supply teachers',
    things: `school lesson classroom pupil exam lunch timetable blackboard term inspector homework-book corridor
      assembly report`,
    masses: 'education attendance homework discipline literacy funding',
    people: 'teacher pupil governor headteacher parent',
    acts: 'teach/taught mark inspect feed/fed enrol+ exclude tutor examine',
    adjectives: 'rural primary understaffed gifted absent compulsory curious',
  },
  {
    tags: 'planning housing permits neighbours',
    pursuits: `objecting to a building and being wrong, planning a street with the people who live on it, turning
      an office into forty homes, reading a planning notice on a lamp post, building on the car park`,
    matters: `the planning notice, the loud objection, the car park by the station, the home nobody wanted next
      door`,
    crowds: 'planning notices, loud objections, car parks, new neighbours',
    things: `permit notice objection plan street car-park terrace hearing developer storey council plot height
      neighbour`,
    masses: 'housing planning density zoning consultation shade',
    people: 'planner resident developer objector councillor',
    acts: 'permit+ build/built rezone consult demolish approve appeal',
    adjectives: 'residential vacant dense controversial affordable approved local',
  },
  {
    tags: 'juries courts justice law',
    pursuits: `serving on a jury for eleven days, waiting in a magistrates' court, writing a law people can read,
      watching a trial with nobody in the gallery, forgiving a burglar`,
    matters: 'the eleventh juror, the empty public gallery, the adjourned case, the plain-language law',
    crowds: 'juries, empty galleries, adjourned cases, plain-language laws',
    things: `jury trial verdict judge court witness sentence appeal case oath gallery statute barrister cell
      adjournment`,
    masses: 'justice evidence testimony bail law mercy',
    people: 'juror judge witness barrister defendant',
    acts: 'convict acquit+ sentence adjourn appeal forgive/forgave/forgiven',
    adjectives: 'guilty lawful adjourned unanimous reasonable sworn public',
  },
  {
    tags: 'newspapers local-news journalism towns',
    pursuits: `starting a newspaper in a town of nine thousand, reporting on people you meet at the baker's,
      correcting a mistake on the front page, sitting through the planning committee, printing on Thursdays`,
    matters: 'the front-page correction, the last local reporter, the letters page, the town without a newspaper',
    crowds: 'local papers, corrections, letters pages, cub reporters',
    things: `newspaper story headline reporter column edition deadline correction source advert interview notebook
      page obituary`,
    masses: 'journalism newsprint accuracy gossip advertising scrutiny',
    people: 'reporter editor reader publisher source',
    acts: 'report print correct edit interview publish verify',
    adjectives: 'local weekly anonymous factual printed partisan unpaid',
  },
  {
    tags: 'records open-data transparency government',
    pursuits: `asking a council for its receipts, publishing every contract, reading minutes from 1911, counting
      potholes with the neighbours, waiting ninety days for a spreadsheet`,
    matters: 'the ninety-day wait, the blacked-out page, the open register, the pothole map',
    crowds: 'public records, blacked-out pages, open registers, freedom of information requests',
    things: `record request register contract spreadsheet minute receipt archive page clerk tender dataset audit
      pothole`,
    masses: 'transparency secrecy data procurement disclosure redaction',
    people: 'clerk auditor archivist citizen official',
    acts: 'publish redact request disclose archive audit count withhold/withheld',
    adjectives: 'public redacted official overdue machine-readable dusty open',
  },
]

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

export const ideas: TopicSource[] = [
  {
    tags: 'attention mind philosophy noticing',
    pursuits: `paying attention to one thing, being bored without help, looking at a wall for an hour, noticing
      what everyone steps over, thinking with your hands`,
    matters: 'the wandering mind, the blank wall, the lost art of noticing, the interrupted thought',
    crowds: 'wandering minds, blank walls, interrupted thoughts, careful observers',
    things: `thought mind moment glance observer window distraction object silence habit detail spell interruption
      gaze`,
    masses: 'attention boredom perception consciousness stillness noticing',
    people: 'observer philosopher monk painter child/children',
    acts: 'notice observe ignore contemplate interrupt overlook watch describe',
    adjectives: 'attentive wandering conscious still fleeting absorbed blank',
  },
  {
    tags: 'statistics uncertainty numbers evidence',
    pursuits: `living with a probability, counting things that hide, reading a graph slowly, being wrong in a
      useful way, averaging people who do not exist`,
    matters: `the average person, the missing data, the honest error bar, the coincidence that was only a
      coincidence`,
    crowds: 'averages, error bars, missing data points, coincidences',
    things: `number average graph sample error estimate chance coin dice/dice survey bias forecast correlation
      outlier`,
    masses: 'probability evidence statistics randomness uncertainty luck',
    people: 'statistician gambler forecaster pollster sceptic',
    acts: 'estimate sample measure predict average misread/misread plot discard',
    adjectives: 'probable random biased significant average uncertain skewed',
  },
  {
    tags: 'science history discovery experiments',
    pursuits: `repeating an old experiment, being right forty years too early, keeping a laboratory notebook,
      discovering something by washing up, weighing the air in a room`,
    matters: `the forgotten experiment, the laboratory notebook, the wrong theory that worked, the second
      discoverer`,
    crowds: 'wrong theories, old experiments, laboratory notebooks, lucky accidents',
    things: `experiment theory notebook laboratory instrument lens comet hypothesis/hypotheses discovery paper
      telescope fossil vacuum`,
    masses: 'science evidence curiosity phlogiston chemistry physics',
    people: 'scientist astronomer chemist assistant historian',
    acts: 'measure observe refute replicate discover weigh publish doubt',
    adjectives: 'experimental forgotten empirical wrong microscopic patient celebrated',
  },
  {
    tags: 'maps geography borders places',
    pursuits: `drawing a map from memory, naming a hill, finding an island that was never there, walking along a
      border, measuring a coast`,
    matters: `the island that was never there, the map without roads, the straight border, the blank part of the
      chart`,
    crowds: 'old maps, straight borders, phantom islands, place names',
    things: 'map border island coast river road name scale compass atlas legend mountain contour edge survey',
    masses: 'geography distance cartography north territory wilderness',
    people: 'cartographer surveyor explorer traveller smuggler',
    acts: 'map survey name cross measure draw/drew/drawn redraw/redrew/redrawn navigate',
    adjectives: 'uncharted straight imaginary coastal blank disputed northern',
  },
  {
    tags: 'language metaphor words meaning',
    pursuits: `choosing a metaphor and living in it, losing a word for blue, arguing about a comma, naming what
      has no name, listening to how children ask`,
    matters: 'the dead metaphor, the missing word, the serial comma, the sentence that changed its meaning',
    crowds: 'dead metaphors, missing words, commas, new names',
    things: 'word metaphor comma sentence name verb question alphabet root noun accent phrase dictionary vowel',
    masses: 'language meaning grammar syntax etymology ambiguity',
    people: 'linguist poet grammarian speaker child/children',
    acts: 'name define misuse coin spell borrow pronounce parse',
    adjectives: 'metaphorical dead literal ancient spoken nameless vague',
  },
  {
    tags: 'time clocks history calendars',
    pursuits: `living by the sun for a month, keeping a clock that runs slow, inventing a calendar, arriving early
      on principle, waiting as a skill`,
    matters: 'the slow clock, the extra day, the town with two times, the hour that does not exist',
    crowds: 'slow clocks, calendars, leap years, long waits',
    things: 'clock hour calendar minute season sundial second pendulum bell century wait anniversary decade tick',
    masses: 'time patience punctuality waiting duration eternity',
    people: 'clockmaker astronomer monk commuter historian',
    acts: 'measure wind/wound synchronise count delay divide reset+/reset',
    adjectives: 'slow punctual timeless solar late lunar precise',
  },
  {
    tags: 'memory forgetting mind stories',
    pursuits: `remembering something that did not happen, learning a poem by heart, forgetting on purpose,
      trusting a witness, keeping the dead in conversation`,
    matters: 'the false memory, the poem learned by heart, the smell of a classroom, the reliable witness',
    crowds: 'false memories, reliable witnesses, childhood smells, mnemonics',
    things: 'memory story name face poem smell witness photograph lie childhood detail dream song scar',
    masses: 'memory forgetting nostalgia recall oblivion repetition',
    people: 'witness historian psychologist storyteller child/children',
    acts: 'remember forget+/forgot/forgotten invent recall repeat memorise confuse retell/retold',
    adjectives: 'false vivid forgotten childhood unreliable distant remembered',
  },
  {
    tags: 'machines ai writing tools',
    pursuits: `writing with a machine that never tires, asking a model about your grandmother, grading an essay
      nobody wrote, teaching a computer to doubt, keeping one thing for human hands`,
    matters: `the machine that never tires, the unwritten essay, the confident wrong answer, the last human
      proofreader`,
    crowds: 'language models, confident answers, proofreaders, thinking machines',
    things: 'machine model answer prompt essay sentence error tool question calculator pattern token robot editor',
    masses: 'automation intelligence plagiarism fluency training judgement',
    people: 'programmer teacher proofreader user sceptic',
    acts: 'prompt train imitate grade automate verify predict outsource',
    adjectives: 'artificial fluent tireless confident synthetic human wrong',
  },
  {
    tags: 'ethics promises honesty duty',
    pursuits: `keeping a promise to someone who forgot it, telling a small truth, doing good anonymously, owing a
      stranger, changing your mind about forgiveness`,
    matters: 'the forgotten promise, the white lie, the anonymous gift, the duty to a stranger',
    crowds: 'white lies, kept promises, anonymous gifts, small duties',
    things: 'promise lie duty gift stranger rule choice secret oath excuse principle apology virtue debt',
    masses: 'honesty forgiveness guilt kindness conscience virtue',
    people: 'philosopher stranger liar friend saint',
    acts: 'promise forgive/forgave/forgiven owe deceive keep/kept admit+ confess excuse',
    adjectives: 'honest moral anonymous binding selfish white good',
  },
]
