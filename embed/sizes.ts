/** What a frame needs for a widget at its widest, in pixels. Longer texts make the frame scroll. */
export const frameSizes = {
  badge: { width: 240, height: 34 },
  card: { width: 480, height: 204 },
  list: { width: 480, height: 332 },
  bio: { width: 480, height: 300 },
  piece: { width: 480, height: 240 },
} as const
