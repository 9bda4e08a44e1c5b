import type { TopicSource } from '../topic.ts'

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
