/** One per line, the most frequent first. */

export const claims = `
  Nobody starts {pursuit} because it is easy.
  We talk about {crowd} as if they had always been there.
  It took me {few} years to see that {pursuit} has little to do with {ownMass}.
  There are two kinds of {ownPeople}: those who {do} {things}, and those who wait for someone else to do it.
  You can learn a lot about a place from its {ownThings}.
  Good {ownThings} are made by people who have time to be wrong.
  I have come to distrust anyone who is certain about {crowd}.
  {pursuit} is mostly waiting, and waiting is mostly {ownMass}.
  If you want to understand {crowd}, talk to a {ownPerson} who has to live with them.
  We have more {ownThings} than ever, and less {ownMass} to show for it.
  Whatever else it may be, {matter} is a way of paying attention.
  Everyone wants {ownMass} and hardly anyone wants to pay for it.
  No {ownThing} can make up for a lack of {ownMass}.
  What looks like {mass} from outside is usually {ownMass} and a few late nights.
  It is tempting to believe that {crowd} will take care of themselves.
  They say that {ownMass} cannot be taught, but somebody taught me.
  A {ownThing} is a promise to someone you have not met yet.
  To be any good at {pursuit} you have to be willing to look foolish for a while.
  Sooner or later every {ownPerson} has to choose between {ownMass} and {mass}.
  {crowd} do not fail all at once; they fail one {ownThing} at a time.
  Little of this can be bought, and none of it can be hurried.
  People forgive a {adj} {ownThing} more easily than a {adj} one.
  Half of what I was told about {pursuit} turned out to be {mass}.
  Some {ownThings} want to be {done}, others want to be left alone.
  {ownMass} is what you get when {ownPeople} stop counting.
  There is more {ownMass} in {doing} {things} than in talking about it.
  My own view, for what it is worth, is that {crowd} are a symptom and not a cause.
  {someone} who has never {done} a {ownThing} will tell you that {pursuit} is simple.
  For every {ownThing} that works there are {few} that nobody mentions.
  Our {ownThings} say more about us than we would like.
  We are good at {doing} {things} and bad at knowing when to stop.
  Nothing teaches {ownMass} like having none.
  {pursuit} and {pursuit} are not as different as they look.
  You do not need {mass} for this, only {ownMass} and somebody to share it with.
  Between {ownMass} and {ownMass} there is usually a {ownPerson} with a {thing}.
  {one} {shapes} {one} long before {someone} {goes}{tail}.
  {one} is not a {thing} but a {thing}{tail}.
  Most of {pursuit} is {doing} {one} and then {doing} {one}{tail}.
  {one} is rarely {adj} and never {adj}{tail}.
  {one} {shapes} {one}, and {one} {shapes} the {thing}{tail}.
  {those} {do} {one} because {one} {goes}{tail}.
  What {shapes} {one} is not {one} but the {mass} of the {people} who {do} it{tail}.
  There is a {thing} in {one} that {those} would rather not {do}{tail}.
  {hedge}, {one} {shapes} {some} and {some} {shape} {one}{tail}.
  {one} {goes}, {one} {goes}, and in the end {one} {shapes} us{tail}.
  To {do} {one} is to {do} {one}{tail}.
  It is easy to {do} {one} and hard to {do} {one}{tail}.
  {some} are {adj} only as long as {some} {shape} them{tail}.
  {crowd} are the {thing} of {one}, and not the other way round{tail}.
  The {thing} of {pursuit} is the {thing} of {one}{tail}.
  {one} that {shapes} {one} will sooner or later {shape} {one} as well{tail}.
  {those} speak of {one} as if it were {one}{tail}.
  {mass} is what is left of {one} when {someone} has {done} the {thing}{tail}.
  The {adj} part of {pursuit} is that {one} {goes} {adv}{tail}.
  We {do} {some} in order to {do} {one}, and we forget the {thing} on the way{tail}.
  {one} has a {adj} {thing} of its own{tail}.
  The more {adj} {one} becomes, the less {someone} {does} it{tail}.
  {some} and {some} have this in common: they {shape} {one}{tail}.
  All {mass} is in some part {mass}{tail}.
  A {thing} that cannot be {done} is not a {thing} at all{tail}.
  Between {one} and {one} lies {one}{tail}.
  {someone} who {does} {one} has already {done} {one}{tail}.
  If {one} is a {thing}, then {mass} is its {thing}{tail}.
  No {thing} was ever {done} by {mass} alone{tail}.
  {matter} is older than the {thing}, and will be here long after{tail}.`

export const turns = `
  That said, I have been wrong about {crowd} before.
  Still, there is something to be said for {ownMass}.
  But then nobody had asked {ownPeople} what they thought.
  That sounds like {mass}, but it has kept us going for {few} years.
  Then again, {ownPeople} are not paid to be right.
  Of course it is never that simple.
  And yet most of us go on {doing} {things}, year after year.
  This was not what anybody had planned, least of all {who}.
  Things look different if you happen to be a {person}.
  You could call that {mass}; I would call it {ownMass}.
  For all that, {crowd} have their uses.
  I know how this sounds, and I do not mean that {things} are bad for you.
  Not everyone agrees, and {other} would be happy to tell you why.
  Or perhaps I have been {doing} {things} for too long to see them clearly.
  But {one} is also {one}, and that is a {adj} {thing}.
  Yet {those} {act}, and {one} {goes} all the same.
  And still, {one} is not {one}.
  On the other hand, {some} {shape} {one} too, and {adv} at that.
  To call this {mass} would be wrong; {mass} comes closer.
  None of this {shapes} {one}, of course.
  However {adj} {one} may be, it will not {do} {one} for us.
  Or so {who} thought, until {one} {went} {once}.
  That was before {one}; since then, {someone} {acts}.
  The trouble is that {one} {shapes} {one} only when {someone} {acts}.
  I used to think that {one} was {one}, and I was wrong.
  This is not to say that {some} are {adj}, or that {those} should {act}.
  Perhaps {one} matters less than {one}, but we have no other.
  There are exceptions: {one}, {one}, and the {things} of {city}.
  It did not last, because {one} {went} and {someone} {acted}.
  Not all of this was {adj}, and not all was {mass}.
  Then, {once}, {one} {went}, and with it the {thing} of the {spot}.
  Against this, {other} would set {one}, and {other} has a point.`

export const questions = `
  So what do you do when {crowd} are all you have?
  Who, in other words, is {matter} for?
  Was it worth it?
  What happens to {ownPeople} when there are no {ownThings} left to {do}?
  Would I do it again, knowing what I know about {ownMass}?
  How do you explain {ownMass} to someone who has never needed any?
  If not {ownPeople}, who?
  Why do we find it so hard to {do} {things}?
  What else were they supposed to do with their {things}?
  Have you ever tried to {do} a {ownThing} in {city} on a {weekday}?
  Is it any wonder that {people} {do} {things}?
  What would it mean to {do} {one} without {one}?
  Why, then, do {those} {act}?
  Who {does} {one} when {one} {goes}?
  And if {one} is {adj}, what is {one} for?
  Is {one} a {thing}, or is it only the {thing} of {one}?
  How many {things} does it take to {do} {one}?
  Where does {one} go when {those} no longer {do} it?
  Would {someone} {do} {one} for {price}?
  What if {one} were the {thing} and {one} the {thing}?
  Can {one} be {done} {adv}, or only {adv}?
  Should we {do} {one} at all, or leave it to {those}?
  Does it matter that {one} is {adj}?
  But who was to {do} it, and with what {mass}?
  When did {one} become {adj}?
  What do {those} {do} when nobody {goes} {where}?`

export const advice = `
  If you are thinking of {pursuit}, talk to {few} {ownPeople} first.
  Be kind to {ownPeople}, and be patient with your own {ownThings}.
  Do one {ownThing} well before you try to {do} another.
  Ask for the price, then double it and add a {season}.
  You will make mistakes with {ownThings}; try to make them early and in front of friends.
  Whatever you do, do not {do} your {ownThings} on a {weekday}.
  Take your time, write things down and never {do} a {ownThing} for anyone you would not have to dinner.
  Try to {do} {things} as if somebody might thank you for it.
  If you must {do} {one}, {do} it {adv} and {do} {one} first.
  Do not {do} {one} before you {do} {one}.
  Begin with {one}, and leave {one} for the {season}.
  {do} {one}, then wait until {one} {goes}.
  Keep {one} where {those} can see it, and keep {some} in a {thing}.
  Never {do} a {thing} that you would not {do} {where}.
  To {do} {one} helps, and to {do} {one} with {someone} helps more.
  When in doubt, {do} the {adj} {thing}.
  Give {one} to {someone}, and ask for {mass} in return.
  Start with {few} {things}, not with {many}.
  Write it down: {one}, {one}, and the name of whoever {does} the {thing}.
  The only rule I know for {pursuit} is to {do} {some} and to {go} {adv}.
  Let {one} be {adj}, and let {those} {do} it as they please.`
