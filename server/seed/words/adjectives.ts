/** Common first. */

export const adjectives = `
  good new old small long great little large early late young important different public hard easy simple quiet slow
  plain honest careful patient useful cheap expensive local common ordinary strange real true whole open close empty
  full heavy light dark bright warm cold dry wet soft rough smooth sharp dull clean dirty fresh stale sweet bitter
  sour salty loud silent gentle cruel kind rude polite proud humble brave timid clever foolish wise stupid rich poor
  busy idle tired angry calm happy sad lonely curious bored anxious nervous confident shy bold strong weak sick
  healthy safe dangerous lucky unlucky fair unfair right wrong false possible impossible likely unlikely certain
  uncertain clear vague obvious hidden secret famous unknown familiar foreign native modern ancient recent past
  present future annual daily weekly monthly temporary permanent brief sudden gradual steady constant frequent rare
  occasional final first second last next previous single double triple several numerous scarce abundant sufficient
  adequate ample broad narrow wide thin thick deep shallow high low tall short round square flat steep straight
  crooked curved hollow solid liquid loose tight stiff flexible fragile sturdy durable brittle tender tough ripe raw
  green grey blue red white black brown yellow golden silver pale wooden metallic rusty dusty muddy sandy stony
  grassy leafy sunny cloudy rainy windy snowy frosty foggy stormy humid arid tropical northern southern eastern
  western central remote nearby distant rural urban suburban coastal inland regional national international global
  domestic private personal social political economic financial commercial industrial agricultural legal illegal
  criminal moral immoral ethical religious sacred secular spiritual holy cultural literary musical artistic poetic
  dramatic comic tragic romantic classical traditional conventional original creative inventive practical
  theoretical technical scientific mathematical statistical logical rational irrational emotional physical mental
  psychological medical chemical biological electrical mechanical digital manual automatic electronic virtual visual
  verbal oral written printed handwritten painted carved woven borrowed rented broken mended forgotten remembered
  abandoned neglected crowded deserted haunted polished faded worn torn tangled folded locked sealed frozen melted
  salted smoked dried pickled baked roasted official formal informal casual serious solemn playful cheerful gloomy
  grim bleak hopeful hopeless careless thoughtful thoughtless helpful helpless harmful harmless painful painless
  fruitful fruitless meaningful meaningless powerful powerless graceful tasteful tasteless restless tireless
  priceless worthless flawless reckless ruthless generous selfish greedy jealous stubborn obedient rebellious loyal
  faithful treacherous reliable dependable punctual efficient wasteful thrifty frugal lavish modest elegant clumsy
  awkward nimble graceless tidy untidy neat messy orderly chaotic random regular irregular uneven level parallel
  opposite adjacent separate joint mutual collective individual unique typical average mediocre excellent superb
  splendid magnificent wonderful marvellous terrible horrible dreadful awful ugly beautiful handsome pretty lovely
  charming delightful pleasant unpleasant comfortable uncomfortable convenient inconvenient suitable unsuitable
  appropriate relevant irrelevant significant trivial essential necessary unnecessary optional mandatory voluntary
  compulsory accidental deliberate intentional conscious unconscious aware innocent guilty responsible accountable
  independent dependent free captive equal unequal superior inferior senior junior elderly youthful childish mature
  immature experienced inexperienced skilled unskilled qualified educated ignorant literate fluent articulate
  eloquent talkative reserved reticent candid blunt tactful diplomatic sincere insincere earnest sceptical cynical
  naive gullible suspicious cautious prudent rash impulsive spontaneous predictable unpredictable stable unstable
  volatile fluid rigid static dynamic active passive energetic sluggish lazy diligent industrious ambitious
  complacent dissatisfied grateful ungrateful sympathetic indifferent hostile friendly unfriendly hospitable
  neighbourly civil civic democratic liberal conservative radical moderate progressive reactionary revolutionary
  patriotic neutral partial impartial objective subjective abstract concrete specific general universal particular
  precise approximate accurate inaccurate exact rough-hewn subtle crude refined sophisticated primitive elaborate
  ornate austere minimal complex complicated intricate straightforward transparent opaque murky luminous radiant dim
  vivid drab colourful fragrant pungent bland savoury nutritious edible poisonous toxic sterile fertile barren lush
  dense sparse spacious cramped cosy draughty airy stuffy noisy peaceful tranquil turbulent fierce savage wild tame
  domesticated feral nocturnal seasonal perennial eternal fleeting momentary endless infinite finite limited
  unlimited vast immense enormous gigantic tiny minute miniature medium sizeable substantial considerable slight
  negligible marginal peripheral fundamental basic elementary advanced intermediate preliminary provisional
  tentative definitive conclusive persuasive convincing plausible implausible credible incredible authentic genuine
  fake artificial natural synthetic organic mineral marine aquatic aerial lunar solar celestial earthly mundane
  curative preventive corrective punitive lenient strict severe harsh mild lukewarm tepid icy fiery weathered
  seasoned vintage antique obsolete outdated contemporary fashionable shabby threadbare pristine immaculate spotless
  grubby cracked chipped dented bent rotten mouldy sodden parched thirsty hungry starving plump lean slender frail
  robust hardy resilient adaptable versatile handy portable bulky cumbersome lightweight waterproof fireproof
  soundproof homemade handmade bespoke second-hand left-handed short-sighted long-winded half-hearted open-ended
  old-fashioned well-meant hard-won slow-cooked bilingual multilingual anonymous notorious eminent obscure
  overlooked underrated overrated misunderstood`

export const adverbs = `
  slowly quietly often again together carefully badly well early late soon gently openly rarely twice honestly
  patiently cheaply gladly alone outdoors indoors everywhere abroad backwards sideways upstairs downstairs aloud
  apart by_hand in_public in_private at_night overnight on_time for_free from_memory at_length in_passing
  without_fuss without_thanks in_silence in_secret at_leisure by_candlelight on_foot by_post in_person on_paper
  on_purpose by_accident in_pencil in_daylight in_winter`
