/** Ctrl, or ⌘ on Apple devices, as shown in shortcuts. */
export const modifier: string = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl+'
