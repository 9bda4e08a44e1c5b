import type { TopicSource } from '../topic.ts'

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
