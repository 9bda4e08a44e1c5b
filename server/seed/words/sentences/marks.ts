/** With Markdown in them; no other sentence may hold `*`, a backtick or a bracket. */
export const marked = `
  The word for this is *{mass}*, and {those} {do} it {adv}.
  What we need is not a {thing} but **a {adj} {thing}**, and soon.
  The {thing} is kept at [{surname} and {surname}](https://{host}.example.org/{slug}), where {those} {do} it.
  In the settings it is called \`{ident}\`, and it {shapes} {one}.
  It was *never* about {one}, says {who}.
  See [the {thing} of {year}](https://{host}.example.org/{slug}/{year}) for the whole of {one}.
  On the old machine it lived in \`C:\\{host}\\{slug}\`, beside {one}.
  **{who} was right.** The {thing} was {adj}, and {one} {went}.
  Set \`{ident} = {number}\` and {one} {goes} {adv}.
  There is *{one}*, and there is *{one}*, and **only one of them** is {adj}.
  A {adj} list of {some} is [here](https://{host}.example.com/{slug}?page={number}), for {those}.
  The key, \`{ident}_{ident}\`, is {adj} and should stay so.`

export const intros = `
  What we kept, in no particular order:
  The list {where} is short:
  {who} made a list of it:
  For {pursuit} you need:
  These are the {things} that {those} {do}:
  By the end of {month} we had:`

export const items = `
  {one}, {done} {adv}
  {one} and {one}
  {few} {things} from {city}, {price} each
  the {thing} that {someone} {did} {once}
  {adj} {things}, never {adj} ones
  {one}: {percent} of the {thing}
  no {mass} before {few} o'clock
  {doing} {one} {where}
  {who}'s {thing}, and the {thing} of {one}
  {mass}, if there is any left`
