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
  'AgentQuestion.tsx: Answer later',
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
  'SheetView.tsx: Read the sheet again',
  'TasksView.tsx: Preview repair',
  'Others.tsx: Edit',
  'Others.tsx: Write',
  'Others.tsx: Delete',
  'TimelineView.tsx: Keep it for good',
  'TimelineView.tsx: `Close the chart of ${name}`',
  'TimelineView.tsx: Delete the recording and its task…',
  // Their commands also move the keyboard into the view; here it stays on the button.
  'MemoryTools.tsx: Undo the memory edit',
  'MemoryTools.tsx: Redo the memory edit',
]

/** Selects, segments and radio buttons that are drawn without the table of choices. Whoever adds one here says why it needs none. */
const withoutChoice: readonly string[] = [
  // They draw the table's choices, the fields of forms and examples.
  'ChoiceSegments.tsx: label',
  'ChoiceSelect.tsx: label',
  'Control.tsx: field.label',
  'Control.tsx: select',
  'Segments.tsx: label',
  'Specimens.tsx: Address space',
  'Specimens.tsx: Standard',
  'Specimens.tsx: Palette',
  // Commands of their own.
  'MachineBar.tsx: Video standard',
  // Fields of a form, read when its button is pressed.
  'Comparison.tsx: label',
  'NewRun.tsx: Format',
  'ConnectDialog.tsx: Kind of machine',
  'ConnectDialog.tsx: Connect as',
  'DriveMemory.tsx: select',
  'Exports.tsx: select',
  // The files of one program, the names of the agents of one journal.
  'AnimationPane.tsx: Animation',
  'CodeView.tsx: Source file',
  // The folders that have notes, of which most people have one.
  'NotesPart.tsx: Notes of',
  'SteeringView.tsx: select',
  // The places of the machine's memory, with what lies there now.
  'SetChoice.tsx: Set',
  // About one artwork, log, hex view, role, drive, series, key or watch of many.
  'Others.tsx: `Mode of ${artwork.name',
  'SidePane.tsx: Bank',
  'SidePane.tsx: Columns',
  'SidePane.tsx: Shows',
  'SidePane.tsx: Text',
  'AgentLog.tsx: Which log',
  'RunControls.tsx: select',
  'RunOptions.tsx: select',
  'Drives.tsx: label',
  'RunsChart.tsx: select',
  'KeyTables.tsx: `${hostKeyTitle(code)',
  'Watches.tsx: `Format of ${text',
  'Watches.tsx: `When ${text',
  // How one machine is sampled, with what each way costs it beside it.
  'SamplingControl.tsx: radio',
  // The palette finds each recording.
  'TimelineView.tsx: select',
  // The palette has each value of these settings.
  'parts.tsx: label',
  'machineSections.tsx: Sampling mode',
  'inputSections.tsx: radio',
  // Of the change of one file, which is shown below them.
  'OwnHooks.tsx: select',
  // How much of the past the report in front is about.
  'SinceYouLeft.tsx: Of the last',
  // One colour of sixteen, of a picture that is open.
  'StudioOptions.tsx: name',
  // Each theme has a command.
  'SettingsView.tsx: Theme',
]

const choicesOf = (source: string): string[] =>
  tagsOf(source, /<(?:Segments|select|ToggleGroup\.Root|input(?=\s+type="radio"))\b/g)

/** The opening tags of buttons in a source text. */
const buttonsOf = (source: string): string[] => tagsOf(source, /<(?:Icon)?Button\b/g)

function tagsOf(source: string, tag: RegExp): string[] {
  return [...source.matchAll(tag)].map(({ index }) => source.slice(index, endOfTag(source, index)))
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

/** The label that it is spoken by, else the kind of its tag. */
const nameOfChoice = (tag: string): string =>
  /label=(?:"([^"]*)"|\{(.*?)\})/s.exec(tag)?.slice(1).find(Boolean) ??
  /type="(radio)"/.exec(tag)?.[1] ??
  tag.slice(1).split(/\W/, 1)[0] ??
  tag

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

describe('every choice of the window', () => {
  it('stands in the table of choices, so that the palette has each of its values too', () => {
    const without = globSync('src-renderer/**/*.tsx').flatMap((file) =>
      choicesOf(readFileSync(file, 'utf8')).map((tag) => `${basename(file)}: ${nameOfChoice(tag)}`),
    )
    expect(without.filter((choice) => !withoutChoice.includes(choice))).toEqual([])
    expect(withoutChoice.filter((choice) => !without.includes(choice))).toEqual([])
  })
})
