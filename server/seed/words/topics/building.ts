import type { TopicSource } from '../topic.ts'

export const building: TopicSource[] = [
  {
    tags: 'pricing revenue saas customers margins subscriptions',
    pursuits: `pricing a second product, raising prices without losing the first customers, charging by the seat,
      giving the cheapest plan away, selling annual plans to people who pay by the month`,
    matters: 'the annual discount, the free plan, the first price rise, the price page nobody reads',
    crowds: 'free trials, price pages, early customers, discount codes',
    things: `price plan tier customer discount invoice seat trial renewal upgrade refund receipt quote checkout
      bundle`,
    masses: 'revenue churn margin demand pricing willingness goodwill',
    people: 'founder customer buyer subscriber reseller',
    acts: 'price charge discount bundle renew refund upsell undercut+/undercut',
    adjectives: 'annual free monthly recurring profitable paid early',
  },
  {
    tags: 'software shipping engineering releases codebase craft',
    pursuits: `deleting half of a codebase, shipping on a Friday, keeping one codebase alive for eleven years,
      rewriting the billing system, reviewing code you did not ask for`,
    matters: 'the slow release, the ten-year-old codebase, the Friday deploy, the feature flag nobody removed',
    crowds: 'release notes, feature flags, small pull requests, long-lived branches',
    things: `release commit branch test bug function module feature deploy patch rollback dependency interface
      queue`,
    masses: 'software legacy refactoring tooling downtime technical_debt uptime',
    people: 'engineer programmer maintainer reviewer tester',
    acts: 'ship deploy merge refactor debug review delete revert',
    adjectives: 'legacy stable flaky reusable modular nightly unreviewed',
  },
  {
    tags: 'databases search backups postgres infrastructure',
    pursuits: `running one database for everything, searching a million documents on one machine, restoring a
      backup in daylight, moving a table that nobody understands, choosing boring infrastructure`,
    matters: 'the boring database, the restore drill, the forgotten index, the query that took nine hours',
    crowds: 'backups, slow queries, boring databases, unused indexes',
    things: 'database table query index backup row column schema migration replica server shard cache lock cluster',
    masses: 'storage latency data throughput replication redundancy consistency',
    people: 'administrator engineer operator analyst',
    acts: 'query index restore migrate shard replicate cache vacuum',
    adjectives: 'relational indexed corrupt consistent replicated idempotent cold',
  },
  {
    tags: 'open-source maintainers community licences volunteers',
    pursuits: `maintaining a small library in the evenings, saying no to a good pull request, handing a project
      over to strangers, funding work that everyone uses, answering the same issue twice`,
    matters: 'the unpaid maintainer, the polite refusal, the abandoned package, the licence nobody chose',
    crowds: 'unpaid maintainers, good first issues, abandoned packages, polite refusals',
    things: 'library issue fork licence package repository release thread patch changelog sponsor proposal badge',
    masses: 'maintenance burnout governance documentation stewardship goodwill',
    people: 'maintainer contributor volunteer sponsor newcomer',
    acts: 'maintain fork license triage merge document sponsor deprecate',
    adjectives: 'unpaid permissive upstream voluntary deprecated forked',
  },
  {
    tags: 'design prototypes interfaces drawing usability',
    pursuits: `drawing the thing before building it, throwing the first prototype away, designing for tired
      people, removing a button, testing on paper what will cost a year in code`,
    matters: 'the paper prototype, the empty state, the second draft of a form, the button nobody presses',
    crowds: 'paper prototypes, empty states, long forms, tired users',
    things: 'prototype sketch form button screen layout icon menu label colour grid font margin flow',
    masses: 'usability typography whitespace contrast feedback restraint',
    people: 'designer user illustrator critic client',
    acts: 'sketch draw/drew/drawn prototype test align simplify redesign label+',
    adjectives: 'usable legible cluttered visual accessible responsive clickable',
  },
  {
    tags: 'support customers email service listening',
    pursuits: `answering every support email yourself, apologising to nine thousand customers at once, writing
      help pages that people finish, counting the questions that never arrive, closing the ticket properly`,
    matters: 'the angry email, the support inbox, the second apology, the help page with no author',
    crowds: 'support inboxes, angry emails, help pages, loyal customers',
    things: `ticket email reply complaint inbox refund outage script apology chat escalation survey queue
      transcript`,
    masses: 'support patience tone anger churn empathy feedback',
    people: 'customer agent caller colleague listener',
    acts: 'answer refund escalate resolve forward tag+ reassure',
    adjectives: 'angry prompt polite unresolved loyal automated overdue',
  },
  {
    tags: 'carpentry workshop furniture making wood',
    pursuits: `making a chair by hand, buying good tools slowly, sharpening a plane before breakfast, repairing
      what the shop would replace, learning a trade at forty`,
    matters: 'the three-legged chair, the shared workshop, the dull chisel, the joint that holds without glue',
    crowds: 'hand tools, shared workshops, old benches, careful repairs',
    things: 'chair bench chisel joint plank plane clamp drawer dovetail lathe mallet saw vice dowel veneer tenon',
    masses: 'oak varnish sawdust grain beeswax timber joinery',
    people: 'carpenter apprentice joiner turner cabinetmaker',
    acts: 'plane sharpen glue clamp saw sand varnish measure',
    adjectives: 'wooden handmade seasoned square sharp oiled unvarnished',
  },
  {
    tags: 'houses construction straw insulation architecture',
    pursuits: `building a house out of straw, insulating an old terrace, hiring a builder you can argue with,
      living in an unfinished house, reading a floor plan before the walls go up`,
    matters: 'the unfinished house, the straw wall, the honest estimate, the damp corner of the kitchen',
    crowds: 'old houses, honest builders, cold kitchens, floor plans',
    things: `house wall roof beam brick foundation window boiler radiator scaffold joist lintel permit skip
      extension`,
    masses: 'insulation plaster straw lime damp mortar planning',
    people: 'builder architect plasterer surveyor roofer',
    acts: 'insulate plaster demolish extend renovate survey excavate ventilate',
    adjectives: 'damp draughty unfinished insulated load-bearing airtight Victorian',
  },
  {
    tags: 'shops bakery retail small-business neighbourhood',
    pursuits: `opening a bakery in a market town, selling bread on three days a week, keeping a shop on a street
      of empty shops, counting flour by the sack, closing early on purpose`,
    matters: 'the corner bakery, the early closing day, the sourdough starter, the empty shop next door',
    crowds: 'small shops, regular customers, market stalls, early mornings',
    things: 'loaf/loaves oven counter sack till crust stall shutter bun recipe window queue batch basket lease',
    masses: 'flour dough yeast bread rent footfall sourdough',
    people: 'baker shopkeeper regular apprentice landlord',
    acts: 'bake knead weigh wrap serve price deliver proof',
    adjectives: 'crusty fresh floury regular seasonal burnt early',
  },
]
