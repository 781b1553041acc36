/** The buttons of the window's bars and of the views' own files, beside the table of commands. */
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'

/** What is chosen or filled in within a view stands in files of its own; its buttons are about that alone. */
const files = globSync([
  'src-renderer/shell/**/*.tsx',
  'src-renderer/views/*/*View.tsx',
  'src-renderer/views/*/*Tools.tsx',
])

/** Buttons without a command. Whoever adds one here says why it needs none. */
const withoutCommand: readonly string[] = [
  // They end what lies over the window.
  'PasswordPrompt.tsx: Cancel',
  'MachineBar.tsx: Dismiss',
  'Strip.tsx: Hide',
  'Toasts.tsx: Dismiss',
  'Tour.tsx: Skip the tour',
  "Tour.tsx: isLast ? 'Done' : 'Next'",
  // It opens and closes the list that it stands beside.
  'Problems.tsx: label',
  // What one message, machine, file or recording offers.
  'Toasts.tsx: offer.label',
  'Banners.tsx: Open anyway',
  'TasksView.tsx: Preview repair',
  'TimelineView.tsx: Keep it for good',
  'TimelineView.tsx: Delete the recording and its task…',
  // Their commands also move the keyboard into the view; here it stays on the button.
  'MemoryTools.tsx: Undo the memory edit',
  'MemoryTools.tsx: Redo the memory edit',
]

/** The opening tags of buttons in a source text. */
function buttonsOf(source: string): string[] {
  return [...source.matchAll(/<(?:Icon)?Button\b/g)].map(({ index }) => source.slice(index, endOfTag(source, index)))
}

function endOfTag(source: string, start: number): number {
  let depth = 0
  for (let at = start; at < source.length; at++) {
    const character = source[at]
    if (character === '{') depth++
    else if (character === '}') depth--
    else if (character === '>' && depth === 0) return at
  }
  return source.length
}

const labelOf = (tag: string): string => /label=(?:"([^"]*)"|\{(.*?)\}\s)/s.exec(tag)?.slice(1).find(Boolean) ?? tag

describe('every button of the window', () => {
  it('performs a command of the table, so that palette, menu and keyboard have it too', () => {
    const without = files.flatMap((file) =>
      buttonsOf(readFileSync(file, 'utf8'))
        .filter((tag) => !tag.includes('perform('))
        .map((tag) => `${basename(file)}: ${labelOf(tag)}`),
    )
    expect(without.filter((button) => !withoutCommand.includes(button))).toEqual([])
  })
})
