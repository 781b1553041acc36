import type { OutsideCause } from './contract/timeTravel'

const causeTexts: Readonly<Record<OutsideCause, string>> = {
  write: 'you, or a task',
  load: 'loading a program',
  typing: 'typed text',
  reset: 'a reset',
}

export const withoutInstruction = (cause: OutsideCause | null): string =>
  cause === null ? 'an interrupt' : causeTexts[cause]
