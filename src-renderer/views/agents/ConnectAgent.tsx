import { useId, useState } from 'react'
import { agentClients, agentClientTitles, type AgentClient } from '@shared/agentClients'
import { grantableRights, type GrantableRight } from '@shared/contract/steering'
import { call } from '../../client/call'
import { DiffView } from '../../client/DiffView'
import { notify } from '../../client/messages'
import { useAnswer } from '../../client/useAnswer'
import { Button } from '../../widgets/Button'
import { textOf, type FieldDescription, type FieldValue } from '../../widgets/form/fields'
import { Form, FormFields, FormProblemText, SubmitButton } from '../../widgets/form/Form'
import { useForm } from '../../widgets/form/useForm'
import { visibleText } from '../../widgets/visibleText'

interface Draft {
  readonly client: AgentClient
  readonly action: 'add' | 'remove'
  readonly allow: readonly GrantableRight[]
}

const rightLabels: Readonly<Record<GrantableRight, string>> = {
  change: 'Change: write memory, run programs, type, reset',
  power: 'Power: drives, disks, settings of VICE',
  connect: 'Connect: other machines than those you use',
  files: 'Files: load and save in its working folder',
  programs: 'Programs: also files that others run, such as a Makefile',
}

const fields: readonly FieldDescription[] = [
  {
    kind: 'select',
    name: 'client',
    label: 'Program',
    options: agentClients.map((value) => ({ value, label: agentClientTitles[value] })),
    help: 'The agent’s program that you start yourself. Agents that runs of projects start have the machines by their own settings.',
  },
  {
    kind: 'segments',
    name: 'action',
    label: 'Entry',
    options: [
      { value: 'add', label: 'Add' },
      { value: 'remove', label: 'Remove' },
    ],
  },
]

const allowField: FieldDescription = {
  kind: 'checks',
  name: 'allow',
  label: 'May without asking you',
  options: grantableRights.map((value) => ({ value, label: rightLabels[value] })),
}

export function ConnectAgent({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>({ client: 'claude', action: 'add', allow: [] })
  const [version, setVersion] = useState(0)
  const commandId = useId()
  const { data, failure } = useAnswer(
    JSON.stringify(draft),
    true,
    (signal) => call('agentClients.preview', { ...draft, allow: [...draft.allow] }, { signal }),
    version,
  )
  const isDone = data?.preview.files.length === 0
  const title = agentClientTitles[draft.client]
  const form = useForm({
    fields: draft.action === 'add' ? [...fields, allowField] : fields,
    values: { ...draft },
    onChange: (name, value) => setDraft(changed(draft, name, value)),
    check: () => (data && !isDone ? null : { field: null, text: whyNot(failure?.message, isDone) }),
    send: async () => {
      if (!data) return
      const asked = { ...draft, allow: [...draft.allow], token: data.preview.token }
      const written = await call('agentClients.change', asked)
      setVersion(version + 1)
      if (written) notify(`${written.file} is written. Start ${title} again.`, written.warning)
    },
  })
  return (
    <Form form={form} label="Connect an agent" layout="stacked">
      <h2>Connect an agent</h2>
      <FormFields form={form} autoFocus />
      {draft.action === 'add' && data ? (
        <div className="agent-start">
          <span id={commandId}>It will start</span>
          <code className="data agent-command" aria-labelledby={commandId}>
            {visibleText(data.command)}
          </code>
        </div>
      ) : null}
      {failure === null ? null : <p className="problem">{visibleText(failure.message)}</p>}
      {data === null ? null : isDone ? (
        <p className="muted agent-change" role="status">
          {visibleText(data.file)} is already so.
        </p>
      ) : (
        <div className="agent-change">
          <DiffView preview={data.preview} label="What would be written" />
        </div>
      )}
      <FormProblemText form={form} />
      <div className="form-end">
        <SubmitButton form={form} label="Write…" shortcut="Ctrl+Enter" />
        <Button label="Close" onClick={onClose} />
      </div>
    </Form>
  )
}

function changed(draft: Draft, name: string, value: FieldValue | undefined): Draft {
  const text = textOf(value)
  if (name === 'client') return { ...draft, client: agentClients.find((known) => known === text) ?? draft.client }
  if (name === 'action') return { ...draft, action: text === 'remove' ? 'remove' : 'add' }
  return { ...draft, allow: grantableRights.filter((right) => Array.isArray(value) && value.includes(right)) }
}

const whyNot = (failure: string | undefined, isDone: boolean): string =>
  isDone ? 'Nothing would change.' : (failure ?? 'The file is still being read.')
