import { expect, it } from 'vitest'
import { recordedText } from './recordedText'

it.each([
  [{ frames: 513, durationMs: 10_840 }, 'recorded 11 s, 513 frames'],
  [{ frames: 1, durationMs: 0 }, 'recorded 0 s, 1 frame'],
  [{ frames: 0, durationMs: 0 }, 'nothing recorded'],
  [{ frames: 3000, durationMs: 61_000 }, 'recorded 1:01, 3000 frames'],
])('a recording says what it holds: %j', (recorded, text) => {
  expect(recordedText(recorded)).toBe(text)
})
