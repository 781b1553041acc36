import { actionIds, actions, type ActionTitles } from '@shared/actions'
import { describeAddress, formatAddress, parseTypedAddress } from '@shared/c64/address'
import type { LabelTable } from '@shared/c64/labels/labelTable'
import { builtInNames, type Names } from '@shared/c64/labels/names'
import { fullNameOf } from '@shared/c64/labels/programLabel'
import { labels } from '@shared/c64/memoryMap'
import type { MachineState } from '@shared/contract/machine'
import { canonicalMachineName, readMachineName } from '@shared/contract/machineName'
import type { Project } from '@shared/contract/orchestration'
import type { Settings } from '@shared/contract/settings'
import type { Task } from '@shared/contract/tasks'
import { recordedText } from '@shared/recordedText'
import { titleOf } from '../../client/actionTitles'
import { limitOfAction } from '../../client/actionLimits'
import { findMachine, machineTitles, titleOfMachine } from '../../client/machines'
import { chosenShortcut } from '../../client/shortcuts'
import { runTitle } from '../../views/projects/labels'
import type { PlacedRun } from '../../views/projects/store'
import { chosenSettings, settingChoice } from '../../views/settings/settingChoices'
import { settingRowNames, settingRows, type SettingRow } from '../../client/settingRows'
import { visibleText } from '../../widgets/visibleText'
import { actionMarks, type SwitchedStates } from './actionMarks'
import { choiceItems, type KnownChoices } from './choiceItems'
import { otherWords } from './otherWords'
import type { PaletteItem } from './paletteItem'

export interface Known {
  readonly titles: ActionTitles
  readonly machines: readonly MachineState[]
  readonly front: string
  readonly tasks: ReadonlyMap<string, Task>
  readonly projects: ReadonlyMap<number, Project> | null
  readonly runs: ReadonlyMap<string, PlacedRun>
  readonly choices: KnownChoices
  readonly switched: SwitchedStates
  readonly settings: Settings
}

type Provider = (known: Known) => readonly PaletteItem[]

const commands: Provider = (known) => {
  const front = findMachine(known, known.front)
  const marks = actionMarks(known.switched, front)
  return actionIds
    .filter((action) => action !== 'view.palette')
    .map((action) => {
      const shortcut = chosenShortcut(action, known.settings.runningKeys)
      return {
        key: action,
        kind: actions[action].menu,
        title: titleOf(action, known.titles),
        detail: marks[action] ?? '',
        also: otherWords[action],
        ...(shortcut === undefined ? {} : { shortcut }),
        limit: limitOfAction(action, front),
        goal: { to: 'action', action },
      }
    })
}

const choices: Provider = (known) => choiceItems(known.choices, findMachine(known, known.front))

const machines: Provider = (known) =>
  known.machines.map(({ machine, title }) => ({
    key: `machine ${machine}`,
    kind: 'Machine',
    title: `Show ${title}`,
    detail: machine,
    limit: null,
    goal: { to: 'machine', machine, named: false },
  }))

const titleOfSetting = (row: SettingRow): string => `${settingRows[row].section}: ${settingRows[row].title}`

const settings: Provider = () =>
  settingRowNames.map((row) => ({
    key: `setting ${row}`,
    kind: 'Setting',
    title: titleOfSetting(row),
    detail: '',
    also: otherWords[row],
    limit: null,
    goal: { to: 'setting', row, value: null },
  }))

const settingValues: Provider = (known) =>
  chosenSettings.flatMap((row) => {
    const { options, valueOf } = settingChoice(row)
    return Object.entries(options).map(([value, label]) => ({
      key: `setting ${row} ${value}`,
      kind: 'Setting',
      title: `${titleOfSetting(row)}: ${label}`,
      detail: valueOf(known.settings) === value ? 'current' : '',
      limit: null,
      goal: { to: 'setting', row, value },
    }))
  })

const projects: Provider = (known) =>
  [...(known.projects?.values() ?? [])].map(({ project, name, place }) => ({
    key: `project ${place}`,
    kind: 'Project',
    title: visibleText(name),
    detail: visibleText(place),
    limit: null,
    goal: { to: 'run', project, run: null },
  }))

const runs: Provider = (known) =>
  [...known.runs.values()].map(({ project, run }) => {
    const of = known.projects?.get(project)
    return {
      key: `run ${of?.place ?? project} ${run.key}`,
      kind: 'Run',
      title: visibleText(runTitle(run)),
      detail: visibleText(of?.name ?? ''),
      limit: null,
      goal: { to: 'run', project, run: run.key },
    }
  })

const tasks: Provider = (known) => {
  const titles = machineTitles(known)
  return [...known.tasks.values()].reverse().map(({ id, operation, machine }) => ({
    key: `task ${id}`,
    kind: 'Task',
    title: id,
    detail: machine === null ? operation : `${operation}, ${titleOfMachine(titles, machine)}`,
    limit: null,
    goal: { to: 'task', task: id },
  }))
}

const recordings: Provider = (known) =>
  [...known.tasks.values()].reverse().flatMap(({ id, recorded, own }) =>
    own && recorded !== null && recorded.frames > 0
      ? [
          {
            key: `recording ${id}`,
            kind: 'Recording',
            title: id,
            detail: recordedText(recorded),
            limit: null,
            goal: { to: 'recording', recording: id },
          },
        ]
      : [],
  )

const ofLabels: readonly PaletteItem[] = labels.map(({ address, name, description }) => ({
  key: `label ${name}`,
  kind: 'Label',
  title: `${name} ${formatAddress(address)}`,
  detail: description,
  limit: null,
  goal: { to: 'address', address },
}))

const providers: readonly Provider[] = [
  commands,
  choices,
  machines,
  projects,
  runs,
  tasks,
  recordings,
  settings,
  settingValues,
  () => ofLabels,
]

export const allItems = (known: Known): PaletteItem[] => providers.flatMap((itemsOf) => itemsOf(known))

export const typedItems = (typed: string, names: Names = builtInNames): PaletteItem[] => [
  ...typedAddress(typed, names),
  ...typedMachine(typed),
]

const MAX_LABELS_FOUND = 50

export const labelItems = (typed: string, table: LabelTable): PaletteItem[] =>
  typed.trim() === ''
    ? []
    : table.search(typed, MAX_LABELS_FOUND).map((label) => ({
        key: `label ${label.address} ${fullNameOf(label)}`,
        kind: 'Label',
        title: visibleText(`${fullNameOf(label)} ${formatAddress(label.address)}`),
        detail: 'Of the program',
        limit: null,
        goal: { to: 'address', address: label.address },
      }))

/** `d020`, `$d020`, `0xd020` and `goto vic.border`; a bare word is a label's only after `goto`. */
function typedAddress(typed: string, names: Names): PaletteItem[] {
  const [, isAsked, text = ''] = /^(go ?to\s+)?(.*)$/i.exec(typed.trim()) ?? []
  if (isAsked === undefined && !/^(\$|0x)?(?=.*\d)[\da-f]{2,4}$/i.test(text)) return []
  const address = readAddress(text, names)
  if (address === null) return []
  return [
    {
      key: `address ${address}`,
      kind: 'Address',
      title: `Go to ${describeAddress(address, names)}`,
      detail: '',
      limit: null,
      goal: { to: 'address', address },
    },
  ]
}

function readAddress(text: string, names: Names): number | null {
  try {
    return parseTypedAddress(text, names)
  } catch {
    return null
  }
}

function typedMachine(typed: string): PaletteItem[] {
  const name = typed.includes(':') ? readMachineName(typed.trim()) : undefined
  if (!name) return []
  const machine = canonicalMachineName(name)
  return [
    {
      key: `connect ${machine}`,
      kind: 'Machine',
      title: `Connect to ${machine}`,
      detail: '',
      limit: null,
      goal: { to: 'machine', machine, named: true },
    },
  ]
}
