import type { TopicSource } from '../forms.ts'

export const culture: TopicSource[] = [
  {
    tags: 'books reading novels fiction',
    pursuits: `reading one long novel every winter, giving up on a book at page ninety, reading aloud to adults,
      rereading what you hated at school, arranging a shelf by friendship`,
    matters: 'the long novel, the unread shelf, the second reading, the last page of a borrowed book',
    crowds: 'long novels, unread books, book clubs, first sentences',
    things: `novel chapter sentence page shelf paperback narrator plot ending bookmark character reader cover
      footnote`,
    masses: 'fiction reading prose suspense dialogue literature',
    people: 'novelist reader narrator librarian bookseller',
    acts: 'read/read reread/reread lend/lent underline borrow finish abandon annotate',
    adjectives: 'unread unfinished literary fictional borrowed dog-eared autobiographical',
  },
  {
    tags: 'museums objects galleries history',
    pursuits: `spending an hour with one painting, returning what was taken, writing labels that people read,
      visiting a museum with a child, keeping what nobody comes to see`,
    matters: 'the empty gallery, the museum label, the returned statue, the smallest museum in the county',
    crowds: 'small museums, museum labels, empty galleries, plaster casts',
    things: 'museum painting label gallery exhibit statue object frame cabinet curator loan relic coin catalogue',
    masses: 'conservation provenance restitution marble curation heritage',
    people: 'curator visitor guard collector restorer',
    acts: 'exhibit restore catalogue label+ loan return acquire dust',
    adjectives: 'gilded looted permanent fragile priceless colonial borrowed',
  },
  {
    tags: 'music choirs listening orchestras',
    pursuits: `singing in a choir that lets everyone in, learning the cello at fifty, listening to one record for
      a year, tuning a piano that nobody plays, conducting people who cannot read music`,
    matters: 'the village choir, the second violin, the unplayed piano, the silence after the last note',
    crowds: 'village choirs, second violins, unplayed pianos, late beginners',
    things: 'choir concert piano violin chord rehearsal record song melody bow note encore score drum hymn',
    masses: 'music harmony silence rhythm applause practice',
    people: 'conductor singer cellist pianist listener',
    acts: 'sing/sang/sung rehearse conduct tune record hum+ perform compose',
    adjectives: 'choral acoustic tuneless melodic amateur orchestral loud',
  },
  {
    tags: 'film cinema stories watching',
    pursuits: `watching films without a phone, running a cinema with forty seats, staying until the credits end,
      filming the same street every year, watching a film you cannot translate`,
    matters: 'the forty-seat cinema, the long take, the bad sequel, the seat by the aisle',
    crowds: 'small cinemas, long takes, bad sequels, subtitles',
    things: 'film scene camera shot screen sequel projector seat subtitle reel trailer ending close-up festival',
    masses: 'cinema footage popcorn lighting editing melodrama',
    people: 'director actor projectionist extra critic',
    acts: 'film cut/cut screen project edit watch direct dub+',
    adjectives: 'silent grainy cinematic restored subtitled handheld monochrome',
  },
  {
    tags: 'food cooking recipes kitchens',
    pursuits: `cooking for people who arrive late, writing down a recipe that was never written, eating soup for
      breakfast, washing up as a form of thanks, feeding forty people from one pot`,
    matters: 'the family recipe, the second helping, the stained cookbook, the table that seats eleven',
    crowds: 'family recipes, long lunches, stained cookbooks, shared tables',
    things: 'recipe pot table onion knife/knives stew lunch cookbook spoon oven guest pan market leftover dumpling',
    masses: 'soup garlic bread hunger salt hospitality stock',
    people: 'cook guest host chef grandmother',
    acts: 'cook chop simmer season taste serve boil invite',
    adjectives: 'salty slow shared burnt homemade fragrant hungry',
  },
  {
    tags: 'translation languages words writing',
    pursuits: `translating a joke, learning your grandmother's language, leaving a word untranslated, reading a
      poem in two languages at once, losing an argument in a second language`,
    matters: 'the untranslatable word, the second language, the bilingual joke, the dictionary by the bed',
    crowds: 'untranslated words, bilingual jokes, old dictionaries, false friends',
    things: `word translation dictionary joke accent sentence idiom verb mistake phrase poem dialect proverb
      footnote`,
    masses: 'grammar meaning fluency slang pronunciation ambiguity',
    people: 'translator speaker interpreter grandmother poet',
    acts: 'translate misread/misread pronounce interpret mistranslate mumble borrow recite',
    adjectives: 'bilingual literal untranslatable fluent idiomatic spoken mistaken',
  },
  {
    tags: 'theatre stage plays audiences',
    pursuits: `rehearsing a play for one night, applauding something you did not like, building a stage in a barn,
      forgetting your lines in front of everyone you know, sitting in the cheapest seat`,
    matters: 'the cheapest seat, the understudy, the dress rehearsal, the play that closed after a week',
    crowds: 'understudies, dress rehearsals, cheap seats, village plays',
    things: `play stage rehearsal costume audience line curtain prompt script understudy interval backdrop
      monologue cue`,
    masses: 'stagecraft applause lighting improvisation nerves tragedy',
    people: 'actor director prompter usher playwright',
    acts: 'rehearse stage perform applaud memorise direct improvise forget+/forgot/forgotten',
    adjectives: 'dramatic theatrical nervous sold-out backstage improvised tragic',
  },
  {
    tags: 'photography archives memory family',
    pursuits: `sorting nine thousand family photographs, photographing the same tree every morning, throwing
      pictures away, finding a stranger in your own album, keeping an archive that nobody asked for`,
    matters: `the shoebox of photographs, the blurred portrait, the family archive, the man at the edge of the
      picture`,
    crowds: 'family albums, blurred portraits, shoeboxes, old negatives',
    things: `photograph album negative portrait camera shoebox archive caption lens print darkroom flash scan
      stranger`,
    masses: 'photography memory exposure nostalgia focus film',
    people: 'photographer archivist sitter stranger ancestor',
    acts: 'photograph caption scan crop label+ develop archive discard',
    adjectives: 'blurred faded unlabelled overexposed posed candid sepia',
  },
  {
    tags: 'football sport clubs losing',
    pursuits: `supporting a club that never wins, coaching the under-nines in the rain, keeping score by hand,
      losing well, standing on the same terrace for forty years`,
    matters: 'the losing season, the away end, the volunteer referee, the last match before Christmas',
    crowds: 'losing teams, volunteer referees, away fans, muddy pitches',
    things: 'match club season goal pitch penalty terrace ticket scarf/scarves league whistle kit substitute derby',
    masses: 'football mud loyalty rivalry training luck',
    people: 'supporter goalkeeper referee coach captain',
    acts: 'support coach referee lose/lost defend score chant substitute',
    adjectives: 'muddy relegated away faithful unbeaten hoarse amateur',
  },
]

export const life: TopicSource[] = [
  {
    tags: 'sleep rest nights health',
    pursuits: `sleeping badly for a year, going to bed at nine, waking before the birds, giving up on the perfect
      night, sharing a bed with someone who reads`,
    matters: `the four o'clock waking, the afternoon nap, the early night, the bedroom without a clock`,
    crowds: 'short nights, afternoon naps, early risers, bad sleepers',
    things: 'night pillow dream alarm nap bed clock window blanket hour mattress yawn bedtime lullaby',
    masses: 'sleep insomnia darkness rest caffeine snoring',
    people: 'sleeper insomniac nurse doctor parent',
    acts: 'wake/woke/woken rest dim+ count silence soothe postpone',
    adjectives: 'sleepless drowsy early restless dark nocturnal rested',
  },
  {
    tags: 'grief loss memory family',
    pursuits: `emptying a house after a death, writing to someone who is gone, cooking for the bereaved, keeping a
      coat that still smells of him, learning what to say`,
    matters: 'the second year, the unanswered letter, the empty chair at Christmas, the voicemail she kept',
    crowds: 'condolence letters, empty chairs, second years, anniversaries',
    things: `funeral letter coat photograph grave anniversary wardrobe casserole voicemail hymn diary chair will
      garden`,
    masses: 'grief mourning memory silence comfort absence',
    people: 'widow widower mourner friend orphan',
    acts: 'bury mourn remember keep/kept forgive/forgave/forgiven visit fold comfort',
    adjectives: 'bereaved unanswered tender absent late tearful ordinary',
  },
  {
    tags: 'parenting children family school',
    pursuits: `raising a child who hates to lose, being a father at fifty, reading the same book four hundred
      times, apologising to a six-year-old, walking to school the long way`,
    matters: 'the long way to school, the bedtime story, the second child, the first lie',
    crowds: 'bedtime stories, tired parents, school gates, second children',
    things: `child/children bedtime toy tantrum story lunchbox drawing playground pram sibling question birthday
      tooth/teeth nap`,
    masses: 'parenthood patience play homework childcare laundry',
    people: 'mother father toddler grandparent teenager',
    acts: 'raise feed/fed bathe scold comfort carry spoil teach/taught',
    adjectives: 'tired stubborn sleepless small sticky curious toothless',
  },
  {
    tags: 'gardening plants seasons soil',
    pursuits: `growing potatoes on a balcony, planting trees you will not sit under, failing at tomatoes, keeping
      an allotment through a wet year, learning the names of weeds`,
    matters: 'the north-facing garden, the compost heap, the late frost, the shared allotment',
    crowds: 'allotments, late frosts, front gardens, patient gardeners',
    things: `garden seed spade tomato/tomatoes bed bulb hedge slug greenhouse weed rose harvest pond blossom
      trowel`,
    masses: 'compost soil frost mulch drought shade',
    people: 'gardener neighbour botanist beginner grandfather',
    acts: 'plant prune weed water dig/dug sow/sowed/sown mulch harvest',
    adjectives: 'perennial leafy overgrown frosty shady edible wild',
  },
  {
    tags: 'walking running outdoors body',
    pursuits: `walking to work for a year, running slowly at sixty, getting lost on purpose, walking with someone
      who is ill, crossing a country on foot`,
    matters: 'the long walk home, the slow mile, the wrong turning, the path behind the supermarket',
    crowds: 'long walks, slow runners, wrong turnings, footpaths',
    things: 'walk path mile boot map hill stile shoe puddle bench route knee bridge signpost blister',
    masses: 'walking fitness rain breath mud distance',
    people: 'walker runner hiker stranger companion',
    acts: 'walk climb cross follow pace map leave/left',
    adjectives: 'muddy slow breathless uphill lost lame windy',
  },
  {
    tags: 'friendship letters company loneliness',
    pursuits: `making a friend after forty, writing letters to someone in the same city, ending a friendship
      kindly, eating dinner with the same people every Thursday, being the one who calls`,
    matters: 'the Thursday dinner, the friend who moved away, the unposted letter, the second-best friend',
    crowds: 'old friends, Thursday dinners, unposted letters, long silences',
    things: `friend dinner letter phone-call birthday quarrel postcard silence invitation joke secret reunion
      visit favour`,
    masses: 'friendship company gossip loyalty distance laughter',
    people: 'friend neighbour classmate guest stranger',
    acts: 'invite forgive/forgave/forgiven phone miss tease visit lose/lost toast',
    adjectives: 'lonely loyal distant shy old mutual cheerful',
  },
  {
    tags: 'ageing care parents time',
    pursuits: `caring for a mother who was never easy, turning seventy in a rented room, learning to be helped,
      visiting every Sunday, asking your parents what they want`,
    matters: 'the Sunday visit, the grab rail, the driving licence he gave up, the room at the end of the corridor',
    crowds: 'Sunday visits, care homes, good carers, long afternoons',
    things: `visit wheelchair carer corridor pill birthday rail slipper cardigan fall biscuit appointment
      photograph ward`,
    masses: 'ageing forgetfulness dignity patience care frailty',
    people: 'carer daughter nurse grandmother pensioner',
    acts: 'visit feed/fed lift remind bathe forget+/forgot/forgotten thank drive/drove/driven',
    adjectives: 'frail forgetful patient elderly proud gentle deaf',
  },
  {
    tags: 'home moving belonging objects',
    pursuits: `moving back to the town you left, owning fewer than a hundred things, sharing a kitchen with
      strangers, unpacking the last box, living next to a motorway`,
    matters: 'the last unpacked box, the spare room, the key to a house you sold, the neighbour upstairs',
    crowds: 'spare rooms, unpacked boxes, thin walls, old neighbours',
    things: 'box key room neighbour sofa van wall street cupboard doorbell lamp carpet stair postbox teacup',
    masses: 'belonging clutter dust noise storage homesickness',
    people: 'neighbour flatmate removal-man/removal-men lodger stranger',
    acts: 'unpack pack paint sell/sold share leave/left label+ carry',
    adjectives: 'unpacked homesick spare noisy upstairs familiar bare',
  },
  {
    tags: 'habits attention phones routine',
    pursuits: `leaving the phone in another room, keeping a diary badly, doing one thing before noon, quitting
      something you were good at, making the bed for a thousand days`,
    matters: 'the phone in the drawer, the broken streak, the empty morning, the small habit',
    crowds: 'small habits, broken streaks, empty mornings, diaries',
    things: 'habit phone diary morning drawer list streak alarm notification routine notebook promise walk cup',
    masses: 'attention boredom willpower discipline distraction routine',
    people: 'beginner expert friend coach writer',
    acts: 'quit+/quit repeat ignore schedule track postpone swipe mute',
    adjectives: 'daily distracted stubborn mindful bored deliberate unbroken',
  },
]
