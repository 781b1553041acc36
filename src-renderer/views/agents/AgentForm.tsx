import { Play, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { commandText } from '@shared/agentPresets'
import { call } from '../../client/call'
import { attempt, notify } from '../../client/messages'
import { Button } from '../../widgets/Button'
import { Form, FormFields, FormProblemText, SubmitButton } from '../../widgets/form/Form'
import { useForm } from '../../widgets/form/useForm'
import { changeDraft, describeAgent, draftOfAgent, draftOfPreset, NO_PROGRAM, parseDraft } from './agentFields'
import type { SetUpAgent } from '../../client/agents/agentRuns'

interface AgentFormProps {
  /** Null for a new one. */
  readonly agent: SetUpAgent | null
  readonly onSaved: (name: string) => void
  readonly onTried: (run: string) => void
  readonly onClose: () => void
}

export function AgentForm({ agent, onSaved, onTried, onClose }: AgentFormProps) {
  const [draft, setDraft] = useState(() => (agent ? draftOfAgent(agent) : draftOfPreset('claude')))
  const id = useId()
  const parsed = parseDraft(draft)
  const form = useForm({
    fields: describeAgent(draft, agent),
    values: draft,
    onChange: (name, value) => setDraft(changeDraft(draft, agent === null, name, value)),
    check: () => ('problem' in parsed ? parsed.problem : null),
    send: async () => {
      if ('problem' in parsed) return
      const { name } = parsed.agent
      await call('agents.save', parsed.agent)
      notify(`The agent ${name} is set up.`)
      onSaved(name)
    },
  })
  const title = agent ? `Agent ${agent.name}` : 'New agent'
  return (
    <Form form={form} label={title} layout="columns">
      <h2>{title}</h2>
      <FormFields form={form} />
      <span id={id}>Command line</span>
      <code className="data agent-command" aria-labelledby={id}>
        {'agent' in parsed ? commandText(parsed.agent) : '…'}
      </code>
      <FormProblemText form={form} />
      <div className="form-end">
        <SubmitButton form={form} label="Allow and save…" />
        {agent ? <AgentActions agent={agent} onTried={onTried} onClose={onClose} /> : null}
        <Button label="Close" onClick={onClose} />
      </div>
    </Form>
  )
}

interface AgentActionsProps extends Pick<AgentFormProps, 'onTried' | 'onClose'> {
  readonly agent: SetUpAgent
}

function AgentActions({ agent: { name, program }, onTried, onClose }: AgentActionsProps) {
  return (
    <>
      <Button
        label="Try it"
        icon={Play}
        tip="Runs it once in an empty folder with a short prompt: does it start, is it logged in, does it understand? May cost a little."
        why={program === null ? NO_PROGRAM : null}
        onClick={() => attempt(async () => onTried((await call('agents.try', { name })).run))}
      />
      <Button
        label="Remove…"
        icon={Trash2}
        onClick={() =>
          attempt(async () => {
            await call('agents.remove', { name })
            onClose()
          })
        }
      />
    </>
  )
}
