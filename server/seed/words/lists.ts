/** The most frequent first. */

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

/**
 * The most frequent first. `/` gives an irregular past (and participle); a final `+` doubles the last character where the
 * spelling does not show it.
 */

/** Transitive verbs for people. */
export const acts = `
  make/made take/took/taken keep/kept find/found give/gave/given build/built write/wrote/written read/read use
  buy/bought sell/sold hold/held bring/brought leave/left carry open close change choose/chose/chosen learn
  teach/taught see/saw/seen follow draw/drew/drawn cut/cut break/broke/broken mend repair measure count name sign
  fold move lift lose/lost lend/lent borrow share send/sent receive collect copy print publish edit review check
  test plan design paint polish clean wash cook bake taste serve plant water pick pack unpack store weigh sort
  label+ file record report describe explain defend attack question answer ignore notice watch study examine inspect
  compare judge praise blame forgive/forgave/forgiven forget+/forgot/forgotten remember recall imagine invent
  discover uncover reveal hide/hid/hidden bury protect guard repeat replace rebuild/rebuilt restore rescue save
  spend/spent waste earn owe pay/paid charge price trade exchange refuse accept reject return approve sanction allow
  forbid+/forbade/forbidden prevent avoid escape confront face solve settle negotiate discuss debate mention quote
  cite translate interpret misread/misread understand/understood grasp doubt trust believe admire respect envy love
  like enjoy prefer+ want need expect predict estimate calculate assume suspect claim prove confirm deny admit+
  confess promise demand request order offer propose suggest recommend support oppose resist join lead/led guide
  manage organise arrange coordinate delegate assign hire train coach mentor promote dismiss interview greet welcome
  invite visit call phone email warn thank help assist feed/fed dress comfort nurse heal cure treat adopt raise rear
  educate instruct inform advise persuade convince encourage inspire motivate provoke annoy bore amuse entertain
  surprise shock frighten calm soothe hammer saw drill weld solder stitch sew/sewed/sewn knit+ weave/wove/woven
  spin/spun dye iron hang/hung nail screw glue tie bind/bound wrap untie loosen tighten sharpen grind/ground mill
  press stamp carve engrave sculpt mould cast/cast forge melt freeze/froze/frozen boil fry roast grill peel slice
  chop mix stir pour fill empty drain pump spray dig/dug sow/sowed/sown harvest gather reap thresh prune
  mow/mowed/mown rake graft fence clear burn fell drive/drove/driven ride/rode/ridden steer park row sail pilot tow
  push pull drag drop throw/threw/thrown catch/caught kick hit/hit strike/struck touch feel/felt hear/heard smell
  kiss hug grip squeeze scratch tear/tore/torn bend/bent stretch twist crush smash scatter spread/spread cover coat
  line frame mount install assemble dismantle unscrew connect disconnect wire plug switch start stop pause resume
  finish complete abandon quit+/quit postpone cancel+ delay schedule book reserve register enrol+ elect nominate
  appoint fund finance sponsor insure tax audit invoice bill fine sue prosecute acquit+ convict sentence imprison
  release pardon deport house shelter evict rent lease mortgage inherit bequeath donate steal/stole/stolen forage
  hunt trap rob+ cheat deceive mislead/misled betray flatter tease mock insult scold punish reward crown celebrate
  mourn commemorate honour bless curse worship code compile deploy debug refactor benchmark automate encrypt cache
  index query patch ship prototype sketch outline draft revise rewrite/rewrote/rewritten shorten lengthen summarise
  annotate proofread/proofread caption illustrate photograph film rehearse perform compose conduct tune whistle hum+
  sing/sang/sung recite memorise catalogue archive digitise photocopy staple laminate post deliver distribute import
  export smuggle ration stockpile hoard salvage recycle reuse compost sift rinse scrub sweep/swept dust vacuum tidy
  declutter decorate furnish upholster varnish plaster tile pave insulate ventilate heat cool light/lit dim+
  illuminate`

/** Transitive verbs for things and ideas. */
export const effects = `
  change shape hide/hid/hidden need follow reward explain replace outlive protect limit support carry hold/held
  improve reveal cost/cost teach/taught resemble contain require produce create cause affect influence govern rule
  drive/drove/driven push pull slow quicken delay interrupt divide unite join separate connect enrich deepen widen
  narrow soften harden strengthen weaken sustain feed/fed starve nourish outgrow/outgrew/outgrown overshadow
  outweigh balance distort blur clarify complicate simplify expose mask obscure disguise mirror reflect echo
  contradict confirm undermine threaten survive outlast precede accompany surround fill empty shrink/shrank/shrunk
  enlarge double halve multiply dominate displace erode corrode preserve erase betray punish tax flatter tempt
  seduce comfort trouble disturb haunt inspire provoke invite discourage forbid+/forbade/forbidden permit+ justify
  excuse measure define name frame anchor steady unsettle sharpen dull test challenge defeat rescue ruin spoil wreck
  mend heal wound burden relieve lighten darken colour flavour season structure organise inform mislead/misled`

/** Intransitive verbs. */
export const moves = `
  work wait change begin/began/begun end stop grow/grew/grown fall/fell/fallen rise/rose/risen move stay return fail
  succeed matter happen continue last survive disappear appear arrive depart leave/left listen talk
  speak/spoke/spoken laugh smile cry argue agree disagree hesitate decide wonder worry hope dream sleep/slept
  wake/woke/woken rest walk run/ran/run travel+ wander drift settle live die age mature ripen bloom wither fade
  shine/shone glow flicker burn melt freeze/froze/frozen crack bend/bent break/broke/broken tremble
  shake/shook/shaken turn spin/spun swing/swung slip slide/slid stumble climb sink/sank/sunk float swim/swam/swum
  sail fly/flew/flown hover land linger vanish emerge evolve adapt improve decline collapse recover persist endure
  struggle compete cooperate negotiate compromise complain protest march vote queue gather meet/met part scatter
  flourish prosper suffer starve shiver sweat blush frown shrug nod sigh yawn whisper mumble sing/sang/sung dance
  play practise rehearse improvise experiment learn study read/read write/wrote/written think/thought reflect
  meditate pray fast feast commute retire resign emigrate migrate volunteer campaign gossip quarrel reconcile
  apologise`

/** The most frequent first: the position decides how often a word is drawn. `/` gives an irregular plural. */

export const things = `
  book door table letter house room machine window page story road picture box bridge tool garden chair map paper
  photograph boat wall bag clock lamp key ticket desk phone screen notebook coat ladder train wheel bottle bench
  parcel bell card cup engine drawer shelf/shelves fence roof stove rope file folder cable camera mirror bicycle
  basket blanket brick bowl button cabinet candle carpet ceiling chimney coin compass counter curtain diary
  dictionary drum envelope fiddle flag floor fork fountain frame gate glove hammer handle hat hinge hook jacket jar
  kettle kite knife/knives lantern leaf/leaves lens lever lid line lock loom magnet mattress medal menu mill motor
  nail needle net newspaper nut oar oven paddle paintbrush pan pane parachute pen pencil piano pillow pipe plank
  plate plough pocket poster pot printer pulley pump quilt radio rail razor ribbon ring river rock rod rug ruler
  sack saddle sail saw scale scarf/scarves screw seat seed shed sheet ship shirt shoe shovel sieve sink skirt sledge
  sleeve socket sofa spade spanner spoon spring stair stamp statue stick stitch stone stool strap string suitcase
  sweater switch tablecloth tap tape teapot telescope tent thermometer thread tile timetable torch towel toy tractor
  tray tree trolley trumpet trunk tube tunnel typewriter umbrella vase vest violin wagon wardrobe watch web whistle
  wire wrench yard zip apple bean berry biscuit cabbage cake carrot cheese cherry crust egg fig grape lemon
  loaf/loaves melon mushroom olive onion orange pancake peach pear pepper pie plum potato/potatoes sandwich soup
  stew tomato/tomatoes turnip walnut bird bull calf/calves cat cow crow dog donkey duck eel fish/fish fox frog goat
  goose/geese gull hare hawk hen heron herring horse kitten lamb lark lion moth mouse/mice mule otter owl ox/oxen
  pig pigeon pony rabbit rat robin salmon/salmon seal sheep/sheep snail sparrow spider squirrel swan swift toad
  trout/trout wasp whale wolf/wolves worm bud branch bush clover elm fern hedge ivy lily maple oak orchid pine poppy
  root rose seedling stalk thistle thorn tulip vine weed willow anchor apron archive arrow axle badge ball banner
  barrel battery beam bed belt blade block board bolt bone boot bracket brush bucket cage calendar canvas carriage
  cart cellar chain chart chest chord circle cloak cloud collar comb copper cord cork crane crate cross crown
  cushion dial dish ditch dome dress drill edge elbow elevator eye face feather field finger fire flame flask
  foot/feet gear glass globe goal grain grid groove gun hall hand harbour harness head heart hearth heel herb hill
  hole horn hull hut island jewel joint jug keel keyboard knee knot label lake lane ledger leg log loop mast match
  meadow meal mountain mouth nest nose number ocean palm panel path peg petal pillar pin pit pond pool post pouch
  powder prism puddle puzzle rack raft ramp receipt reed reel reef ridge rib rim rudder satchel scroll shaft shell
  shield shore skeleton skin slab slate slope sluice spear spine spire spoke stack stage staircase star stem step
  stream stripe summit tail target tart thimble throat thumb tide timber toe tooth/teeth tower track trail trap
  trench turbine valley valve vault veil vessel wave weir well whip wick wing wrist wreck alphabet almanac aqueduct
  atlas ballot barometer beacon bellows/bellows billboard blackboard blueprint bookcase brochure bulletin campfire
  canal canoe caption cartoon catalogue cathedral circuit cloth column cottage crossing dashboard device document
  doorbell doorway embankment escalator exhibit fabric ferry fixture fragment freezer furnace gallery gadget
  generator gramophone greenhouse grille headline helicopter highway hourglass instrument inventory kiln lawn
  leaflet lighthouse locomotive lorry magazine manual manuscript medicine memo microphone microscope monument mosaic
  motorway necklace novel orchard organ package pamphlet parchment passport pavement pendulum plaster platform
  portrait postcard pram prototype pulpit railing receiver recipe recording refrigerator register reservoir robot
  rocket sandal sawmill scaffold scarecrow schoolbag script sculpture sensor server sewing_machine shutter signal
  sketch skyline souvenir spreadsheet staple steeple stethoscope streetlight stretcher syringe tablet tapestry
  telegram telephone television textbook throne toaster tombstone toolbox transmitter treadmill trophy turnstile
  uniform vehicle veranda viaduct waistcoat wallet warehouse washbasin waterfall wheelbarrow windmill windowsill
  workbench`

export const ideas = `
  year way day thing question problem reason part idea answer week month hour moment rule change choice habit plan
  mistake cost name word sentence promise lesson argument detail decision result effect pattern limit risk season
  price system project chance matter case fact point view need end start hope fear wish doubt debt gap failure
  success victory defeat loss gain secret surprise tradition custom law right duty task job career role meeting talk
  speech conversation quarrel agreement compromise bargain contract deal offer request complaint apology excuse
  explanation theory method model principle belief opinion judgement guess estimate measure standard score rate
  ratio average total share sum budget account record report review study survey experiment trial test exam proof
  sign symptom cause condition context crisis/crises emergency accident disaster event ceremony festival holiday
  journey trip visit walk return arrival departure beginning ending pause delay deadline schedule routine ritual
  cycle phase turn shift trend movement revolution reform policy programme campaign strategy tactic scheme trick
  game contest race riddle joke rumour legend myth fable tale song poem tune rhythm melody dance image symbol
  metaphor sense feeling mood memory dream vision ambition aim purpose motive instinct impulse reaction response
  attitude manner gesture glance smile silence sound noise shout whisper voice echo/echoes shadow colour shape size
  weight length height depth distance direction position corner side centre border boundary margin surface layer
  level degree amount majority minority group class kind sort type version copy draft sample example exception
  instance category list index sequence series/series order set pair half/halves quarter third fraction percentage
  figure statistic variable constant equation formula code program language dialect accent phrase paragraph chapter
  title footnote summary theme topic subject debate dispute controversy scandal crime penalty fine reward prize gift
  favour sacrifice bond tie link relation connection friendship partnership marriage divorce birth childhood youth
  generation century decade era age lifetime afternoon morning evening night weekend winter summer autumn storm
  climate landscape territory region nation state republic empire colony frontier market industry trade business
  enterprise venture brand product service invoice salary wage pension tax loan mortgage deposit dividend asset
  liability profit bonus discount subsidy tariff quota licence permit patent warranty claim clause treaty verdict
  appeal petition vote election referendum mandate parliament committee council jury ministry department agency
  bureau institution foundation charity union guild society club crowd audience community neighbourhood household
  family tribe team crew network coalition alliance rivalry conflict war truce battle siege raid attack defence
  weakness strength skill talent craft discipline lecture seminar course curriculum diploma grade scholarship
  interview vacancy promotion resignation retirement appointment errand chore obligation burden privilege
  entitlement opportunity obstacle barrier threshold milestone breakthrough discovery invention innovation
  improvement repair adjustment correction revision alternative option preference priority consequence outcome
  impact influence incentive pressure constraint requirement criterion/criteria assumption premise conclusion
  hypothesis/hypotheses insight analogy paradox dilemma illusion prejudice stereotype temptation regret anxiety
  worry grudge expectation disappointment ambiguity nuance distinction contrast similarity analysis/analyses
  diagnosis/diagnoses forecast prediction scenario benchmark anecdote biography chronicle memoir obituary editorial
  manifesto pledge vow oath creed doctrine heresy virtue vice`

export const masses = `
  time work money trust care patience attention progress evidence knowledge experience power freedom justice truth
  beauty courage kindness honesty luck practice effort energy weather water air light heat dust smoke rain snow wind
  ice mud sand soil grass iron steel gold silver bread butter salt sugar rice flour milk honey tea coffee wine beer
  oil meat fruit food cotton wool silk leather cement concrete ink paint clay glasswork furniture luggage equipment
  machinery software hardware data information advice news gossip research music poetry literature history geography
  mathematics physics chemistry biology philosophy psychology economics politics religion art architecture
  journalism education training homework housework health sleep exercise rest pain hunger thirst grief sorrow joy
  happiness anger envy pride shame guilt boredom loneliness solitude company hospitality generosity gratitude
  respect loyalty faith confidence modesty humility wisdom intelligence imagination creativity curiosity ignorance
  stupidity logic intuition taste style grace charm humour irony wit rhetoric grammar spelling punctuation
  handwriting printing publishing advertising marketing commerce finance banking insurance credit cash wealth
  poverty inequality inflation growth unemployment labour leisure travel transport traffic parking housing rent
  electricity gas fuel coal waste rubbish pollution conservation agriculture farming fishing forestry mining
  construction maintenance engineering design manufacturing retail tourism government democracy bureaucracy
  administration legislation regulation enforcement security safety privacy secrecy transparency accountability
  responsibility authority leadership management teamwork cooperation competition solidarity equality diversity
  citizenship migration asylum peace violence corruption propaganda censorship publicity fame prestige status
  nostalgia optimism pessimism cynicism realism idealism pragmatism perfectionism stubbornness persistence endurance
  resilience stamina momentum inertia friction gravity symmetry balance harmony chaos disorder certainty uncertainty
  probability randomness precision accuracy clarity simplicity complexity elegance abundance scarcity thrift luxury
  comfort convenience nonsense applause laughter mischief magic folklore gardening cooking baking carpentry pottery
  weaving sewing knitting singing dancing reading writing drawing photography theatre opera jazz chess football
  cricket swimming cycling running hiking camping sailing parenthood adolescence adulthood old_age mortality
  heritage ancestry etiquette diplomacy espionage bandwidth latency storage encryption documentation testing
  debugging deployment automation`

export const people = `
  person/people man/men woman/women child/children friend neighbour teacher writer reader worker doctor student
  parent mother father daughter son sister brother editor founder manager owner customer engineer designer farmer
  nurse builder carpenter driver cook baker artist painter musician singer actor poet novelist journalist reporter
  critic translator librarian historian scientist professor scholar pupil apprentice trainee colleague partner rival
  stranger guest host visitor tourist traveller migrant refugee citizen voter councillor mayor minister senator
  president judge juror lawyer clerk secretary accountant banker investor lender borrower tenant landlord architect
  surveyor plumber electrician mechanic welder miner fisherman/fishermen sailor pilot captain soldier officer
  policeman/policemen firefighter paramedic surgeon dentist midwife/midwives pharmacist patient carer volunteer
  organiser activist campaigner official inspector consultant adviser expert beginner amateur professional veteran
  pioneer inventor programmer tester analyst researcher statistician economist philosopher priest monk nun bishop
  believer sceptic optimist pessimist dreamer idealist realist grandmother grandfather aunt uncle cousin nephew
  niece widow widower orphan twin toddler teenager adult pensioner bride groom shopkeeper grocer butcher florist
  tailor cobbler barber waiter waitress bartender chef brewer miller weaver potter blacksmith jeweller clockmaker
  bookseller publisher photographer director producer composer conductor pianist violinist drummer dancer sculptor
  curator collector archivist gardener forester shepherd beekeeper gamekeeper ranger vet trainer coach referee
  goalkeeper runner swimmer cyclist climber walker hiker commuter passenger porter postman/postmen courier caretaker
  cleaner janitor housekeeper butler nanny tutor governess headteacher lecturer examiner mentor sponsor donor patron
  trustee chairwoman/chairwomen delegate diplomat ambassador envoy spy witness suspect prisoner warden magistrate
  bailiff auctioneer broker trader merchant dealer salesman/salesmen buyer seller supplier contractor freelancer
  employee employer recruiter candidate newcomer outsider insider bystander spectator listener speaker interpreter
  storyteller liar thief/thieves gambler drunkard hermit nomad peasant noble knight squire emperor queen king prince
  princess rebel exile hero/heroes villain martyr saint sinner`

export const spots = `
  kitchen office school street town village city station shop hospital church library museum factory workshop studio
  café restaurant pub hotel theatre cinema park square beach farm forest court prison bank university college
  classroom laboratory garage basement attic hallway courtyard balcony terrace allotment cemetery chapel monastery
  castle palace town_hall council_chamber embassy airport depot dockyard quay riverbank roadside bus_stop
  crossroads/crossroads suburb estate playground stadium gymnasium swimming_pool campsite cabin bakery brewery dairy
  foundry quarry mine shipyard barn stable vineyard pasture moor marsh clinic surgery waiting_room nursery dormitory
  canteen boardroom newsroom bookshop launderette post_office registry exchange arcade bazaar stall kiosk
  corner_shop supermarket`

/** Second halves of generated compounds: lamplight, bridgeyard. */
export const compoundEnds = `
  house work light line room yard book board side stone mark land wood water bench road frame box shelf/shelves cart
  path craft ring post gate hook wheel stand case press fold song field store piece maker keeper seller mender
  finder rail lane court end`

/**
 * No given name contains a space or a hyphen, so that a slug splits in one way only. In places `_` replaces a space.
 */

export const givenNames = `
  Zoë Łukasz Amara Tomás Ingrid Kwame Maren Yusuf Beatriz Henrik Noor Esther Matteo Chidi Solveig Priya Callum Leïla
  Otto Hana Rafael Saoirse Dmitri Élodie Kofi Marta Søren Aisha Jules Nadia Bram Ximena Tariq Agnes Luca Wanjiru
  Frida Emre Colette Idris Petra Jorge Mei Anselm Ruta Femi Clara Björn Lucía Samir Dorothea Akira Greta Pablo Imani
  Viktor Sunniva Omar Delphine Kenji Rosa Ewan Fatima Gustav Naomi André Thandiwe Ivo Margot Rohan Siobhan Elio
  Katarzyna Hamid Linnea Teodor Ayşe Felix Paloma Stefan Adaeze Milan Judith Nuno Freya Karim Helena Dae Bronwen
  Mateus Inès Piotr Salma Anton Yuki Cecilia Jamal Astrid Raúl Oluwaseun Vera Emil Shirin Conor Jana Dario Ngozi
  Ludovic Tamsin Arjun Marisol Eskil Rebecca Goran Nilufar Hugo Alba Mirek Zanele Pascal Ottilie Ravi Carmen Lars
  Mina Desmond Eleni Bilal Sigrid Joaquín Hyun Philippa Andrei Leticia Moses Camille Rasmus Farah Gareth Irena
  Sanjay Valentina Tobias Abena Marek Daphne Ismael Odile Nikolai Catarina Haruto Winifred Simón Edith Rune Parisa
  Benoît Gwen Alejandro Sade Florian Meera Oisín Renata Kaito Tessa Vasco Aino Malik Harriet Luís Dunja Ade
  Josephine Timo Rania Hector Bettina Mandla Sylvie Ciarán Anneke Nikhil Pilar Georg Yara Ronan Ilse Babak Esperança
  Jonas Adunni Marguerite Ferdinand Lakshmi Damian Oona Rémi Tatiana Cyril Nokuthula Alice Hassan Bianca Eero
  Manuela Theo Zsófia Gabriel Ursula Chinwe Leon Maja Ernesto Thora Vikram Charlotte Bogdan Amélie Rhys Soledad Jens
  Khadija Rupert Ilona Mikael Dalia Fergus Noémie Stanisław Keiko Alasdair Jacinta Beatrix Duarte Hedda Rashid Oriel
  Franz Marlene Sipho Lydia Guillermo Tove Cormac Ana Zdeněk Bridget Elif Maxime Runa Arthur Comfort Ilya Flora Sven
  Mónica Ibrahim Verity Andreas Chiara Lwazi Iris Mads Yolanda Håkon Selma Patrick Nandini Jaroslav Eva Kojo
  Millicent Enrique Signe Tadeusz Layla Ambrose Gudrun Javier Nell`

export const familyNames = `
  Marchetti Okafor Lindqvist Nowak Ferreira Haddad Castellanos O'Brien Yamamoto Bergström Achterberg Mensah
  Kowalczyk Delacroix Rasmussen Iyer Müller Fontaine Abara Novák Sørensen Whitfield Das Almeida Çelik Brandt
  Oyelaran Hughes Petrov Moreau Kaplan Nakamura Gonçalves Ashworth Vance Zielińska Aydın Ramírez Holloway Tanaka Eze
  Schröder Pemberton Rossi Nguyen Larsen Bianchi Farouk Costa Hartmann Adeyemi Quinn Dubois Ivanova Ortega Lund Sato
  Mbeki Hollis Vasquez Jansen Kariuki Greenwood Popescu Chowdhury Walsh Peña Strand Ito Lebrun Osei Fairweather
  Horvat Malik Cardoso Blum Reyes Thorne Watanabe Diallo Kessler Byrne Szabó Anand Lemaire Torres Nyström Boateng
  Calloway Rahman Voss Herrera Mahlangu Eklund Barreto Finch Kimura Stoica Gallagher Weiss Ndlovu Pires Hallström
  Choi Beaumont Farrell Krause Suleiman Ibáñez Lowell Aaltonen Banerjee Macleod Zhou Engel Obi Renard Sandoval Kjær
  Pritchard Takahashi Bello Wagner Tran Corrigan Stein Okoye Lefèvre Madsen Bose Arce Winterbourne Kang Romano Thiam
  Vogel Sharma Brennan Ćosić Mwangi Aguirre Falk Sutherland Park Benítez Hussein Olsen Marlowe Demir Kovács Bright
  Virtanen Carvalho Achebe Locke Ueda Fischer Guerrero Ekström Ali Penrose Roux Chukwu Baptiste Hale Jørgensen
  Rossetti Kaya Lim Trevelyan Barros Nair Hoffmann Doyle Asante Salgado Inoue Verma Blackwood Mercier Tshabalala
  Berg Leclerc Kuznetsova Shaw Figueroa Bakker Amin Norling Keita Redmond Santos Hayashi Wilde Grünwald Owusu Pascoe
  Velázquez Lang Sithole Arnaud Mistry Drummond Cruz Ziegler Adebayo Fleming Sousa Mori Haugen Karimi Prescott
  Navarro Bauer Sanneh Nightingale Rocha Vestergaard Chandra Loxley Maier Kamara Serrano Ogawa Wren Dragomir Azizi
  Teixeira Harcourt Jung Nkosi Laurent Medina Ostrowski Gill Svensson Phiri Calder Molina Fujita Aldridge Petit
  Sesay Roth Gupta Espinoza Birch Lombardi Traoré Kelleher Ahmadi Dahl Vieira Joyce Hashimoto Radcliffe Perrin
  Otieno Winkler Mendes Rao Sinclair Bosch Camara Tierney Matsuda Garrick Soto Wójcik Heikkinen`

export const cities = `
  London Lisbon Leeds Lagos Berlin Kyoto Glasgow Oslo Nairobi Porto Bristol Warsaw Málaga São_Paulo Accra Dublin
  Ghent Kraków Osaka Naples Cardiff Toronto Zürich Seville Belfast Prague Mumbai Utrecht Lyon Bogotá Helsinki Hull
  Istanbul Montréal Trieste Göteborg Durban Marseille Tallinn Seoul Valparaíso Łódź Antwerp Manchester Chennai
  Bilbao Malmö Cork Vienna Dakar Rotterdam Córdoba Sheffield Vilnius Hanoi Bologna Aarhus Medellín Dundee Budapest
  Beirut Genoa Tromsø Nantes Riga Kampala Leipzig Cádiz Plymouth Tbilisi Turin Besançon Stavanger Karachi Coimbra
  Swansea Brno Fukuoka Palermo Montevideo Rennes Lund Ljubljana Addis_Ababa Norwich Köln Reykjavík Guadalajara
  Thessaloniki Galway Basel Kigali Rouen Salamanca Bergen Penang Sarajevo Aberdeen Tampere Cusco Graz Limerick Tunis
  Groningen Verona Perth Sapporo Gdańsk Toulouse Porto_Alegre Inverness Lausanne Jaipur Odense Zaragoza Cluj Derry
  Mombasa Freiburg Lille Havana Bath Vigo Kaunas Adelaide Matera Uppsala Busan Nîmes Dresden Quito Wrexham Patras
  Salvador Linz Dunedin Amman Kilkenny Braga Nagoya Düsseldorf Mérida Arles Leicester Turku Izmir Halifax Bremen
  Oaxaca Ancona Whitby Luxembourg Kochi Évora San_Sebastián York Szeged Winnipeg Lecce Hobart Münster Asunción
  Falmouth Rijeka Bamako Carlisle Siena Trondheim`

/** Halves of invented names. */
export const surnameStarts = `
  Ash Thorn Hol Win Black Red Farn Wick Oster Lang Marsh Elm Cald Brack Hes Dun Fen Gar Hather Kings Lind Mel Nether
  Oak Pen Quil Raven Stan Tam Under Wain Whit Yar Alder Birk Cran Dray Ever Fair Grim Hag Ing Kil Lock Mor Nor Over
  Pres Ren Sel Trev Ul Ven Wes Bex Cor Dal Ed Fal Gil Hart Ives Jes Kel Mar Nay Orm Pol Rath Shel Thir Uff Vel Wy`
export const surnameEnds = `
  well bury ford worth ley combe stead croft by thwaite shaw ham hurst gate mere den field wood ridge stow wick
  brook more dale man son ston ling ner rick vale land over beck`
export const townEnds = `
  ton mouth minster bridge port haven chester cliffe holm fleet church sea garth gill ness pool wold ington bourne
  hithe kirk moor lake street`
export const firmStarts = `
  Lumo Veri Nord Caro Tessa Brio Hali Orbi Fenn Quill Mira Solu Tarn Vanta Kess Alto Penn Ravi Cinder Marlo Juni
  Oster Plin Delta Harbo Ivo Lark Moss Neva Opal Pico Roon Sable Tidal Umbra Vela Wren Yarro Zeph Bask Clov Dovet
  Ember Fable Grove Hush Indi Jasp Koda Loom Myrt Noct Otto Perch Quar Rill Stra Twill Ursa Vesp Whim Axi Bram Cob
  Drift Eider`
export const firmEnds = `
  ra line works ly base io lab mark stack wise nest ful craft path ware hub point ant ello ista form grid field
  light stone lane loop press port side way span ton well yard bird fold gate house`
