import { agentSchema, machineRights, machineRightsOf, type Agent, type MachineRights } from '@shared/contract/agents'
import { presetNames, presets, type PresetName } from '@shared/agentPresets'
import { suggestedAgent } from '@shared/suggestedAgent'
import type { FieldDescription, FieldHint, FieldValue } from '../../widgets/form/fields'
import type { FormProblem } from '../../widgets/form/useForm'
import { visibleText } from '../../widgets/visibleText'
import type { SetUpAgent } from '../../client/agents/agentRuns'

/** As typed: one argument per line, variables between spaces. */
type AgentDraft = Readonly<Record<Exclude<keyof Agent, 'preset'>, string>> & { readonly preset: PresetName }

const machineLabels: Readonly<Record<MachineRights, string>> = {
  none: 'no access',
  look: 'look',
  change: 'look and change',
  power: 'change, switch, configure',
}

export const NO_PROGRAM = 'There is no such program on this computer.'

export const draftOfAgent = (agent: Agent): AgentDraft => ({
  name: agent.name,
  preset: agent.preset,
  command: agent.command,
  model: agent.model ?? '',
  args: agent.args.join('\n'),
  environment: agent.environment.join(' '),
  timeLimit: String(agent.timeLimit),
  maxTurns: agent.maxTurns === null ? '' : String(agent.maxTurns),
  maxCost: agent.maxCost === null ? '' : String(agent.maxCost),
  machines: machineRightsOf(agent),
})

export const draftOfPreset = (preset: PresetName): AgentDraft =>
  draftOfAgent(suggestedAgent(preset, preset === 'custom' ? '' : preset))

export function changeDraft(draft: AgentDraft, isNew: boolean, name: string, value: FieldValue): AgentDraft {
  if (typeof value !== 'string') return draft
  if (name !== 'preset') return { ...draft, [name]: value }
  const preset = presetNames.find((candidate) => candidate === value) ?? draft.preset
  return isNew ? draftOfPreset(preset) : { ...draft, preset }
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

export function parseDraft(draft: AgentDraft): { readonly agent: Agent } | { readonly problem: FormProblem } {
  const { options } = presets[draft.preset]
  const { data, error } = agentSchema.safeParse({
    name: draft.name.trim(),
    preset: draft.preset,
    command: draft.command.trim(),
    model: draft.model.trim() === '' ? null : draft.model.trim(),
    args: draft.args.split('\n').filter((line) => line !== ''),
    environment: draft.environment.split(/[\s,]+/).filter((name) => name !== ''),
    timeLimit: Number(draft.timeLimit),
    maxTurns: options.turns === null ? null : numberOf(draft.maxTurns),
    maxCost: options.cost === null ? null : numberOf(draft.maxCost),
    machines: draft.machines,
  })
  if (data) return { agent: data }
  const field = String(error.issues[0]?.path[0])
  return { problem: { field, text: rules[field] ?? 'These values do not make an agent.' } }
}

const rules: Readonly<Record<string, string>> = {
  name: 'Name: 1 to 40 of A-Z, a-z, 0-9, _ and -.',
  command: 'Command: a program on the PATH, or its full path.',
  model: 'Model: only letters, digits and . : / @ + - _',
  args: 'Arguments: at most 100, one per line.',
  environment: 'Variables: names, separated by spaces.',
  timeLimit: 'Time limit: 1 to 86,400 seconds.',
  maxTurns: 'Turns: a whole number from 1, or empty.',
  maxCost: 'Cost: USD from 0.01, or empty.',
}

export function describeAgent(draft: AgentDraft, agent: SetUpAgent | null): FieldDescription[] {
  const { title, note, options } = presets[draft.preset]
  const text = (name: keyof AgentDraft, label: string) => ({ kind: 'text', name, label, isData: true }) as const
  const limit = (name: keyof AgentDraft, label: string, option: string | null) =>
    ({
      ...text(name, label),
      inputMode: 'decimal',
      placeholder: 'no limit',
      why: option === null ? `${title} has no such option` : null,
    }) as const
  return [
    {
      kind: 'select',
      name: 'preset',
      label: 'Kind',
      options: presetNames.map((name) => ({ value: name, label: presets[name].title })),
      hints: [{ text: note }],
    },
    { ...text('name', 'Name'), help: 'Projects refer to the agent by this name only.' },
    { ...text('command', 'Command'), hints: agent?.command === draft.command ? [describeProgram(agent)] : [] },
    {
      ...text('model', 'Model'),
      placeholder: 'its own choice',
      why: options.model === null ? 'set by an argument' : null,
    },
    {
      kind: 'lines',
      name: 'args',
      label: 'Arguments',
      isData: true,
      rows: 3,
      placeholder: 'One per line, added to those of its kind',
    },
    {
      ...text('environment', 'Variables'),
      placeholder: 'Names, separated by spaces',
      help: 'Environment variables to pass on. PATH and HOME are always passed.',
    },
    { ...text('timeLimit', 'Time limit (s)'), inputMode: 'decimal' },
    limit('maxTurns', 'Turn limit', options.turns),
    limit('maxCost', 'Cost limit (USD)', options.cost),
    {
      kind: 'select',
      name: 'machines',
      label: 'Machines',
      options: machineRights.map((value) => ({ value, label: machineLabels[value] })),
      help: 'What it may do at the machines without asking. It gets the server for agents by itself; with “change”, also files of the folder that it works in.',
    },
  ]
}

const describeProgram = ({ program }: SetUpAgent): FieldHint =>
  program === null ? { text: NO_PROGRAM, tone: 'problem' } : { text: `Found: ${visibleText(program)}` }
