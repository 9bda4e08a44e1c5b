import type { TopicSource } from '../topic.ts'

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
