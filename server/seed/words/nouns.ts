/** Common first: a word's place in its list decides how often it is drawn. `/` gives a plural that code cannot make. */

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

/** Second halves of compounds made in code: lamplight, bridgeyard. */
export const compoundEnds = `
  house work light line room yard book board side stone mark land wood water bench road frame box shelf/shelves cart
  path craft ring post gate hook wheel stand case press fold song field store piece maker keeper seller mender
  finder rail lane court end`
