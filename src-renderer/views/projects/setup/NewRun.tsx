import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { formatInfo } from '@shared/formats/formats'
import { runLoopSystems, type RunLoopSystem } from '@shared/contract/loops'
import type { Project } from '@shared/contract/orchestration'
import { call } from '../../../client/call'
import { notify } from '../../../client/messages'
import { Button } from '../../../widgets/Button'
import { textOf, type FieldValues } from '../../../widgets/form/fields'
import { Form, FormFields, FormProblemText, SubmitButton } from '../../../widgets/form/Form'
import { useForm, type FormProblem } from '../../../widgets/form/useForm'
import { Segments } from '../../../widgets/Segments'
import { visibleText } from '../../../widgets/visibleText'
import { chooseNewRun } from './chooseNewRun'
import { endNewRun, newRun, useNewRun } from './setupStore'
import './setup.css'

const makes: Readonly<Record<RunLoopSystem, string>> = {
  metashell: 'Creates .meta/context.md. Agents research, plan, execute and verify what it describes.',
  ncrew: 'Creates IDEA.md, INDEX.md, tasks.md and a default crew in .noodlecrew. Experts take turns on the tasks.',
}

const formats = runLoopSystems.map((value) => ({ value, label: formatInfo[value].title }))

export const NewRunButtons = ({ project: { project } }: { readonly project: Project }) => (
  <div className="projects-buttons">
    {formats.map(({ value, label }) => (
      <Button key={value} label={`New ${label} run…`} onClick={() => newRun(project, value)} />
    ))}
  </div>
)

export function NewRunDialog({ projects }: { readonly projects: ReadonlyMap<number, Project> }) {
  const run = useNewRun((state) => state.run)
  const project = run ? projects.get(run.project) : undefined
  return (
    <Dialog.Root open={project !== undefined} onOpenChange={endNewRun}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        {run === null || project === undefined ? null : (
          <Dialog.Content className="dialog of-form setup-dialog" onOpenAutoFocus={focusIdea}>
            <Dialog.Title>
              New {formatInfo[run.system].title} run in {visibleText(project.name)}
            </Dialog.Title>
            <Segments
              label="Format"
              value={run.system}
              options={formats}
              onChange={(system) => newRun(run.project, system)}
            />
            <Dialog.Description className="muted">{makes[run.system]} Files that are there stay.</Dialog.Description>
            <NewRunForm project={project} system={run.system} onDone={endNewRun} />
          </Dialog.Content>
        )}
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function focusIdea(event: Event): void {
  if (!(event.target instanceof HTMLElement)) return
  event.preventDefault()
  event.target.querySelector<HTMLElement>('[data-field="idea"] textarea')?.focus()
}

interface NewRunFormProps {
  readonly project: Project
  readonly system: RunLoopSystem
  readonly onDone: () => void
}

function NewRunForm({ project: { project, name }, system, onDone }: NewRunFormProps) {
  const [values, setValues] = useState<FieldValues>({ name, idea: '' })
  const form = useForm({
    fields: [
      { kind: 'text', name: 'name', label: 'Name', required: true, maxLength: 200 },
      {
        kind: 'lines',
        name: 'idea',
        label: 'What to build',
        required: true,
        rows: 6,
        placeholder: 'What the program does, for whom, and what it must not do',
      },
    ],
    values,
    onChange: (field, value) => setValues({ ...values, [field]: value }),
    check: () => missingIn(values),
    send: async () => {
      const given = { name: textOf(values['name']).trim(), idea: textOf(values['idea']).trim() }
      const { created } = await call('loops.init', { project, system, ...given })
      onDone()
      notify(`Created ${created.length === 1 ? (created[0] ?? '') : `${created.length} files`}.`)
      chooseNewRun(project, system)
    },
  })
  return (
    <Form form={form} label="New run" layout="stacked">
      <FormFields form={form} />
      <FormProblemText form={form} />
      <div className="prompt-buttons">
        <Button label="Cancel" shortcut="Esc" onClick={onDone} />
        <SubmitButton form={form} label="Create" shortcut="Ctrl+Enter" />
      </div>
    </Form>
  )
}

function missingIn(values: FieldValues): FormProblem | null {
  if (textOf(values['name']).trim() === '') return { field: 'name', text: 'Name: what is built.' }
  if (textOf(values['idea']).trim() === '') return { field: 'idea', text: 'Describe what to build.' }
  return null
}
