/** What a widget shows, before it is drawn: as elements in a page, or as text by the server. */
export type Tree = readonly [tag: string, attributes: Attributes, children: readonly Child[]]

/** Names and values in turn. A value that is undefined leaves its attribute out. */
type Attributes = readonly (string | undefined)[]

export type Child = Tree | string | undefined | false
