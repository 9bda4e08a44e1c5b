import type { TopicSource } from '../topic.ts'

export const leading: TopicSource[] = [
  {
    tags: 'feedback one-to-ones management listening',
    pursuits: `giving feedback that survives the weekend, keeping every one-to-one for a year, praising people in
      a way they believe, telling a friend their work is late, listening for the second answer`,
    matters: 'the weekly one-to-one, the honest compliment, the annual review, the question after the question',
    crowds: 'one-to-ones, annual reviews, honest compliments, quiet managers',
    things: 'review conversation note question habit goal compliment silence rating complaint grudge agenda rubric',
    masses: 'feedback praise trust candour criticism listening tact',
    people: 'manager colleague report coach peer',
    acts: 'praise criticise coach interrupt review thank misjudge rate',
    adjectives: 'honest awkward weekly candid defensive specific overdue',
  },
  {
    tags: 'hiring interviews teams recruiting',
    pursuits: `hiring the second engineer, interviewing people who are better than you, writing a job advert
      without adjectives, rejecting a candidate kindly, hiring slowly in a hurry`,
    matters: 'the second hire, the take-home test, the unanswered application, the reference call',
    crowds: 'job adverts, first hires, reference calls, take-home tests',
    things: `candidate interview advert offer reference shortlist salary vacancy panel rejection contract notice
      résumé`,
    masses: 'hiring bias potential experience onboarding seniority recruitment',
    people: 'candidate recruiter interviewer applicant newcomer',
    acts: 'hire interview shortlist reject onboard overlook underpay/underpaid promote',
    adjectives: 'qualified junior senior overconfident nervous promising underpaid',
  },
  {
    tags: 'meetings time calendars decisions writing',
    pursuits: `cancelling every meeting for a month, writing the memo instead, ending a meeting early, running a
      meeting with nine opinions in it, deciding by post`,
    matters: 'the standing meeting, the six-page memo, the empty calendar, the meeting about the meeting',
    crowds: 'standing meetings, long memos, empty calendars, shared agendas',
    things: `meeting memo agenda calendar minute decision invitation slide whiteboard summary objection vote
      interruption`,
    masses: 'consensus attendance preparation boredom punctuality silence',
    people: 'chairwoman/chairwomen organiser attendee note-taker dissenter',
    acts: 'cancel+ chair postpone summarise invite interrupt adjourn schedule',
    adjectives: 'recurring unnecessary cancelled overlong written asynchronous punctual',
  },
  {
    tags: 'remote-work distance offices time-zones',
    pursuits: `leading a team you have never met, closing the office for good, working across nine time zones,
      welcoming someone through a screen, travelling once a year to see everyone`,
    matters: 'the empty office, the camera that stays off, the yearly gathering, the nine-hour gap',
    crowds: 'remote teams, empty offices, time zones, home desks',
    things: `office desk call screen timezone retreat commute channel message lease headset gathering status
      handover`,
    masses: 'distance isolation presence overlap commuting solitude',
    people: 'colleague newcomer commuter caller host',
    acts: 'mute relocate onboard message welcome overhear/overheard schedule misread/misread',
    adjectives: 'remote distributed asynchronous muted scattered hybrid homesick',
  },
  {
    tags: 'layoffs endings farewells honesty',
    pursuits: `letting people go without losing the rest, closing a company you love, saying goodbye on a Tuesday,
      leaving before you have to, telling the truth on the last day`,
    matters: 'the last day, the farewell email, the second round, the severance nobody explains',
    crowds: 'farewell emails, last days, shutdowns, exit interviews',
    things: `layoff farewell severance notice redundancy reference shutdown cake announcement rumour exit handover
      pension`,
    masses: 'grief dignity redundancy morale secrecy kindness',
    people: 'leaver survivor founder director lawyer',
    acts: 'dismiss announce postpone explain compensate thank regret+',
    adjectives: 'final redundant tearful sudden decent abrupt overdue',
  },
  {
    tags: 'strategy planning goals focus',
    pursuits: `planning for a year you cannot see, choosing three things and dropping nine, writing a strategy on
      one page, changing course in public, measuring what you said you would`,
    matters: 'the five-year plan, the one-page strategy, the dropped goal, the metric that lies',
    crowds: 'five-year plans, quarterly goals, dropped projects, dashboards',
    things: 'strategy goal plan metric quarter forecast roadmap bet milestone target dashboard assumption slogan',
    masses: 'focus ambition alignment planning momentum clarity',
    people: 'strategist director planner analyst sceptic',
    acts: 'plan measure abandon forecast prioritise drop postpone overestimate',
    adjectives: 'quarterly ambitious vague measurable abandoned strategic optimistic',
  },
  {
    tags: 'incidents crisis calm operations learning',
    pursuits: `leading a team through a bad night, writing an honest account of a failure, staying calm on
      purpose, waking people up at four in the morning, rehearsing for the worst week`,
    matters: 'the bad night, the blameless report, the four-in-the-morning call, the drill nobody enjoys',
    crowds: 'bad nights, blameless reports, fire drills, calm people',
    things: 'incident alarm outage report pager checklist drill timeline rota mistake escalation handover fallback',
    masses: 'calm panic blame recovery adrenaline hindsight',
    people: 'responder commander operator witness manager',
    acts: 'escalate rehearse contain blame document recover page reconstruct',
    adjectives: 'blameless calm sleepless urgent avoidable tired rehearsed',
  },
  {
    tags: 'delegation succession founders letting-go',
    pursuits: `handing over the work you do best, choosing your own successor, trusting someone with the keys,
      leading from the second row, doing nothing while it goes well`,
    matters: 'the founder who stayed too long, the second in command, the handover note, the art of doing less',
    crowds: 'founders, handover notes, deputies, long absences',
    things: 'handover deputy decision key holiday signature checklist mandate role promise veto habit successor',
    masses: 'delegation trust control succession authority ego',
    people: 'founder deputy successor heir apprentice',
    acts: 'delegate trust supervise micromanage inherit approve release',
    adjectives: 'absent irreplaceable trusted reluctant interim outgoing proud',
  },
  {
    tags: 'boards governance advice founders money',
    pursuits: `running a board meeting without theatre, asking for advice you might take, disagreeing with your
      investors, reporting bad news first, choosing who may fire you`,
    matters: 'the board pack, the bad-news email, the independent director, the polite disagreement',
    crowds: 'board packs, independent directors, investor updates, polite disagreements',
    things: `board director vote update pack resolution committee quorum veto audit minute disclosure conflict
      dividend`,
    masses: 'governance oversight advice scrutiny loyalty diligence',
    people: 'director chairman/chairmen investor trustee auditor',
    acts: 'advise veto approve scrutinise appoint disclose audit outvote',
    adjectives: 'independent fiduciary awkward unanimous informed conflicted annual',
  },
]
