import { Play, Trash2 } from 'lucide-react'
import { useId, useState, type SubmitEvent } from 'react'
import { agentSchema, type Agent } from '@shared/contract/agents'
import { commandText, presetNames, presets, type PresetName } from '@shared/agentPresets'
import { call } from '../../client/call'
import { attempt, notify, describeError } from '../../client/messages'
import { Button } from '../../widgets/Button'
import { visibleText } from '../../widgets/visibleText'
import type { SetUpAgent } from './store'

interface Draft {
  readonly name: string
  readonly preset: PresetName
  readonly command: string
  readonly model: string
  /** One a line. */
  readonly args: string
  readonly environment: string
  readonly timeLimit: string
  readonly maxTurns: string
  readonly maxCost: string
}

const draftOfPreset = (preset: PresetName): Draft => {
  const { command, suggested } = presets[preset]
  return {
    name: preset === 'custom' ? '' : preset,
    preset,
    command,
    model: '',
    args: suggested.args.join('\n'),
    environment: suggested.environment.join(' '),
    timeLimit: '1800',
    maxTurns: '',
    maxCost: '',
  }
}

const draftOf = ({ name, preset, command, model, args, environment, timeLimit, maxTurns, maxCost }: Agent): Draft => ({
  ...{ name, preset, command, model: model ?? '', args: args.join('\n'), environment: environment.join(' ') },
  ...{
    timeLimit: String(timeLimit),
    maxTurns: maxTurns === null ? '' : String(maxTurns),
    maxCost: maxCost === null ? '' : String(maxCost),
  },
})

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

const agentOf = (draft: Draft): unknown => ({
  name: draft.name.trim(),
  preset: draft.preset,
  command: draft.command.trim(),
  model: draft.model.trim() === '' ? null : draft.model.trim(),
  args: draft.args.split('\n').filter((line) => line !== ''),
  environment: draft.environment.split(/[\s,]+/).filter((name) => name !== ''),
  timeLimit: Number(draft.timeLimit),
  maxTurns: presets[draft.preset].options.turns === null ? null : numberOf(draft.maxTurns),
  maxCost: presets[draft.preset].options.cost === null ? null : numberOf(draft.maxCost),
})

const titles: Readonly<Record<string, string>> = {
  ...{
    name: 'Name: 1 to 40 of A-Z, a-z, 0-9, _ and -.',
    command: 'Command: a program on the PATH, or where it lies.',
    model: 'Model: letters, digits and . : / @ + - _ only.',
  },
  ...{
    args: 'Arguments: at most 100, one a line.',
    environment: 'Variables: their names, apart by blanks.',
    timeLimit: 'Time limit: seconds from 1 to 86,400.',
  },
  ...{ maxTurns: 'Turns: a whole number from 1, or nothing.', maxCost: 'Cost: USD from 0.01, or nothing.' },
}

interface AgentFormProps {
  /** The one that is changed; null for a new one. */
  readonly agent: SetUpAgent | null
  readonly onSaved: (name: string) => void
  readonly onTried: (run: string) => void
  readonly onClose: () => void
}

/** An agent’s command line, as the person allows it. */
export function AgentForm({ agent, onSaved, onTried, onClose }: AgentFormProps) {
  const [draft, setDraft] = useState<Draft>(() => (agent ? draftOf(agent) : draftOfPreset('claude')))
  const [problem, setProblem] = useState<string | null>(null)
  const ids = useId()
  const set = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })
  const { title, note, options } = presets[draft.preset]
  const parsed = agentSchema.safeParse(agentOf(draft))

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setProblem(null)
    if (!parsed.success) {
      const field = String(parsed.error.issues[0]?.path[0])
      setProblem(titles[field] ?? 'This is no agent.')
      return
    }
    try {
      await call('agents.save', parsed.data)
      notify(`The agent ${parsed.data.name} is set up.`)
      onSaved(parsed.data.name)
    } catch (error) {
      setProblem(describeError(error))
    }
  }
  const field = (
    name: keyof Draft,
    label: string,
    more: { readonly placeholder?: string; readonly numeric?: boolean; readonly why?: string | null } = {},
  ) => (
    <>
      <label htmlFor={`${ids}-${name}`}>{label}</label>
      <input
        id={`${ids}-${name}`}
        className="field data"
        spellCheck={false}
        autoComplete="off"
        inputMode={more.numeric ? 'decimal' : undefined}
        placeholder={more.why ?? more.placeholder}
        disabled={typeof more.why === 'string'}
        value={typeof more.why === 'string' ? '' : draft[name]}
        onChange={({ target }) => set({ [name]: target.value })}
      />
    </>
  )
  return (
    <form
      className="agent-form"
      aria-label={agent ? `Agent ${agent.name}` : 'New agent'}
      onSubmit={(event) => void submit(event)}
    >
      <h2>{agent ? `Agent ${agent.name}` : 'New agent'}</h2>
      <label htmlFor={`${ids}-preset`}>Kind</label>
      <select
        id={`${ids}-preset`}
        className="field"
        value={draft.preset}
        onChange={({ target }) => {
          const preset = presetNames.find((name) => name === target.value)
          if (preset) setDraft(agent ? { ...draft, preset } : draftOfPreset(preset))
        }}
      >
        {presetNames.map((name) => (
          <option key={name} value={name}>
            {presets[name].title}
          </option>
        ))}
      </select>
      <p className="agent-hint muted">{note}</p>
      {field('name', 'Name')}
      <p className="agent-hint muted">A project’s files may name an agent by it, and nothing else of it.</p>
      {field('command', 'Command')}
      {agent && agent.command === draft.command ? (
        <p className={`agent-hint ${agent.program === null ? 'problem' : 'muted'}`}>
          {agent.program === null
            ? 'There is no such program on this computer.'
            : `Found: ${visibleText(agent.program)}`}
        </p>
      ) : null}
      {field('model', 'Model', {
        placeholder: 'its own choice',
        why: options.model === null ? 'an argument of its own names it' : null,
      })}
      <label htmlFor={`${ids}-args`}>Arguments</label>
      <textarea
        id={`${ids}-args`}
        className="field data"
        rows={3}
        spellCheck={false}
        placeholder="one a line, beside those of its kind"
        value={draft.args}
        onChange={({ target }) => set({ args: target.value })}
      />
      {field('environment', 'Variables', { placeholder: 'names, apart by blanks' })}
      <p className="agent-hint muted">
        It gets these of your environment where they are set, beside PATH, HOME, the language and their like; nothing
        else.
      </p>
      {field('timeLimit', 'Time limit, s', { numeric: true })}
      {field('maxTurns', 'Turns at most', {
        numeric: true,
        placeholder: 'no limit',
        why: options.turns === null ? `${title} has no such option` : null,
      })}
      {field('maxCost', 'Cost at most, USD', {
        numeric: true,
        placeholder: 'no limit',
        why: options.cost === null ? `${title} has no such option` : null,
      })}
      <span id={`${ids}-line`}>Command line</span>
      <code className="data agent-command" aria-labelledby={`${ids}-line`}>
        {parsed.success ? commandText(parsed.data) : '…'}
      </code>
      {problem === null ? null : (
        <p className="agent-hint problem" role="alert">
          {problem}
        </p>
      )}
      <div className="agent-buttons agent-form-end">
        <button type="submit" className="button primary">
          Allow and save…
        </button>
        {agent ? (
          <>
            <Button
              label="Try it"
              icon={Play}
              tip="Runs it once in an empty folder with a short prompt: does it start, is it logged in, is it understood? It may cost a little."
              why={agent.program === null ? 'There is no such program on this computer.' : null}
              onClick={() => attempt(async () => onTried((await call('agents.try', { name: agent.name })).run))}
            />
            <Button
              label="Remove…"
              icon={Trash2}
              onClick={() =>
                attempt(async () => {
                  await call('agents.remove', { name: agent.name })
                  onClose()
                })
              }
            />
          </>
        ) : null}
        <Button label="Close" onClick={onClose} />
      </div>
    </form>
  )
}
