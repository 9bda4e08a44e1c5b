/**
 * Common first. `/` gives a past (and a participle) that code cannot make; a
 * final `+` doubles the last letter, where code cannot tell from the spelling.
 */

/** What a person does to something. */
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

/** What a thing or a thought does to another. */
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

/** What happens without an object. */
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
